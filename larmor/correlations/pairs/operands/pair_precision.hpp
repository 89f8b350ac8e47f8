#pragma once
// How the product of the spin matrices is computed where tensor cores do it.

#include <string_view>

namespace larmor::correlations::real_space {

/// full: double throughout. tf32x3, half_split: numbers split into two of 11 bits, three products,
/// sums in float; relative errors of a correlation about 1e-6 and 1e-6.
enum class PairPrecision { full, tf32x3, half_split };

/// @throws InputError for a name that is none of double, tf32x3, half-split
PairPrecision pair_precision_by_name(std::string_view name);
const char* name_of(PairPrecision precision);

}  // namespace larmor::correlations::real_space
