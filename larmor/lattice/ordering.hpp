#pragma once
// The order in which sites lie in memory: colour by colour.

#include <vector>

#include "larmor/lattice/colouring.hpp"

namespace larmor::lattice {

struct Ordering {
  std::vector<std::int32_t> canonical;  ///< canonical site of each storage position
  std::vector<std::int32_t> storage;    ///< storage position of each canonical site
  std::vector<Index> colour_begin;      ///< first storage position of each colour, and the end
};

/// Colours one after the other, canonical order within each.
Ordering by_colour(const Colouring& colouring);

}  // namespace larmor::lattice
