#include "larmor/correlations/pairs/reductions/displacement_bins.hpp"

#include <algorithm>
#include <string>

#include "larmor/core/error.hpp"

namespace larmor::correlations::real_space {

namespace {

std::string in_cells(Index number) {
  return std::to_string(number) + (number == 1 ? " cell" : " cells");
}

}  // namespace

Index DisplacementBins::opposite(Index bin) const {
  std::array<Index, 3> step{};
  for (std::size_t d = 3; d-- > 0; bin /= count[d]) step[d] = bin % count[d] + least[d];
  Index other = bin % atoms * atoms + bin / atoms;
  for (std::size_t d = 0; d < 3; ++d) other = other * count[d] + place(d, -step[d]);
  return other;
}

DisplacementBins displacement_bins(const lattice::Geometry& geometry,
                                   const std::optional<std::array<Index, 3>>& cells) {
  if (!geometry.is_lattice())
    throw InputError("plain positions have no displacements in cells",
                     "take distance = { width = .., bins = .. }, or give a cell with its basis");
  DisplacementBins bins;
  bins.atoms = std::ssize(geometry.crystal.basis);
  bins.size = geometry.size;
  bins.periodic = geometry.periodic;
  for (std::size_t d = 0; d < 3; ++d) {
    const Index least = DisplacementBins::least_of(bins.size[d], bins.periodic[d]);
    const Index greatest = DisplacementBins::greatest_of(bins.size[d], bins.periodic[d]);
    const Index most = cells ? (*cells)[d] : greatest;
    if (most > greatest)
      throw InputError("displacements of " + in_cells(most) + " along lattice vector " +
                           std::to_string(d + 1) + " are too long: the sample has " +
                           in_cells(bins.size[d]) + " along this vector" +
                           (bins.periodic[d] ? " and is periodic" : ""),
                       "give at most " + std::to_string(greatest));
    bins.least[d] = std::max(least, -most);
    bins.count[d] = std::min(greatest, most) - bins.least[d] + 1;
  }
  return bins;
}

}  // namespace larmor::correlations::real_space
