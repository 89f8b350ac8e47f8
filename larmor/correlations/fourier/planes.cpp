#include "larmor/correlations/fourier/planes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "larmor/core/error.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/correlations/fourier/site_phase.hpp"

namespace larmor::correlations {

HalfSpectrum::HalfSpectrum(const lattice::Geometry& geometry, const QList& wanted,
                           std::size_t halved)
    : size(geometry.size) {
  QList q = wanted;
  if (const auto n = make_commensurate(geometry, q))
    throw InputError(
        "wave vector " + std::to_string(*n + 1) + ", " + q_text(q.q[static_cast<std::size_t>(*n)]) +
            ", is not a wave vector of the periodic lattice, but an FFT has only such wave vectors",
        "use method = \"factorised\", or fractions k / size");
  const std::array<Index, 3>& all = geometry.size;
  size[halved] = all[halved] / 2 + 1;
  const auto wrapped = [&](double part, std::size_t d) {
    const Index k = std::llround(part * static_cast<double>(all[d]));
    return ((k % all[d]) + all[d]) % all[d];
  };
  for (std::size_t n = 0; n < q.q.size(); ++n) {
    std::array<Index, 3> k{wrapped(q.q[n].x, 0), wrapped(q.q[n].y, 1), wrapped(q.q[n].z, 2)};
    // The data are real, so A(-k) is the conjugate of A(k).
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

PlanesOfCells::PlanesOfCells(const std::array<Index, 3>& cells) : size(cells), across(0) {
  constexpr Index enough = 32;
  Index best = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const Index of_plane = cells[0] * cells[1] * cells[2] / cells[d];
    const Index worth = std::min({enough, cells[d], of_plane});
    if (worth < best) continue;
    best = worth;
    across = d;
  }
  fast = across == 0 ? 1 : 0;
  slow = across == 2 ? 1 : 2;
}

bool PlanesOfCells::are_whole(const Domain* domain) const {
  return domain == nullptr ||
         (domain->cells != nullptr && domain->cells->axis == static_cast<int>(across));
}

std::vector<Index> PlanesOfCells::own(const Domain* domain, Index spins) const {
  const auto is_own = [&](Index plane) {
    if (domain == nullptr) return true;
    if (are_whole(domain)) return domain->cells->first <= plane && plane < domain->cells->last;
    // Any process may transform any plane. This choice distributes planes as evenly as positions.
    return is_owned(domain, plane * spins / count());
  };
  std::vector<Index> planes;
  for (Index plane = 0; plane < count(); ++plane)
    if (is_own(plane)) planes.push_back(plane);
  return planes;
}

std::vector<SpectrumColumn> columns_of(const PlanesOfCells& planes, const HalfSpectrum& spectrum) {
  std::map<Index, SpectrumColumn> by_place;
  for (std::size_t n = 0; n < spectrum.entry.size(); ++n) {
    const auto [index, conjugated] = spectrum.entry[n];
    const std::array<Index, 3> k{index % spectrum.size[0],
                                 index / spectrum.size[0] % spectrum.size[1],
                                 index / (spectrum.size[0] * spectrum.size[1])};
    const Index place = k[planes.fast] + spectrum.size[planes.fast] * k[planes.slow];
    SpectrumColumn& column = by_place[place];
    column.place = place;
    column.wanted.push_back({static_cast<Index>(n), k[planes.across], conjugated});
  }
  std::vector<SpectrumColumn> columns;
  for (auto& [place, column] : by_place) columns.push_back(std::move(column));
  return columns;
}

}  // namespace larmor::correlations
