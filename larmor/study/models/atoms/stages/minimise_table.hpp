#pragma once
// The table of a minimisation of atoms.

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/core/input/fields.hpp"

namespace larmor::study {

struct AtomMinimiseTable {
  static constexpr const char* name = "minimise";
  static constexpr const char* doc =
      "minimise the energy of the atoms, or the enthalpy of atoms and box";
  std::string kind = name;
  std::string method = "lbfgs";
  double tolerance = 1e-3;
  double energy_tolerance = 0;
  Index steps = 10000;
  double max_step = 0.1;
  std::string relax_box = "none";
  std::optional<double> pressure, pressure_tolerance;
  Index measure_every = 10;
  Index keep_configurations = 1;
  TablePosition where;

  static FieldTable<AtomMinimiseTable> fields();

  /// How the box may change; nothing: the box is fixed.
  std::optional<atoms::CellShape> cell_shape() const;
  /// @throws InputError for keys that contradict one another
  void check_keys() const;
};

}  // namespace larmor::study
