#pragma once
// The ground state of a problem of few spins by going through all states, twice: once for the least
// energy, once to count the states that have it and to find the next one above.

#include <functional>
#include <optional>

#include "larmor/core/device/device.hpp"
#include "larmor/ground_states/certificate.hpp"

namespace larmor::ground_states {

inline constexpr Index most_enumerated_spins = 40;

/// @throws InputError for more than `most_enumerated_spins`
void require_enumerable(const QuadraticProblem& problem);

/// Results are the same bits for any number of threads, and on a GPU. The state is the least number
/// of the ground states, with spins as bits.
/// @param watch is told the part that is done, from 0 to 1; false ends the enumeration
/// @return nothing, if it was ended
/// @throws InputError as above
std::optional<Certificate> enumerate(const QuadraticProblem& problem, const Device& device,
                                     const std::function<bool(double)>& watch);

}  // namespace larmor::ground_states
