#pragma once
// Ground states of a sparse problem by eliminating one variable after the other (dynamic
// programming on a tree decomposition: U. Bertele and F. Brioschi, Nonserial Dynamic Programming
// (1972); R. Dechter, Artif. Intell. 113, 41 (1999)). A table has an entry for each setting of the
// variables that were coupled to the eliminated ones. An entry holds the least energy of the
// eliminated variables, the next energy above it, and the number of states with the least energy.
// If there are no fields, the table stores only one of two mirror images. One bit per entry stores
// the setting of the last eliminated variable. A ground state is read from these bits, from the
// last step back to the first.
//
// Energies are whole numbers of a unit, and all sums are exact. Real numbers are rounded to a unit
// that is at least 10^4 times finer than the tolerance. Each step may use an equal share of the
// tolerance. Therefore all counted states lie within the tolerance above the least energy. If the
// next energy lies within the tolerance, the number of states is not given.

#include <functional>
#include <optional>

#include "larmor/core/device/device.hpp"
#include "larmor/ground_states/certificate.hpp"
#include "larmor/ground_states/elimination_order.hpp"

namespace larmor::ground_states {

/// Bytes that an elimination needs if no number of states in its tables has more than 64 bits.
double bytes_of_elimination(const SpinForm& form, const EliminationOrder& order);

/// Results have equal bits for any number of threads.
/// @param watch receives the finished fraction, from 0 to 1; false ends the elimination
/// @return nothing, if `watch` ended it
/// @throws MachineError if numbers of states are too long for the memory
std::optional<Certificate> eliminate(const QuadraticProblem& problem, const EliminationOrder& order,
                                     int threads, const std::function<bool(double)>& watch);

}  // namespace larmor::ground_states
