#pragma once
// Ground states of a sparse problem by the elimination of one variable after the other (dynamic
// programming on a tree decomposition: U. Bertele and F. Brioschi, Nonserial Dynamic Programming
// (1972); R. Dechter, Artif. Intell. 113, 41 (1999)). A table has an entry for each setting of the
// variables that the eliminated ones were joined to: the least energy of the eliminated ones, the
// next one above it, and the number of states of the least. Where no fields act, one of two mirror
// images is enough. A bit for each entry says how the last of the eliminated ones lies, so that a
// ground state is read backwards.
//
// Energies are whole numbers of a unit, and all sums exact. Real numbers are rounded to a unit that
// is 10^4 times finer than the tolerance or more. Each step takes an equal part of the tolerance,
// so that no state is counted that is further above than the whole of it. Where the next energy
// lies within it, numbers of states are not given.

#include <functional>
#include <optional>

#include "larmor/core/device/device.hpp"
#include "larmor/ground_states/certificate.hpp"
#include "larmor/ground_states/elimination_order.hpp"

namespace larmor::ground_states {

/// How much memory an elimination needs, in bytes, if no number of states in its tables has more
/// than 64 bits.
double bytes_of_elimination(const SpinForm& form, const EliminationOrder& order);

/// Results are the same bits for any number of threads.
/// @param watch is told the part that is done, from 0 to 1; false ends the elimination
/// @return nothing, if it was ended
/// @throws MachineError where numbers of states are too long for the memory
std::optional<Certificate> eliminate(const QuadraticProblem& problem, const EliminationOrder& order,
                                     int threads, const std::function<bool(double)>& watch);

}  // namespace larmor::ground_states
