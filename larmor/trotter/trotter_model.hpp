#pragma once
// The classical Ising model of a transverse-field Ising model with M slices of imaginary time, by
// the Suzuki-Trotter formula with dtau = beta / M:
//
//   Z_M = prod_i (sinh(2 dtau Gamma_i) / 2)^(M / 2)  sum over all s of e^S,
//   S = sum_k [ sum_b dtau J_b s_ik s_jk + sum_i dtau h_i s_ik + sum_i K_i s_ik s_i,k+1 ],
//   K_i = -1/2 ln tanh(dtau Gamma_i),   slices k periodic.
//
// Z_M tends to Z with an error of order dtau^2. If Gamma_i = 0, all slices of site i are equal.
//
// Replicas of an instance are its copies. The copies of an instance share words: a group is one
// word of each place, and its replicas belong to one instance.
//
// Source: M. Suzuki, Prog. Theor. Phys. 56, 1454 (1976).

#include <memory>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/ising/rule.hpp"
#include "larmor/trotter/time_words.hpp"
#include "larmor/trotter/transverse_ising.hpp"
#include "larmor/trotter/update_view.hpp"

namespace larmor::trotter {

/// K_i = -1/2 ln tanh(dtau Gamma); infinite for Gamma = 0.
double time_coupling(double dtau, double Gamma);

/// Where a replica lies.
struct ReplicaPlace {
  Index group;
  int field;
};

struct TrotterSettings {
  Index slices = 32;  ///< M, even
  Index copies = 1;   ///< replicas of each instance
  /// `metropolis`; or `glauber`, to which `heat_bath` is equal
  ising::Rule rule = ising::Rule::metropolis;
  /// Local updates need tables. World lines and clusters are faster without them.
  bool has_local_updates = true;
};

class TrotterModel {
 public:
  /// @param instances at least one @throws InputError for numbers that make no model
  TrotterModel(const Device& device, const SystemGraph& graph, std::vector<Instance> instances,
               const TrotterSettings& settings);

  const Device& device() const { return device_; }
  const SystemGraph& system() const { return system_; }
  const lattice::Graph& graph() const { return graph_; }
  const std::vector<Instance>& instances() const { return instances_; }
  const TimeWords& time() const { return time_; }
  Index sites() const { return system_.sites; }
  Index slices() const { return time_.slices(); }
  Index copies() const { return copies_; }
  Index replicas() const { return copies_ * std::ssize(instances_); }
  Index instance_of_replica(Index replica) const { return replica / copies_; }
  Index groups() const { return groups_of_instance_ * std::ssize(instances_); }
  Index instance_of_group(Index group) const { return group / groups_of_instance_; }
  ReplicaPlace place(Index replica) const;
  /// Groups stored together; the last block may have groups without replicas.
  int lanes() const { return lanes_; }
  Index words() const;

  bool has_local_updates() const { return has_local_updates_; }
  /// Has some site no transverse field? Local updates refuse such sites.
  bool has_rigid_lines() const { return has_rigid_lines_; }
  /// Are classes of neighbours counted? Otherwise each spin adds up its couplings.
  bool is_counted() const { return view_.width > 0; }
  bool needs_lazy_sweeps() const { return needs_lazy_sweeps_; }

  /// Runs of sites, in the memory of the host.
  const std::vector<SiteRun>& runs() const { return host_runs_; }
  /// Data of kernels, with no spins.
  const UpdateView& view() const { return view_; }

  /// Memory of a model, and of a state of it, with so many instances of equal kind.
  /// @param instance one of them
  static double bytes(const Device& device, const SystemGraph& graph, const Instance& instance,
                      Index instances, const TrotterSettings& settings);

 private:
  /// @param table number of the probabilities of each site
  void order_sites(const std::vector<std::int32_t>& table);
  void count_neighbours();
  void add_up_couplings();
  void make_tables(const std::vector<Index>& site_of_table, bool lazy);
  void store_signs();

  Device device_;
  SystemGraph system_;
  std::vector<Instance> instances_;
  TimeWords time_;
  ising::Rule rule_;
  Index copies_, groups_of_instance_;
  int lanes_ = 1;
  lattice::Graph graph_;
  bool has_local_updates_, has_rigid_lines_ = false, needs_lazy_sweeps_ = false;

  std::vector<std::int32_t> colour_;
  std::vector<SiteRun> host_runs_;
  Array<std::int32_t> order_, table_, neighbour_, bond_, group_instance_;
  Array<Index> offset_;
  Array<SiteRun> runs_;
  Array<std::uint32_t> negative_, tables_[2];
  Array<std::int32_t> fixed_bond_, fixed_site_;
  Array<double> scale_;
  UpdateView view_{};
};

}  // namespace larmor::trotter
