#include "larmor/correlations/half_spectrum.hpp"

#include <cmath>

#include "larmor/core/error.hpp"

namespace larmor::correlations {

HalfSpectrum::HalfSpectrum(const lattice::Geometry& geometry, const QList& q) {
  const std::array<Index, 3>& size = geometry.size;
  const Index half = size[0] / 2 + 1;
  const auto wrapped = [&](double part, std::size_t d) {
    const Index k = std::llround(part * static_cast<double>(size[d]));
    return ((k % size[d]) + size[d]) % size[d];
  };
  for (std::size_t n = 0; n < q.q.size(); ++n) {
    if (!is_commensurate(geometry, q.q[n]))
      throw InputError("wave vector " + std::to_string(n) +
                           " does not fit the periodic lattice, which an FFT needs",
                       "use method = \"factorised\", or fractions k / size");
    Index x = wrapped(q.q[n].x, 0), y = wrapped(q.q[n].y, 1), z = wrapped(q.q[n].z, 2);
    // Real data: A(-k) is the conjugate of A(k).
    const bool conjugated = x >= half;
    if (conjugated) {
      x = (size[0] - x) % size[0];
      y = (size[1] - y) % size[1];
      z = (size[2] - z) % size[2];
    }
    entry.push_back({x + half * (y + size[1] * z), conjugated});
    for (const lattice::BasisAtom& atom : geometry.crystal.basis) {
      const double angle = dot(q.cartesian[n], geometry.crystal.cartesian(atom.fractional));
      basis_phase.push_back({std::cos(angle), -std::sin(angle)});
    }
  }
}

}  // namespace larmor::correlations
