#pragma once
// Keys that entries of `measure` have in common.

#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

/// Tables of measurements with a rhythm of their own derive from it.
struct MeasurementKeys {
  static constexpr const char* name = "measure";
  std::string what;
  Index every = 10;
  TablePosition where;
};

/// @param what as `measure` names it
template <class Table>
FieldTable<Table> measurement_fields(const std::string& what) {
  FieldTable<Table> table;
  return table.required("what", &Table::what, Dimension::none, "what is measured")
      .one_of({what})
      .tells_kind()
      .optional("every", &Table::every, Dimension::none, "steps between measurements")
      .at_least(1);
}

/// The table of a measurement that has no other keys. @param Measured names itself
template <class Measured>
struct PlainMeasurementTable : MeasurementKeys {
  static FieldTable<PlainMeasurementTable> fields() {
    return measurement_fields<PlainMeasurementTable>(Measured::name);
  }
};

}  // namespace larmor::study
