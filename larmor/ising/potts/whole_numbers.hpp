#pragma once
// Couplings as whole numbers of one quantum. Energies are then exact integers that do not depend on
// the order of summation, and all devices decide alike.

#include <cstdint>
#include <vector>

namespace larmor::ising {

/// Largest multiple of the quantum; quantum_of rounds couplings that would need more.
inline constexpr std::int32_t most_multiple = 1 << 20;

/// A quantum of which all numbers are multiples, up to most_multiple: the least number divided by 1
/// to 60. If none fits, quantum_of_largest. @param numbers finite
double quantum_of(const std::vector<double>& numbers);

/// 2^-30 of the largest number; the others are rounded to multiples of it.
double quantum_of_largest(double largest);

/// The nearest multiple.
std::int32_t in_quanta(double number, double quantum);

}  // namespace larmor::ising
