#pragma once
// Systems of the benchmarks.

#include <string>

#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::bench {

/// Simple-cubic Heisenberg ferromagnet.
study::SystemTables cubic_tables(Index length, Index replicas);
/// bcc iron with the couplings of examples/bcc-iron: four shells, 50 neighbours.
study::SystemTables iron_tables(Index length, Index replicas);
/// Kagome ferromagnet with Dzyaloshinskii-Moriya interaction. A cell has three atoms, and a bond
/// has four numbers.
study::SystemTables kagome_tables(Index length, Index replicas);

/// Text such as "64^3 x 8": cells along each of `dimensions` axes, and the number of replicas.
std::string size_text(Index length, int dimensions, Index replicas);

}  // namespace larmor::bench
