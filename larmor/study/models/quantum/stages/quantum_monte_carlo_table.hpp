#pragma once
// The table of a quantum Monte Carlo stage.

#include "larmor/study/input/temperature.hpp"

namespace larmor::study {

struct QuantumMonteCarloTable {
  static constexpr const char* name = "quantum-monte-carlo";
  static constexpr const char* doc =
      "thermal averages of Ising models in a transverse field by quantum Monte Carlo, for systems "
      "of any size";
  std::string kind = name;
  Value temperature;
  std::vector<double> Gamma;
  std::vector<Index> slices;
  bool continuous = false;
  std::optional<std::string> updates;
  Index thermalisation = 1000;
  Index sweeps = 10000;
  std::optional<Index> measure_every;
  bool tempering = false;
  Index exchange_every = 10;
  bool correlations = false;
  Index imaginary_times = 0;
  std::optional<double> gap_from;
  std::optional<std::string> gap_correlation;
  bool overlap = false;
  Index extrapolation_power = 2;
  TablePosition where;

  static FieldTable<QuantumMonteCarloTable> fields();
};

/// @param table with its defaults @param rungs number of temperatures or fields
/// @throws InputError for keys that contradict each other
void check_quantum_monte_carlo(const QuantumMonteCarloTable& table, Index rungs);

}  // namespace larmor::study
