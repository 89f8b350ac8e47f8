#pragma once
// The parameters of a neighbour's rotation and weight, from those of a potential.

#include "larmor/atoms/potentials/snap/neighbour_rotation.hpp"
#include "larmor/atoms/potentials/snap/snap_potential.hpp"

namespace larmor::atoms::snap {

inline RotationRule rotation_rule(const SnapParameters& p) {
  return {p.rfac0, p.rmin0, p.switchflag, p.switchinnerflag};
}

/// The parameters of a neighbour of the element `other`.
inline PairShape<double> pair_shape(const SnapPotential& potential, int element, int other) {
  const auto mean = [&](const std::vector<double>& of_element) {
    return 0.5 * (of_element[static_cast<std::size_t>(element)] +
                  of_element[static_cast<std::size_t>(other)]);
  };
  const SnapParameters& p = potential.parameters;
  const bool inside = p.switchinnerflag;
  return {potential.cutoff(element, other),
          potential.elements[static_cast<std::size_t>(other)].weight, inside ? mean(p.sinner) : 0,
          inside ? mean(p.dinner) : 1};
}

}  // namespace larmor::atoms::snap
