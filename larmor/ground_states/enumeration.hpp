#pragma once
// Finds the ground state of a problem of few spins by two passes over all states. The first pass
// finds the least energy. The second pass counts the states with this energy and finds the next
// energy.

#include <functional>
#include <optional>

#include "larmor/core/device/device.hpp"
#include "larmor/ground_states/certificate.hpp"

namespace larmor::ground_states {

inline constexpr Index most_enumerated_spins = 40;

/// @throws InputError for more than `most_enumerated_spins` variables
void require_enumerable(const QuadraticProblem& problem);

/// Results have equal bits for any number of threads, and on a GPU. If several ground states exist,
/// the state is the one that is least as a number with spins as bits. If there are no fields, only
/// states with the last spin up are compared.
/// @param watch receives the finished fraction, from 0 to 1; false ends the enumeration
/// @return nothing if `watch` ended the enumeration
/// @throws InputError as `require_enumerable`
std::optional<Certificate> enumerate(const QuadraticProblem& problem, const Device& device,
                                     const std::function<bool(double)>& watch);

}  // namespace larmor::ground_states
