#pragma once
// Keys that entries of `measure` share.

#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

/// Base of tables of measurements with an own `every`.
struct MeasurementKeys {
  static constexpr const char* name = "measure";
  std::string what;
  Index every = 10;
  TablePosition where;
};

/// @param name name in `measure`
template <class Table>
FieldTable<Table> measurement_fields(const std::string& name) {
  FieldTable<Table> table;
  return table.required("what", &Table::what, Dimension::none, "what is measured")
      .one_of({name})
      .selects_keys()
      .optional("every", &Table::every, Dimension::none, "steps between measurements")
      .at_least(1);
}

/// The table of a measurement that has only the shared keys. @param Measured gives the name
template <class Measured>
struct PlainMeasurementTable : MeasurementKeys {
  static FieldTable<PlainMeasurementTable> fields() {
    return measurement_fields<PlainMeasurementTable>(Measured::name);
  }
};

}  // namespace larmor::study
