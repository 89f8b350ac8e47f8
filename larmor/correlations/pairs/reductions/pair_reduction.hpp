#pragma once
// What is made of C(r,r') = sum_k a_{r,k} b_{r',k}, summed over all pairs of sites. Each kind says
// what its totals are; "C or C^2" is PairSettings::squared. The spans are read while sums are made,
// and not later.

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

/// By distance; totals are (bin, 3): the sum of C, of C^2, and the number of pairs. Ordered pairs
/// count, and a site with itself (bin 0); pairs beyond the last bin are left out.
struct ByDistance {
  std::span<const Vec3<double>> position;  ///< (site), length
  DistanceBins bins;
};

/// By displacement r' - r; totals are (bin, 3) as of distances.
struct ByDisplacement {
  std::span<const lattice::SiteIndex> site;  ///< (site), its atom and cell
  DisplacementBins bins;
};

/// C or C^2 over r in group g and r' in group g'; totals are (g, g').
struct BetweenGroups {
  std::span<const std::int32_t> group;  ///< (site), from 0; -1: none
  Index groups = 0;
};

/// Numbers of pairs of different sites by the value of C, and the pairs with the largest and the
/// smallest; totals are those of correlation_bins.hpp.
struct ByValue {
  CorrelationBins bins;
};

using PairReduction =
    std::variant<FourierTerms, ByDistance, ByDisplacement, BetweenGroups, ByValue>;

/// Limits on a CPU; those of a GPU are most_bins and most_groups.
inline constexpr Index most_pair_bins = 10'000'000, most_pair_groups = 10'000;

/// @throws InputError for what is not as long as sites are many, for positions, wave vectors or
/// periods that are not finite, periods that are not independent, no bins or groups or too many,
/// bins without a width, and atoms, cells or groups out of range
void check(const PairReduction& reduction, Index sites);

}  // namespace larmor::correlations::real_space
