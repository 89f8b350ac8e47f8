#pragma once
// What is made of the equal-time correlations of M configurations, summed over all pairs of sites:
//
//     C(r,r')   = (1/M) sum_m e_r.e_r', or connected: less <e_r>.<e_r'>, divided by M - 1
//     S(q)      = (1/N) sum_rr' exp(-i q.(r - r')) C(r,r')
//     chi_SG(q) = (1/N) sum_rr' exp(-i q.(r - r')) C(r,r')^2
//
// and means of C and C^2 over pairs by their distance, and of C between groups of sites. Where C is
// plain its square is found from pairs of different configurations, sum_{m != m'} x_m x_m' / (M (M
// - 1)) with x = e_r.e_r', as replica overlaps do: (sum x)^2 alone would be too large by the
// variance of x over M. The square of connected C has that bias.

#include <cstdint>
#include <memory>
#include <vector>

#include "larmor/correlations/q_list.hpp"
#include "larmor/correlations/real_space/pair_sums.hpp"
#include "larmor/correlations/real_space/spin_matrix.hpp"

namespace larmor::correlations::real_space {

struct PairCorrelationsSettings {
  QList q;  ///< of structure and spin_glass; none: neither
  bool structure = true, spin_glass = true;
  Index bins = 0;                   ///< of distance; 0: none
  double width = 1;                 ///< of a bin, length
  std::vector<std::int32_t> group;  ///< of each canonical site, from 0; empty: none
  Index groups = 0;
  bool connected = false;
  PairPrecision precision = PairPrecision::full;
  PairRanks* ranks = nullptr;  ///< as in PairSettings
};

/// One set of numbers; those not asked for are empty.
struct PairCorrelationsValues {
  std::vector<double> structure, spin_glass;  ///< real parts, [Q]
  std::vector<double> mean, mean_square;      ///< of C by distance, [bin]; NaN where no pairs are
  std::vector<double> pairs;                  ///< of each bin, a site with itself among them, [bin]
  std::vector<double> groups;                 ///< mean of C, [G,G]; NaN likewise
};

class PairCorrelations {
 public:
  /// @throws InputError for connected correlations of one replica, or squares of plain ones
  /// @throws MachineError where a GPU lacks what it takes
  PairCorrelations(const lattice::Geometry& geometry, const PairCorrelationsSettings& settings,
                   const spins::SpinState& state);
  /// @param left_out for the jackknife
  PairCorrelationsValues operator()(const spins::SpinState& state, const LeftOut& left_out = {});

  /// Bytes where the spins are.
  static double bytes(const lattice::Geometry& geometry, const PairCorrelationsSettings& settings,
                      Index replicas, const Device& device);

 private:
  std::vector<double> totals(PairSums& sums, const SpinMatrix& matrix) const;

  PairCorrelationsSettings settings_;
  Index sites_, replicas_;
  SpinMatrix matrix_;
  std::unique_ptr<SpinMatrix> quadrupoles_;  ///< plain squares need them
  std::unique_ptr<PairSums> structure_, square_, square_of_one_, distance_, distance_of_one_,
      groups_;
  std::vector<double> pairs_of_groups_;
};

}  // namespace larmor::correlations::real_space
