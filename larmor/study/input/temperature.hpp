#pragma once
// Ranges of temperatures, and the largest number of steps of a stage.

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

/// The counter of the random numbers has 40 bits for the step.
constexpr double most_steps = 1e12;

/// `temperature = { from = 10, to = 0.01, factor = 0.995 }`
struct TemperatureRange {
  static constexpr const char* name = "temperature";
  double from = 0;
  double to = 0;
  std::optional<double> factor;
  std::optional<double> step;
  std::optional<Index> points;
  TablePosition where;

  static FieldTable<TemperatureRange> fields();
  /// All temperatures, including `from` and `to`.
  /// @throws InputError unless exactly one of factor, step and points leads from `from` to `to`
  std::vector<double> temperatures() const;
};

/// A temperature, a list of temperatures, or a range.
/// @param remedy advice of the message about a temperature that is not positive
/// @throws InputError unless there is at least one temperature and all temperatures are positive
std::vector<double> read_temperatures(const Value& value, const ReadContext& context,
                                      const std::string& remedy);

}  // namespace larmor::study
