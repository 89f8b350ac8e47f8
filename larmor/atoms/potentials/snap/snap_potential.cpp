#include "larmor/atoms/potentials/snap/snap_potential.hpp"

#include <algorithm>

namespace larmor::atoms::snap {

double SnapPotential::cutoff(int element, int other) const {
  return parameters.rcutfac * (elements[static_cast<std::size_t>(element)].radius +
                               elements[static_cast<std::size_t>(other)].radius);
}

double SnapPotential::largest_cutoff() const {
  double radius = 0;
  for (const SnapElement& element : elements) radius = std::max(radius, element.radius);
  return parameters.rcutfac * 2 * radius;
}

int component_count(int twojmax) {
  int count = 0;
  for (int j1 = 0; j1 <= twojmax; ++j1)
    for (int j2 = 0; j2 <= j1; ++j2)
      for (int j = j1 - j2; j <= std::min(twojmax, j1 + j2); j += 2)
        if (j >= j1) ++count;
  return count;
}

int component_count(const SnapParameters& parameters, int elements) {
  const int channels = parameters.chemflag ? elements : 1;
  return component_count(parameters.twojmax) * channels * channels * channels;
}

long coefficient_count(const SnapParameters& parameters, int elements) {
  const long components = component_count(parameters, elements);
  return 1 + components + (parameters.quadraticflag ? components * (components + 1) / 2 : 0);
}

}  // namespace larmor::atoms::snap
