#pragma once
// Couplings as whole numbers of one quantum, so that energies are exact integers: no order of
// summation shows, and every device decides the same.

#include <cstdint>
#include <vector>

namespace larmor::ising {

/// Couplings of more quanta are rounded.
inline constexpr std::int32_t most_multiple = 1 << 20;

/// One of which all numbers are multiples, up to most_multiple: the least of them or a part of it,
/// down to a 60th. Where there is none, that of their largest. @param numbers finite
double quantum_of(const std::vector<double>& numbers);

/// 2^-30 of the largest number: others are rounded to multiples of it.
double quantum_of_largest(double largest);

/// The nearest multiple.
std::int32_t in_quanta(double number, double quantum);

}  // namespace larmor::ising
