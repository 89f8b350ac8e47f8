#pragma once
// Population annealing. Many replicas are cooled together. At a step from inverse temperature beta
// to beta' each of the R replicas has the weight w_r = exp(-(beta' - beta) E_r), and is replaced by
// n_r copies of itself, of which the mean is
//     <n_r> = R_0 w_r / sum_s w_s
// for a target R_0. What the weights come to gives the partition function,
//     ln Z(beta') - ln Z(beta) = ln (1/R sum_r w_r),
// with the R replicas that there are at beta, however many there should be.
//
// The numbers of copies are drawn in one of two ways, both of small variance: each <n_r> is rounded
// up or down on its own, and R changes (nearest_integer), or all are rounded together by one random
// number, and R stays R_0 (systematic).
//
// A family is what descends from one replica of the first population. Families know nothing of one
// another, but members of one do. Errors are therefore those of the jackknife over blocks of
// families, each of which is left out at all temperatures alike. With the share p_f of family f the
// mean square family size is rho_t = R sum_f p_f^2, and the entropic one rho_s = R / exp(S_f),
// where S_f = -sum_f p_f ln p_f.
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
  Index target;    ///< replicas that it should have, and begins with
  Index capacity;  ///< replicas that it may have
  Resampling resampling = Resampling::nearest_integer;
};

/// Room beside the target that a population which changes is never expected to outgrow: ten
/// standard deviations of its size, which is known to half a replica for each member.
Index spare_replicas(Index target);

/// Who descends from whom.
struct FamilyStatistics {
  Index families = 0;           ///< that are left
  Index largest = 0;            ///< members of the largest one
  double mean_square_size = 0;  ///< rho_t
  double entropic_size = 0;     ///< rho_s
};

class Population {
 public:
  /// A function of the means of columns over the population, and of ln Z / Z_0.
  using Quantity = std::function<double(std::span<const double> means, double log_ratio)>;

  /// FORMAT: all there is to a population, as checkpoints have it. BITS: it goes on alike.
  struct State {
    std::vector<Index> family;  ///< of each replica
    double log_ratio = 0;
    std::vector<double> log_ratio_without;  ///< each block of families
    double least_overlap = 1;               ///< of the steps so far
    friend bool operator==(const State&, const State&) = default;
  };

  /// As many replicas as it should have, a family each.
  /// @throws InternalError for a target of fewer than two, or beyond the capacity
  explicit Population(const PopulationRule& rule, std::uint64_t seed);

  /// Replicas that there are: the first so many.
  Index size() const { return static_cast<Index>(state_.family.size()); }
  /// ln Z / Z_0 with the partition function Z_0 of the first population.
  double log_ratio() const { return state_.log_ratio; }

  /// The share of the population that a step leaves as it is: the mean of min(1, w_r / <w>). It is
  /// the overlap of the histograms of energy at both temperatures, and 1 less the share of replicas
  /// that die out. @param energy of each replica as a whole [size]
  double overlap(std::span<const double> energy, double rise) const;
  /// The step of beta with this overlap, or the largest one allowed, where that has more.
  double rise_of(double wanted_overlap, std::span<const double> energy, double most) const;

  /// A step. Replica r is to become a copy of replica source[r]; sources are copies of themselves,
  /// so that copies can be made in place in any order. Replicas beyond the new size are idle.
  /// @param energy of each replica as a whole [size] @param rise of beta @param step keys the
  /// random numbers @return source [capacity]
  /// @throws InputError where it dies out, or outgrows the capacity
  std::vector<Index> resample(std::span<const double> energy, double rise, std::uint64_t step);

  FamilyStatistics families() const;
  /// Families that any of these replicas is of.
  Index families_of(std::span<const Index> replicas) const;

  /// Value, corrected for its bias of order 1/R, and error by blocks of families. It is reliable
  /// where these weigh as much as 20 equal ones, and no step had an overlap of less than 0.3.
  /// @param columns numbers of each replica [column][size]
  Estimate estimate(const std::vector<std::span<const double>>& columns,
                    const Quantity& quantity) const;

  /// The mean of a column as it is with each block left out, drawn apart so far that these numbers
  /// scatter as independent samples do. Their mean is that of the column. [blocks]
  std::vector<double> pseudovalues(std::span<const double> column) const;

  const State& state() const { return state_; }
  /// @throws InputError for a state that is not of this population
  void set_state(State state);

 private:
  Index blocks() const { return static_cast<Index>(state_.log_ratio_without.size()); }
  std::size_t block_of(Index replica) const;
  /// Sums over the members of each block. @param value of a replica
  std::vector<double> block_sums(std::span<const double> value) const;
  std::vector<Index> copies_of(std::span<const double> weight, double sum,
                               std::uint64_t step) const;
  std::vector<Index> placed(const std::vector<Index>& copies);

  PopulationRule rule_;
  std::uint64_t seed_;
  State state_;
};

}  // namespace larmor::tempering
