#pragma once
// Makes lattice, Hamiltonian and spins from the tables of a study of spins.

#include <vector>

#include "larmor/clusters/cluster_sums.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/domains/domain_decomposition.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"
#include "larmor/spins/hamiltonian/model.hpp"
#include "larmor/spins/state/spin_state.hpp"
#include "larmor/study/models/spins/system/spin_tables.hpp"
#include "larmor/symmetry/surroundings.hpp"

namespace larmor::study {

/// Clusters of spins of the last sweep, if a measurement needs them.
struct SpinClusterCensus {
  bool is_wanted = false;                      ///< set before the sampler is made
  Index updates = 0;                           ///< number of updates in the sums
  std::vector<clusters::ReflectionSums> sums;  ///< [replicas]
};

/// Path of a file that the tables name.
std::string path_of(const SystemTables& tables, const std::string& file);

/// Paths of the files of positions, moments and couplings that the tables name.
std::vector<std::string> files_named(const SystemTables& tables);

/// @throws InputError for invalid sizes, cells or files
lattice::Geometry build_geometry(const SystemTables& tables);

/// The atoms without spins of the lattice, for its space group.
/// @throws InputError for another number of names than atoms
symmetry::Surroundings surroundings_of(const SystemTables& tables);

/// Moments in mu_B, 0 for vacancies.
spins::SiteMoments site_moments(const lattice::Geometry& geometry);

/// Every term in the canonical form. The result refers to `geometry` and `moments`.
std::vector<spins::LoweredTerm> lower_terms(const SystemTables& tables,
                                            const lattice::Geometry& geometry,
                                            const spins::SiteMoments& moments);

/// The number of couplings and fields of a replica that differ from those of other replicas; 0:
/// none differ.
/// @throws InputError as the terms during lowering
double numbers_by_replica(const SystemTables& tables, const lattice::Geometry& geometry);

/// Approximate bytes of the couplings and fields that differ by replica, while the model is made.
/// @throws InputError as the terms during lowering
double replica_table_bytes(const SystemTables& tables, const lattice::Geometry& geometry,
                           Index replicas);

inline SystemSize size_of(const lattice::Geometry& geometry) {
  return {geometry.sites(), geometry.spins(), &geometry,
          3 * sizeof(double) * static_cast<double>(geometry.sites())};
}

/// Lattice, Hamiltonian and spins. The members of a system refer to each other, so it cannot be
/// moved.
struct SpinSystem : System {
  SpinSystem(const SystemTables& tables, const Device& chosen)
      : SpinSystem(tables, chosen, build_geometry(tables)) {}
  /// @param built the geometry of `tables`, if the caller has already made it
  SpinSystem(const SystemTables& tables, const Device& chosen, lattice::Geometry built)
      : SpinSystem(tables, chosen, std::move(built), tables.replicas) {}
  /// @param replicas those of this system, among those of the tables
  /// @param sharing the ranks that share the lattice; null: this process has the whole lattice
  /// @param derivatives are spatial derivatives taken, which read neighbours that no bond may
  /// reach?
  /// @throws InputError if the lattice is too small to be shared
  SpinSystem(const SystemTables& tables, const Device& chosen, lattice::Geometry built,
             const ReplicaShare& replicas, const Communicator* sharing = nullptr,
             bool derivatives = false);
  SpinSystem(const SpinSystem&) = delete;
  SpinSystem& operator=(const SpinSystem&) = delete;

  SystemSize size() const override { return size_of(geometry); }
  bool replicas_differ() const override { return model.differs_by_replica(); }
  void begin(const Study& study) override;
  Blocks save(const Ranks& ranks) const override;
  void load(const Blocks& blocks, const Ranks& ranks) override;
  Index saved_side_by_side(const std::string&) const override {
    return state.layout().one_replica() ? 1 : lane_count;
  }
  void require_finite() const override { state.require_finite(); }
  io::DataArray configurations(Index count, const Ranks& ranks) const override;
  void write_model(const Study& study, io::ResultsFile& results) const override;
  std::vector<std::string> plan(const Study& study) const override;
  std::vector<std::string> advice() const override { return notes; }
  std::string kernel_advice() const override;
  double table_bytes() const override { return static_cast<double>(model.bytes()); }
  double table_bytes_to_come(bool read) const override;
  double table_bytes_elsewhere() const override;
  void connect() override {
    if (slabs) slabs->connect();
  }
  std::string exchange_text() const override { return slabs ? slabs->description() : ""; }
  std::vector<LiveArray> live_arrays() const override;
  io::DataArray live_array(const std::string& name) override;
  /// Axes are block of eight replicas, replica in its block, site, component. One replica is a
  /// block of its own.
  MemoryView live_view(const std::string& name) override;
  std::vector<std::int32_t> order_of_views() const override;
  void set_live_array(const std::string& name, std::span<const double> values) override;

  lattice::Geometry geometry;
  spins::SiteMoments moments;      ///< in mu_B
  std::vector<std::string> notes;  ///< notes to the user
  spins::Model model;
  std::unique_ptr<spins::DomainDecomposition> slabs;  ///< null: this process has all sites
  spins::SpinState state;
  SpinClusterCensus clusters;  ///< clusters in the current stage

 private:
  void compute_fields();

  UnitSystem units_;
  RealArray fields_;  ///< -dH/de in the layout of the state; empty until requested
};

}  // namespace larmor::study
