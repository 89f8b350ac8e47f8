#pragma once
// The sites of a discrete model: on a lattice, in a graph, or on a grid of up to four axes.

#include <array>
#include <optional>

#include "larmor/ising/clusters/cluster_graph.hpp"
#include "larmor/study/models/discrete/system/discrete_tables.hpp"

namespace larmor::study {

/// Names of the axes of a grid, in results.
inline constexpr std::array axis_names{"x", "y", "z", "w"};

struct DiscreteSites {
  Index count = 0;
  /// The positions of the sites; nothing: the sites are a grid of four axes.
  std::optional<lattice::Geometry> geometry;
  /// The grid of a lattice with one site in its cell: site x + N_0 (y + N_1 (z + ..)), where N_d is
  /// the length of axis d. No lengths: the sites are not such a grid.
  ising::RegularGrid grid;

  bool is_grid() const { return !grid.lengths.empty(); }
};

/// The sites are found at the first call. @throws InputError for invalid keys, sizes, cells and
/// files
const DiscreteSites& sites_of(const DiscreteTables& tables);

/// FORMAT: writes the sites to the group /model.
void write_sites(const DiscreteSites& sites, UnitSystem units, io::ResultsFile& results);
/// The sites in a line of `check`.
std::string sites_text(const DiscreteTables& tables, const DiscreteSites& sites);

}  // namespace larmor::study
