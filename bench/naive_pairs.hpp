#pragma once
// Sums over all pairs of sites pair by pair, in long double: slow and obvious, what faster methods
// are compared with.

#include <memory>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::bench {

/// Of matrices on the CPU, on one thread and of one rank, which has all rows.
/// @param reduction is not checked
std::unique_ptr<correlations::real_space::PairSums> make_naive_sums(
    const correlations::real_space::PairSettings& settings,
    const correlations::real_space::PairReduction& reduction);

}  // namespace larmor::bench
