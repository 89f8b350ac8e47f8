#pragma once
// Systems of the benchmarks.

#include <string>

#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::bench {

/// Simple-cubic Heisenberg ferromagnet.
study::SystemTables cubic_tables(Index length, Index replicas);
/// bcc iron: four shells, 50 neighbours (couplings of examples/bcc-iron).
study::SystemTables iron_tables(Index length, Index replicas);
/// Kagome ferromagnet with Dzyaloshinskii-Moriya interaction: three atoms, bonds of four numbers.
study::SystemTables kagome_tables(Index length, Index replicas);

/// "64^3 x 8": cells along each of `dimensions` axes, and replicas.
std::string size_text(Index length, int dimensions, Index replicas);

}  // namespace larmor::bench
