#include "larmor/spins/hamiltonian/site_order.hpp"

#include <algorithm>
#include <utility>

#include "larmor/core/device/filled_array.hpp"
#include "larmor/lattice/ordering.hpp"

namespace larmor::spins {
namespace {

/// Adjacent sublattices of one colour form one range.
std::vector<std::vector<SiteRange>> ranges_of_colours(const lattice::Colouring& of_sublattices,
                                                      Index sites_of_each) {
  const std::vector<std::int32_t>& colour = of_sublattices.colour;
  std::vector<std::vector<SiteRange>> colours(static_cast<std::size_t>(of_sublattices.colours));
  for (std::size_t s = 0; s < colour.size(); ++s) {
    std::vector<SiteRange>& ranges = colours[static_cast<std::size_t>(colour[s])];
    const Index end = static_cast<Index>(s + 1) * sites_of_each;
    if (s > 0 && colour[s - 1] == colour[s]) {
      ranges.back().last = end;
    } else {
      ranges.push_back({end - sites_of_each, end});
    }
  }
  return colours;
}

}  // namespace

std::vector<std::int32_t> SiteOrder::storage(Index sites) const {
  std::vector<std::int32_t> storage(static_cast<std::size_t>(sites));
  for (std::size_t position = 0; position < storage.size(); ++position)
    storage[static_cast<std::size_t>(canonical[position])] = static_cast<std::int32_t>(position);
  return storage;
}

std::optional<lattice::SublatticeColouring> repeating_colours(
    const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms) {
  if (geometry.spins() < geometry.sites()) return std::nullopt;
  std::vector<lattice::StencilBond> bonds;
  for (const LoweredTerm& term : terms) {
    if (!term.pairs.empty()) return std::nullopt;
    for (const StencilCoupling& c : term.stencil) bonds.push_back(c.bond);
  }
  return lattice::colour_sublattices(geometry, bonds);
}

SiteOrder order_of_alike_cells(const lattice::Geometry& geometry,
                               const lattice::SublatticeColouring& repeating, Index positions,
                               int threads) {
  const Index sites_of_each = geometry.sites() / repeating.sublattices();
  SiteOrder order;
  order.canonical =
      lattice::canonical_by_sublattice(geometry, repeating.supercell, positions, threads);
  order.colours = ranges_of_colours(repeating.colouring, sites_of_each);
  for (Index s = 0; s < repeating.sublattices(); ++s) order.runs.push_back(s * sites_of_each);
  return order;
}

SiteOrder order_of_sites(const lattice::Geometry& geometry, const BondTable& table,
                         const std::optional<lattice::SublatticeColouring>& repeating,
                         Index positions) {
  SiteOrder order;
  lattice::Ordering ordering;
  if (repeating) {
    ordering = lattice::by_sublattice(geometry, *repeating);
    order.sublattices =
        SublatticeOrder{repeating->supercell, ordering.colour_begin, repeating->colouring.colour};
    order.colours =
        ranges_of_colours(repeating->colouring, geometry.sites() / repeating->sublattices());
  } else {
    lattice::Colouring colouring = lattice::greedy_colouring(table.graph(geometry));
    for (Index site = 0; site < geometry.sites(); ++site)
      if (!geometry.occupied(site))
        colouring.colour[static_cast<std::size_t>(site)] = lattice::no_colour;
    ordering =
        lattice::by_colour(colouring, geometry.is_lattice() ? std::vector<std::int32_t>{}
                                                            : lattice::along_curve(geometry));
    for (std::size_t c = 0; c + 1 < ordering.colour_begin.size(); ++c)
      order.colours.push_back({{ordering.colour_begin[c], ordering.colour_begin[c + 1]}});
  }
  order.runs = std::move(ordering.colour_begin);
  order.canonical = std::move(ordering.canonical);
  order.canonical.resize(static_cast<std::size_t>(positions), order.canonical.back());
  return order;
}

SiteArrays site_arrays(const Device& device, const std::vector<std::int32_t>& canonical,
                       const BondTable& table, const std::vector<std::int32_t>& storage) {
  const Index group_size = table.bonds_per_site() * lane_count;
  return {Array<std::int32_t>(device, canonical),
          filled_array<std::int32_t>(
              device, std::ssize(canonical) * table.bonds_per_site(),
              std::max<Index>(1, group_size), [&](Index first, Index last, std::int32_t* to) {
                for (Index n = first; n < last; ++n) {
                  const Index position = n / group_size * lane_count + n % lane_count;
                  const Index site = canonical[static_cast<std::size_t>(position)];
                  const auto bond = static_cast<int>(n % group_size / lane_count);
                  *to++ = storage[static_cast<std::size_t>(table.neighbour(site, bond))];
                }
              })};
}

SiteArrays site_arrays(const Device& device, const std::vector<std::int32_t>& canonical,
                       const CellBonds& bonds) {
  return {Array<std::int32_t>(device, canonical),
          filled_array<std::int32_t>(device, std::ssize(canonical) * bonds.bonds_per_site(),
                                     std::max<Index>(1, bonds.bonds_per_site() * lane_count),
                                     [&](Index first, Index last, std::int32_t* to) {
                                       bonds.fill_neighbours(first, last, to);
                                     })};
}

}  // namespace larmor::spins
