#include "larmor/study/input/temperature.hpp"

#include <cmath>

namespace larmor::study {
namespace {

constexpr double most_temperatures = 1e6;

}  // namespace

FieldTable<TemperatureRange> TemperatureRange::fields() {
  return FieldTable<TemperatureRange>()
      .required("from", &TemperatureRange::from, Dimension::temperature, "first temperature")
      .positive()
      .required("to", &TemperatureRange::to, Dimension::temperature, "last temperature")
      .positive()
      .optional("factor", &TemperatureRange::factor, Dimension::none,
                "ratio of each temperature to the one before")
      .positive()
      .optional("step", &TemperatureRange::step, Dimension::temperature,
                "difference of each temperature from the one before")
      .positive()
      .optional("points", &TemperatureRange::points, Dimension::none,
                "number of temperatures, evenly spaced")
      .at_least(2)
      .at_most(1000000);
}

std::vector<double> TemperatureRange::temperatures() const {
  const int given = int(factor.has_value()) + int(step.has_value()) + int(points.has_value());
  if (given != 1)
    throw InputError("temperature needs exactly one of factor, step and points", where,
                     "for instance { from = 10.0, to = 0.01, factor = 0.995 }");
  if (from == to) return {from};
  std::vector<double> temperature;
  if (factor) {
    if (*factor == 1 || (*factor < 1) != (to < from))
      throw InputError("temperature: factor " + number_text(*factor) + " does not lead from " +
                           number_text(from) + " to " + number_text(to),
                       where, "use a factor under 1 to cool and over 1 to heat");
    const double count = std::log(to / from) / std::log(*factor);
    if (count > most_temperatures)
      throw InputError("temperature: more than a million points", where,
                       "use a factor that differs more from 1");
    const auto whole = static_cast<Index>(std::ceil(count - 1e-9));
    for (Index n = 0; n < whole; ++n)
      temperature.push_back(from * std::pow(*factor, static_cast<double>(n)));
  } else {
    const double distance = std::abs(to - from);
    const double count = step ? distance / *step : static_cast<double>(*points - 1);
    if (count > most_temperatures)
      throw InputError("temperature: more than a million points", where, "use a larger step");
    const auto whole = static_cast<Index>(std::ceil(count - 1e-9));
    const double signed_step = (to - from) / (step ? count : static_cast<double>(whole));
    for (Index n = 0; n < whole; ++n)
      temperature.push_back(from + signed_step * static_cast<double>(n));
  }
  temperature.push_back(to);
  return temperature;
}

std::vector<double> read_temperatures(const Value& value, const ReadContext& context,
                                      const std::string& remedy) {
  if (value.is_table())
    return read_value<TemperatureRange>(value, "temperature", Dimension::none, context)
        .temperatures();
  const auto list =
      read_value<std::vector<double>>(value, "temperature", Dimension::temperature, context);
  if (list.empty())
    throw InputError("temperature is an empty list", value.where(),
                     "give at least one temperature");
  for (const double t : list)
    if (t <= 0)
      throw InputError("temperature must be positive, not " + number_text(t), value.where(),
                       remedy);
  return list;
}

}  // namespace larmor::study
