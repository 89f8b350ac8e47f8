#pragma once
// The table of a minimisation.

#include "larmor/study/models/spins/tables/landscape_tables.hpp"

namespace larmor::study {

struct MinimiseTable : MinimiserKeys {
  static constexpr const char* name = "minimise";
  static constexpr const char* doc = "minimise the energy of the spins";
  MinimiseTable() {}
  std::string kind = name;
  double perturbation = 0;
  std::vector<std::string> measure{"energy", "magnetisation"};
  Index measure_every = 10;
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<MinimiseTable> fields();
};

}  // namespace larmor::study
