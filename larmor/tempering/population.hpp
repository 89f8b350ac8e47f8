#pragma once
// Population annealing: many replicas are cooled together. A step goes from inverse temperature
// beta to beta'. Replica r of R replicas has the weight w_r = exp(-(beta' - beta) E_r). The step
// replaces this replica by n_r copies of itself, with the mean
//     <n_r> = R_0 w_r / sum_s w_s
// for a target R_0. The sum of the weights gives the partition function,
//     ln Z(beta') - ln Z(beta) = ln (1/R sum_r w_r),
// with the actual number R of replicas at beta, not the target R_0.
//
// The numbers of copies are drawn in one of two ways, both of small variance. With nearest_integer,
// each <n_r> is rounded up or down independently, and R changes. With systematic, one random number
// rounds all <n_r> together, and R stays R_0.
//
// A family is the descendants of one replica of the first population. Different families are
// independent; members of one family are not. So the errors are those of the jackknife that leaves
// out one block of families, at all temperatures. If family f has the share p_f of the population,
// the mean square family size is rho_t = R sum_f p_f^2. The entropic family size is rho_s = R /
// exp(S_f), where S_f = -sum_f p_f ln p_f.
//
// Sources: K. Hukushima and Y. Iba, AIP Conf. Proc. 690, 200 (2003); J. Machta, Phys. Rev. E 82,
// 026704 (2010); W. Wang, J. Machta and H. G. Katzgraber, Phys. Rev. E 92, 063307 (2015); L. Yu.
// Barash, M. Weigel, M. Borovsky, W. Janke and L. N. Shchur, Comput. Phys. Commun. 220, 341 (2017)
// for steps of a given overlap; M. Weigel, L. Barash, L. Shchur and W. Janke, arXiv:2102.06611
// (2021) for errors by blocks.

#include <functional>
#include <span>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::tempering {

enum class Resampling { nearest_integer, systematic };

/// How a population is controlled.
struct PopulationRule {
  Index target;    ///< wanted and initial number of replicas
  Index capacity;  ///< most replicas that it may have
  Resampling resampling = Resampling::nearest_integer;
};

/// Spare capacity over the target. A population of varying size is not expected to need more. The
/// spare is ten standard deviations of the size: the number of copies of each member has a standard
/// deviation of at most 1/2.
Index spare_replicas(Index target);

/// Numbers and sizes of families.
struct FamilyStatistics {
  Index families = 0;           ///< surviving families
  Index largest = 0;            ///< members of the largest family
  double mean_square_size = 0;  ///< rho_t
  double entropic_size = 0;     ///< rho_s
};

class Population {
 public:
  /// A function of the means of columns over the population, and of ln Z / Z_0.
  using Quantity = std::function<double(std::span<const double> means, double log_ratio)>;

  /// FORMAT: the complete state of a population, as checkpoints store it. BITS: a resumed run gives
  /// the same bits as an uninterrupted one.
  struct State {
    std::vector<Index> family;  ///< family of each replica
    double log_ratio = 0;
    std::vector<double> log_ratio_without;  ///< log_ratio without each block of families
    double least_overlap = 1;               ///< least overlap of the steps so far
    friend bool operator==(const State&, const State&) = default;
  };

  /// Begins with the target number of replicas, each in its own family.
  /// @throws InternalError for a target below two, or above the capacity
  explicit Population(const PopulationRule& rule, std::uint64_t seed);

  /// Number of replicas in use; these are the first ones.
  Index size() const { return static_cast<Index>(state_.family.size()); }
  /// ln Z / Z_0 with the partition function Z_0 of the first population.
  double log_ratio() const { return state_.log_ratio; }

  /// The fraction of the population that a step leaves unchanged: the mean of min(1, w_r / <w>). It
  /// is the overlap of the energy histograms at both temperatures, and 1 minus the fraction of
  /// replicas that die out.
  /// @param energy total energy of each replica [size]
  double overlap(std::span<const double> energy, double rise) const;
  /// The step of beta with this overlap, or the largest allowed step `most` if its overlap is
  /// larger.
  double step_of_overlap(double wanted_overlap, std::span<const double> energy, double most) const;

  /// One step: returns which replicas to copy. Replica r must become a copy of replica source[r]. A
  /// source is a copy of itself, so copies can be made in place in any order. Replicas beyond the
  /// new size are idle.
  /// @param energy total energy of each replica [size] @param rise of beta @param step keys the
  /// random numbers @return source [capacity]
  /// @throws InputError if the population dies out or exceeds the capacity
  std::vector<Index> resample(std::span<const double> energy, double rise, std::uint64_t step);

  FamilyStatistics families() const;
  /// Number of families among these replicas.
  Index families_of(std::span<const Index> replicas) const;

  /// Value, corrected for its bias of order 1/R, and error from blocks of families. The estimate is
  /// reliable if two conditions hold. The blocks, which differ in size, weigh as much as at least
  /// 20 equal blocks. No step had an overlap below 0.3.
  /// @param columns numbers of each replica [column][size]
  Estimate estimate(const std::vector<std::span<const double>>& columns,
                    const Quantity& quantity) const;

  /// Jackknife pseudovalues of a column: they come from its means with each block left out, scaled
  /// so that they scatter as independent samples do. Their mean is that of the column. [blocks]
  std::vector<double> pseudovalues(std::span<const double> column) const;

  const State& state() const { return state_; }
  /// @throws InputError for a state of another population
  void set_state(State state);

 private:
  Index blocks() const { return static_cast<Index>(state_.log_ratio_without.size()); }
  std::size_t block_of(Index replica) const;
  /// Sums over the members of each block. @param value of a replica
  std::vector<double> block_sums(std::span<const double> value) const;
  std::vector<Index> numbers_of_copies(std::span<const double> weight, double sum,
                                       std::uint64_t step) const;
  std::vector<Index> sources_of(const std::vector<Index>& copies);

  PopulationRule rule_;
  std::uint64_t seed_;
  State state_;
};

}  // namespace larmor::tempering
