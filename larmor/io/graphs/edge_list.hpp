#pragma once
// Bonds in a text file: rows of two sites, counted from 0, and an optional number. Blank lines and
// lines that begin with # or ! are skipped.

#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::io {

struct Edge {
  Index i, j;
  double weight;
};

/// @param sites number of sites @param with_weights true: rows are `i j weight`; false: `i j`
/// @throws InputError with file and line for a missing or malformed file, or one without rows; a
/// site that does not exist; a bond of a site with itself; a bond that is given twice. MachineError
/// if it cannot be read
std::vector<Edge> read_edge_list(const std::string& path, Index sites, bool with_weights);

}  // namespace larmor::io
