#pragma once
// The order in which sites lie in memory: colour by colour, then the vacancies. BITS: sums over
// sites and sweeps follow it.

#include <vector>

#include "larmor/lattice/supercell.hpp"

namespace larmor::lattice {

struct Ordering {
  std::vector<std::int32_t> canonical;  ///< canonical site of each storage position
  std::vector<std::int32_t> storage;    ///< storage position of each canonical site
  std::vector<Index> colour_begin;      ///< first storage position of each colour, and the end
};

/// Colours one after the other. Sites of the colour `no_colour` come last, after the end of the
/// colours. @param order of the sites within each colour: all sites; empty: canonical order
Ordering by_colour(const Colouring& colouring, const std::vector<std::int32_t>& order = {});

/// Sublattice after sublattice in the order of their numbers, canonical order within each, so that
/// the storage position of a site is a sum of one number for each coordinate of its cell; then the
/// vacancies. `colour_begin` is where each sublattice begins.
Ordering by_sublattice(const Geometry& geometry, const SublatticeColouring& colouring);

/// The canonical sites of the same order, and no more, for lattices without vacancies of any size.
/// @param positions as many as there are sites, or more: these repeat the last site
std::vector<std::int32_t> canonical_by_sublattice(const Geometry& geometry,
                                                  const std::array<Index, 3>& supercell,
                                                  Index positions, int threads);

}  // namespace larmor::lattice
