#pragma once
// Errors of what is made of all replicas together: it is made again with each block of them left
// out (B. Efron, The Jackknife, the Bootstrap and Other Resampling Plans, SIAM (1982)).

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

/// As many blocks as are asked for, or more, so that each leaves enough replicas; 0: none can, or
/// fewer than two are asked for. @param least replicas that are to be left
Index jackknife_blocks(Index asked, Index replicas, Index least);

/// @param left the value with each block left out; none: the error is NaN
double jackknife_error(const std::vector<double>& left);

}  // namespace larmor
