#pragma once
// Orders of the sites in memory: colour by colour, then the vacancies; and an order in which
// neighbours in space are close in memory. BITS: sums over sites and sweeps follow them.

#include <cstdint>
#include <vector>

#include "larmor/lattice/geometry.hpp"
#include "larmor/lattice/supercell.hpp"

namespace larmor::lattice {

struct Ordering {
  std::vector<std::int32_t> canonical;  ///< canonical site of each storage position
  std::vector<std::int32_t> storage;    ///< storage position of each canonical site
  std::vector<Index> colour_begin;      ///< first storage position of each colour, and the end
};

/// Sites colour by colour. Sites with `no_colour` come last, after the end of the colours.
/// @param order all sites, in their order within each colour; empty: canonical order
Ordering by_colour(const Colouring& colouring, const std::vector<std::int32_t>& order = {});

/// Sites sublattice by sublattice, in canonical order within each, then the vacancies. So the
/// storage position of a site is a sum of one number for each coordinate of its cell.
/// `colour_begin` holds the first position of each sublattice.
Ordering by_sublattice(const Geometry& geometry, const SublatticeColouring& colouring);

/// Only `canonical` of `by_sublattice`, for lattices of any size without vacancies.
/// @param positions at least the number of sites; further positions repeat the last site
std::vector<std::int32_t> canonical_by_sublattice(const Geometry& geometry,
                                                  const std::array<Index, 3>& supercell,
                                                  Index positions, int threads);

/// All sites along a Z-order curve through their positions (Morton, IBM Ltd. (1966)). Sites at one
/// point keep their canonical order. Users write plain positions in any order. Without the curve,
/// distant reads from memory would dominate the time of a sweep.
std::vector<std::int32_t> along_curve(const Geometry& geometry);

}  // namespace larmor::lattice
