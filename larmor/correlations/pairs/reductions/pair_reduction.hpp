#pragma once
// Kinds of sums over all pairs of sites of a function of C(r,r') = sum_k a_{r,k} b_{r',k}. The
// comment of each kind lists its totals. Where it says "C or C^2", PairSettings::squared decides.
// The spans are read only while sums are constructed.

#include <cstdint>
#include <span>
#include <variant>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/correlations/pairs/reductions/correlation_bins.hpp"
#include "larmor/correlations/pairs/reductions/displacement_bins.hpp"
#include "larmor/correlations/pairs/reductions/distance_bins.hpp"

namespace larmor::correlations::real_space {

/// sum_rr' exp(-i q.(r - r')) C(r,r') or C^2; totals are (q, re im).
struct FourierTerms {
  std::span<const Vec3<double>> q;         ///< 1 / length
  std::span<const Vec3<double>> position;  ///< (site), length
};

/// Sums by distance; totals are (bin, 3): the sum of C, of C^2, and the number of pairs. Each pair
/// counts in both orders. Each site forms a pair with itself, which counts once in bin 0. Pairs
/// beyond the last bin are left out.
struct ByDistance {
  std::span<const Vec3<double>> position;  ///< (site), length
  DistanceBins bins;
};

/// Sums by displacement r' - r; totals are (bin, 3) as in ByDistance.
struct ByDisplacement {
  std::span<const lattice::SiteIndex> site;  ///< (site), basis atom and cell of each site
  DisplacementBins bins;
};

/// Sums of C or C^2 over r in group g and r' in group g'; totals are (g, g').
struct BetweenGroups {
  std::span<const std::int32_t> group;  ///< (site), from 0; -1: none
  Index groups = 0;
};

/// Counts pairs of different sites by the value of C, and finds the pairs with the largest and
/// smallest C. Totals are described in correlation_bins.hpp.
struct ByValue {
  CorrelationBins bins;
};

using PairReduction =
    std::variant<FourierTerms, ByDistance, ByDisplacement, BetweenGroups, ByValue>;

/// Limits of sums on a CPU. The limits on a GPU are most_bins and most_groups.
inline constexpr Index most_pair_bins = 10'000'000, most_pair_groups = 10'000;

/// @throws InputError if the length of an array is not the number of sites, or if a position, wave
/// vector or period is not finite. Also if periods are not independent, if bins have no width, or
/// if there are no bins or groups or too many. Also if an atom, cell or group is out of range
void check(const PairReduction& reduction, Index sites);

}  // namespace larmor::correlations::real_space
