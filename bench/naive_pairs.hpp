#pragma once
// Sums over all pairs of sites, pair by pair in long double: a slow and simple reference for faster
// methods.

#include <memory>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::bench {

/// The matrices must be on the CPU; one thread of one rank sums all rows.
/// @param reduction is not checked
std::unique_ptr<correlations::real_space::PairSums> make_naive_sums(
    const correlations::real_space::PairSettings& settings,
    const correlations::real_space::PairReduction& reduction);

}  // namespace larmor::bench
