#pragma once
// Errors of quantities of all replicas together, by the jackknife: the quantity is computed again
// with each block of replicas left out (B. Efron, The Jackknife, the Bootstrap and Other Resampling
// Plans, SIAM (1982)).

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

/// The requested number of blocks, or more, so that enough replicas are left without a block; 0 if
/// this is impossible, or for fewer than two requested blocks. @param least fewest replicas to be
/// left
Index jackknife_blocks(Index asked, Index replicas, Index least);

/// @param left the value with each block left out @return the error; NaN if `left` is empty
double jackknife_error(const std::vector<double>& left);

}  // namespace larmor
