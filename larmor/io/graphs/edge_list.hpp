#pragma once
// Bonds in a text file: rows of two sites, counted from 0, and an optional number. Blank lines and
// lines that begin with # or ! are skipped.

#include <optional>
#include <string>
#include <vector>

#include "larmor/lattice/coupled_pair.hpp"

namespace larmor::io {

/// @param sites number of sites @param J the coupling of all bonds, if rows are `i j`; nothing if
/// rows are `i j J`
/// @throws InputError with file and line for a missing or malformed file, or one without rows; a
/// site that does not exist; a bond of a site with itself; a bond that is given twice. MachineError
/// if it cannot be read
std::vector<lattice::CoupledPair> read_edge_list(const std::string& path, Index sites,
                                                 std::optional<double> J);

}  // namespace larmor::io
