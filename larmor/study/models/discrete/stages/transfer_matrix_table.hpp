#pragma once
// The table of a stage with the transfer matrix of a strip of Ising spins.

#include "larmor/core/input/fields.hpp"
#include "larmor/study/input/temperature.hpp"

namespace larmor::study {

struct TransferMatrixTable {
  static constexpr const char* name = "transfer-matrix";
  static constexpr const char* doc =
      "exact free energy, correlation lengths and averages of a strip of Ising spins, by the "
      "transfer matrix along the last axis of a grid. If all rows are equal, the strip is "
      "infinitely long. Otherwise it has the length of the lattice, and free ends";
  std::string kind = name;
  Value temperature;
  Index levels = 3;
  bool domain_wall = false;
  double tolerance = 1e-10;
  Index basis = 0;  ///< 0: levels + 9
  Index lyapunov = 0;
  TablePosition where;

  static FieldTable<TransferMatrixTable> fields();
};

}  // namespace larmor::study
