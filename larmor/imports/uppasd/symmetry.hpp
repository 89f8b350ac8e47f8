#pragma once
// The operations of `Sym`, which complete the vectors of the exchange file.
//
//   0 none, 1 cubic (m-3m), 2 square (4mm), 3 hexagonal (6/mmm)
//   4 the operations of the file sym.mat: their number, then three rows for each
//   5 as 4, one such list for each type of site

#include <vector>

#include "larmor/imports/uppasd/crystal.hpp"

namespace larmor::imports::uppasd {

/// One list of operations for all sites, or one for each type. @throws InputError for another Sym,
/// or a missing or malformed file of operations
std::vector<std::vector<Mat3<double>>> symmetry_operations(const InputFile& input,
                                                           const UppasdCrystal& crystal);

}  // namespace larmor::imports::uppasd
