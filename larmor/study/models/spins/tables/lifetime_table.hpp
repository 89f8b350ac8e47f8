#pragma once
// The keys of lifetimes by harmonic transition-state theory.

#include "larmor/study/input/temperature.hpp"

namespace larmor::study {

/// `lifetime = { temperature = [10, 20], damping = 0.1 }` of a minimum-energy path.
struct LifetimeTable {
  static constexpr const char* name = "lifetime";
  Value temperature;
  std::optional<double> damping;
  std::string zero_modes = "auto";
  double zero_threshold = 1e-4;
  Index equivalent_saddles = 1;
  TablePosition where;

  static FieldTable<LifetimeTable> fields();
};

}  // namespace larmor::study
