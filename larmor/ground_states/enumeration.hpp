#pragma once
// Ground state of a problem of few spins by two passes over all states: one finds the least energy,
// the other counts its states and finds the next energy above.

#include <functional>
#include <optional>

#include "larmor/core/device/device.hpp"
#include "larmor/ground_states/certificate.hpp"

namespace larmor::ground_states {

inline constexpr Index most_enumerated_spins = 40;

/// @throws InputError for more than `most_enumerated_spins`
void require_enumerable(const QuadraticProblem& problem);

/// Results have the same bits for any number of threads, and on a GPU. The state is the least of
/// the ground states as a number, with spins as bits.
/// @param watch receives the finished fraction, from 0 to 1; false ends the enumeration
/// @return nothing, if `watch` ended it
/// @throws InputError as `require_enumerable`
std::optional<Certificate> enumerate(const QuadraticProblem& problem, const Device& device,
                                     const std::function<bool(double)>& watch);

}  // namespace larmor::ground_states
