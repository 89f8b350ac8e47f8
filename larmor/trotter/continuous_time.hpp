#pragma once
// Transverse-field Ising models in continuous imaginary time: the limit of infinitely many slices,
// without an extrapolation. A world line is a list of kinks, at which the spin of a site changes:
//
//   Z = sum over numbers of kinks n_i, integral over their times, of
//       prod_i Gamma_i^n_i  exp( integral over tau of ( sum_b J_b s_i s_j + sum_i h_i s_i ) ).
//
// Times are fractions t = tau / beta in [0, 1). An update of a line cuts it at all kinks and at
// times of a Poisson process of rate beta Gamma_i. Each piece then draws its direction in the field
// of the neighbouring lines, and cuts between equal pieces are forgotten. Any couplings are
// allowed.
//
//   E = - sum_b J_b int s_i s_j dt - sum_i h_i int s_i dt - n / beta,   <sx_i> = <n_i> / (beta
//   Gamma_i) C = beta^2 ( <E^2> - <E>^2 + <D> ),   D = - n / beta^2,   n = sum_i n_i
//
// Source: H. Rieger and N. Kawashima, Eur. Phys. J. B 9, 233 (1999).

#include <span>

#include "larmor/core/update_counter.hpp"
#include "larmor/trotter/estimators.hpp"

namespace larmor::trotter {

struct WorldLine {
  std::int8_t first = 1;      ///< the spin at t = 0
  std::vector<double> kinks;  ///< ascending, an even number
};

class ContinuousModel {
 public:
  /// @param copies replicas of each instance @throws InputError for numbers that make no model
  ContinuousModel(const SystemGraph& graph, std::vector<Instance> instances, Index copies);

  const SystemGraph& system() const { return system_; }
  const lattice::Graph& graph() const { return graph_; }
  const std::vector<Instance>& instances() const { return instances_; }
  Index sites() const { return system_.sites; }
  Index replicas() const { return copies_ * std::ssize(instances_); }
  const Instance& instance_of_replica(Index replica) const {
    return instances_[static_cast<std::size_t>(replica / copies_)];
  }

 private:
  SystemGraph system_;
  std::vector<Instance> instances_;
  Index copies_;
  lattice::Graph graph_;
};

/// Means of one replica over imaginary time.
struct LineSums {
  std::vector<double> bond;         ///< int s_i s_j dt [bonds]
  std::vector<double> site;         ///< int s_i dt [sites]
  std::vector<std::int32_t> kinks;  ///< n_i [sites]
};

class ContinuousState {
 public:
  /// All spins are +1. @param model must outlive the state
  explicit ContinuousState(const ContinuousModel& model);

  /// Lines without kinks, in random directions.
  void randomise(std::uint64_t seed);
  /// Exchanges the lines of two replicas.
  void exchange(Index replica, Index other);

  /// FORMAT: for each (replica, site): the first spin, the number of kinks, and their times.
  std::vector<double> save() const;
  /// @throws InputError for numbers that do not form lines
  void restore(std::span<const double> saved);

  const ContinuousModel& model() const { return *model_; }
  std::span<WorldLine> lines(Index replica);
  std::span<const WorldLine> lines(Index replica) const;

  LineSums sums(Index replica) const;
  /// (1/beta) times the integral over tau of s_i s_j.
  double pair(Index replica, Index i, Index j) const;
  /// The spins at equidistant times, as a replica in field 0 of group 0. @param shift time of the
  /// first, as a fraction of the distance @param words receives [sites * time.words]
  void read_slices(Index replica, const TimeWords& time, double shift,
                   std::vector<std::uint32_t>& words) const;

 private:
  const ContinuousModel* model_;
  std::vector<WorldLine> lines_;  ///< (replica, site)
};

class ContinuousSampler {
 public:
  /// @param model must outlive the sampler @param steps the counter of the study
  ContinuousSampler(const ContinuousModel& model, std::uint64_t seed, const UpdateCounter& steps,
                    int threads);

  /// Updates every line of every replica once in each sweep.
  void sweep(ContinuousState& state, Index sweeps);

 private:
  const ContinuousModel* model_;
  std::uint64_t seed_;
  UpdateCounter steps_;
  int threads_;
};

EnergyTerms energy_terms(const Instance& instance, const LineSums& sums);
/// <sx_i> of each site.
std::vector<double> transverse_spins(const Instance& instance, const LineSums& sums);

}  // namespace larmor::trotter
