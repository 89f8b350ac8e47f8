#include "larmor/correlations/fourier/half_spectrum.hpp"

#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/correlations/fourier/site_phase.hpp"

namespace larmor::correlations {

HalfSpectrum::HalfSpectrum(const lattice::Geometry& geometry, const QList& wanted,
                           std::size_t halved)
    : size(geometry.size) {
  QList q = wanted;
  if (const auto n = make_commensurate(geometry, q))
    throw InputError("wave vector " + std::to_string(*n + 1) + ", " +
                         q_text(q.q[static_cast<std::size_t>(*n)]) +
                         ", does not fit the periodic lattice, which an FFT needs",
                     "use method = \"factorised\", or fractions k / size");
  const std::array<Index, 3>& all = geometry.size;
  size[halved] = all[halved] / 2 + 1;
  const auto wrapped = [&](double part, std::size_t d) {
    const Index k = std::llround(part * static_cast<double>(all[d]));
    return ((k % all[d]) + all[d]) % all[d];
  };
  for (std::size_t n = 0; n < q.q.size(); ++n) {
    std::array<Index, 3> k{wrapped(q.q[n].x, 0), wrapped(q.q[n].y, 1), wrapped(q.q[n].z, 2)};
    // Real data: A(-k) is the conjugate of A(k).
    const bool conjugated = k[halved] >= size[halved];
    for (std::size_t d = 0; conjugated && d < 3; ++d) k[d] = (all[d] - k[d]) % all[d];
    entry.push_back({k[0] + size[0] * (k[1] + size[1] * k[2]), conjugated});
    for (const lattice::BasisAtom& atom : geometry.crystal.basis) {
      const SitePhase phase =
          site_phase(q.cartesian[n], geometry.crystal.cartesian(atom.fractional));
      basis_phase.push_back({phase.re, phase.im});
    }
  }
}

}  // namespace larmor::correlations
