#pragma once
// Precision of the product of spin matrices on tensor cores.

#include <string_view>

namespace larmor::correlations::real_space {

/// full: double throughout. tf32x3, half_split: numbers split into two of 11 bits, three products,
/// sums in float; the relative error of a correlation is about 1e-6 in both.
enum class PairPrecision { full, tf32x3, half_split };

/// @throws InputError for a name other than double, tf32x3, half-split
PairPrecision pair_precision_by_name(std::string_view name);
const char* name_of(PairPrecision precision);

}  // namespace larmor::correlations::real_space
