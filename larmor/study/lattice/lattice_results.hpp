#pragma once
// FORMAT: where the sites are, in the group /model of results.

#include <functional>

#include "larmor/core/input/units.hpp"
#include "larmor/io/results/results_file.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::study {

/// Larger perfect lattices are written as their basis, not site by site.
inline constexpr Index most_listed_sites = 10'000'000;

/// Positions, moments and species of every site, or of a large perfect lattice those of its basis;
/// then cell, size and boundaries. @param moment of a site, in the unit of magnetic moments
void write_lattice(const lattice::Geometry& geometry, UnitSystem units,
                   const std::function<double(Index)>& moment, io::ResultsFile& results);

}  // namespace larmor::study
