#pragma once
// Counts sites of a grid in each state, on every plane across an axis. Counts pairs of sites in
// equal states, at a distance along an axis.

#include <cstdint>

#include "larmor/core/types.hpp"

namespace larmor::ising {

inline constexpr int most_summed_axes = 4;

/// Axes of a grid. A site has the number x_0 + N_0 (x_1 + N_1 (..)).
struct SummedAxes {
  int axes;
  Index length[most_summed_axes], stride[most_summed_axes];
  bool periodic[most_summed_axes];
  Index sites;
  int states;
  /// Number of planes of all axes before an axis [axis], and of all axes.
  Index first_plane[most_summed_axes], planes;
  /// Number of distances (from 0) of each axis [axis], of all axes before an axis [axis], and of
  /// all axes.
  Index distances[most_summed_axes], first_distance[most_summed_axes], all_distances;

  LARMOR_HD Index coordinate(Index site, int axis) const {
    return site / stride[axis] % length[axis];
  }
  /// Index of a plane's count of a state among the counts of a replica.
  LARMOR_HD Index plane_number(int axis, Index x, int state) const {
    return (first_plane[axis] + x) * states + state;
  }
};

/// Is there a site at this distance in + direction of the axis, and does it have an equal state?
LARMOR_HD inline bool is_equal_pair(const SummedAxes& grid, const std::uint8_t* states, Index site,
                                    int axis, Index distance) {
  const Index x = grid.coordinate(site, axis);
  Index other = x + distance;
  if (other >= grid.length[axis]) {
    if (!grid.periodic[axis]) return false;
    other -= grid.length[axis];
  }
  return states[site] == states[site + (other - x) * grid.stride[axis]];
}

}  // namespace larmor::ising
