#pragma once
// Where the sites of a discrete model are: on a lattice, in a graph, or on a grid of up to four
// axes.

#include <array>
#include <optional>

#include "larmor/ising/clusters/cluster_graph.hpp"
#include "larmor/study/models/discrete/system/discrete_tables.hpp"

namespace larmor::study {

/// Of the axes of a grid, in results.
inline constexpr std::array axis_names{"x", "y", "z", "w"};

struct DiscreteSites {
  Index count = 0;
  /// Nothing: a grid of four axes.
  std::optional<lattice::Geometry> geometry;
  /// Of a lattice with one site in its cell, site x + N_0 (y + N_1 (z + ..)); no lengths: the sites
  /// are no such grid.
  ising::RegularGrid grid;

  bool is_grid() const { return !grid.lengths.empty(); }
};

/// Found at the first call. @throws InputError for keys, sizes, cells and files that make no sense
const DiscreteSites& sites_of(const DiscreteTables& tables);

}  // namespace larmor::study
