#pragma once
// The longest waves that fit a periodic lattice, one along each of its axes.

#include <vector>

#include "larmor/lattice/geometry.hpp"
#include "larmor/overlaps/copy_sums.hpp"

namespace larmor::study {

/// One wave along every periodic axis of two cells or more; none for plain positions.
std::vector<overlaps::WaveAxis> wave_axes(const lattice::Geometry& geometry);

/// The lengths of the axes, in cells.
std::vector<double> lengths_of(const std::vector<overlaps::WaveAxis>& axes);

}  // namespace larmor::study
