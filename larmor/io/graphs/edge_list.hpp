#pragma once
// Bonds listed in a text file, a row of two sites, counted from 0, and perhaps a number each. Blank
// lines and those that begin with # or ! are skipped.

#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::io {

struct Edge {
  Index i, j;
  double weight;
};

/// @param sites that there are @param with_weights are there rows `i j weight`, or `i j`?
/// @throws InputError naming file and line for a missing or malformed file, one without rows, a
/// site that does not exist, a bond of a site with itself, one that is given twice; MachineError if
/// it cannot be read
std::vector<Edge> read_edge_list(const std::string& path, Index sites, bool with_weights);

}  // namespace larmor::io
