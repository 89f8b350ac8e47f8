#pragma once
// FORMAT: writes the sites to the group /model of the results.

#include <functional>

#include "larmor/core/input/units.hpp"
#include "larmor/io/results/results_file.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::study {

/// Larger perfect lattices are written as their basis, not site by site.
inline constexpr Index most_listed_sites = 10'000'000;

/// Writes positions, moments and species of every site, or only of the basis for a large perfect
/// lattice. Then writes cell, size and boundaries.
/// @param moment moment of a site, in the unit of magnetic moments
void write_lattice(const lattice::Geometry& geometry, UnitSystem units,
                   const std::function<double(Index)>& moment, io::ResultsFile& results);

}  // namespace larmor::study
