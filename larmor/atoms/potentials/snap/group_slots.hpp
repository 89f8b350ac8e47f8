#pragma once
// The atoms of a group in the lanes of a Real, and the rotations of their neighbours.

#include <type_traits>

#include "larmor/atoms/potentials/snap/group_kernel.hpp"
#include "larmor/atoms/potentials/snap/neighbour_rotation.hpp"
#include "larmor/core/maths/pack.hpp"

namespace larmor::atoms::snap {
inline namespace LARMOR_ISA_NAMESPACE {

/// If registers hold two doubles, they cannot hold the data of eight atoms. Then it takes less than
/// half of the time to compute one atom after the other. BITS: both ways have equal bits.
using GroupReal = std::conditional_t<(native_bytes < 32), double, Pack>;
inline constexpr int atoms_at_once = sizeof(GroupReal) / sizeof(double);

template <class Number>
Number load(const double* from) {
  if constexpr (std::is_same_v<Number, double>)
    return *from;
  else
    return Number::load(from);
}
template <class Number>
void store(const Number& x, double* to) {
  if constexpr (std::is_same_v<Number, double>)
    *to = x;
  else
    x.store(to);
}

template <class Real>
NeighbourRotation<Real> rotation_of_slot(const SnapView& view, const SnapGroup& group, int slot) {
  const double* numbers = group.neighbours + Index{slot} * slot_numbers * lane_count;
  const auto number = [&](int n) { return load<Real>(numbers + n * lane_count); };
  return neighbour_rotation<Real>(view.rule, {number(3), number(4), number(5), number(6)},
                                  {number(0), number(1), number(2)});
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
