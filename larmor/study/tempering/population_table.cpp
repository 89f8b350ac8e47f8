#include "larmor/study/tempering/population_table.hpp"

namespace larmor::study {
namespace {

Cooling listed(const Value& value, const ReadContext& context) {
  Cooling cooling;
  cooling.temperatures =
      read_value<std::vector<double>>(value, "temperature", Dimension::temperature, context);
  return cooling;
}

Cooling ranged(const Value& value, const ReadContext& context) {
  const auto range = read_value<CoolingRange>(value, "temperature", Dimension::none, context);
  Cooling cooling;
  if (!range.overlap) {
    if (!range.from)
      throw InputError("temperature needs from, or the overlap of its steps", range.where,
                       "for instance { to = 0.2, overlap = 0.85 }");
    TemperatureRange given;
    given.from = *range.from;
    given.to = range.to;
    given.factor = range.factor;
    given.step = range.step;
    given.points = range.points;
    given.where = range.where;
    cooling.temperatures = given.temperatures();
    return cooling;
  }
  if (range.factor || range.step || range.points)
    throw InputError(
        "temperature needs only one of factor, step, points and overlap", range.where,
        "give one of these keys; with overlap the energies decide how long each step is");
  if (range.from && !(*range.from > range.to))
    throw InputError("a population is cooled, and temperature leads from " +
                         number_text(*range.from) + " to " + number_text(range.to),
                     range.where, "give a from above to, or leave from out");
  cooling.overlap = range.overlap;
  cooling.last = range.to;
  if (range.from) cooling.temperatures = {*range.from};
  return cooling;
}

}  // namespace

FieldTable<CoolingRange> CoolingRange::fields() {
  return FieldTable<CoolingRange>()
      .optional("from", &CoolingRange::from, Dimension::temperature, "first temperature")
      .positive()
      .required("to", &CoolingRange::to, Dimension::temperature, "last temperature")
      .positive()
      .optional("factor", &CoolingRange::factor, Dimension::none,
                "ratio of each temperature to the one before")
      .positive()
      .optional("step", &CoolingRange::step, Dimension::temperature,
                "number by which each temperature is lower than the one before")
      .positive()
      .optional("points", &CoolingRange::points, Dimension::none,
                "number of temperatures, evenly spaced")
      .at_least(2)
      .at_most(1000000)
      .optional("overlap", &CoolingRange::overlap, Dimension::none,
                "overlap of the distributions of the energy before and after a step. It decides "
                "the length of each step: a share 1 - overlap of the replicas dies out")
      .at_least(0.5)
      .at_most(0.99);
}

Cooling Cooling::of(const Value& temperature, const ReadContext& context) {
  Cooling cooling =
      temperature.is_table() ? ranged(temperature, context) : listed(temperature, context);
  if (cooling.overlap) return cooling;
  if (cooling.temperatures.empty())
    throw InputError("temperature is an empty list", temperature.where(),
                     "give at least one temperature");
  for (std::size_t n = 0; n < cooling.temperatures.size(); ++n) {
    const double t = cooling.temperatures[n];
    if (!(t > 0))
      throw InputError("temperature must be positive, not " + number_text(t), temperature.where(),
                       "for ground states, cool to a small temperature");
    if (n > 0 && !(t < cooling.temperatures[n - 1]))
      throw InputError("a population is cooled, and temperature goes from " +
                           number_text(cooling.temperatures[n - 1]) + " to " + number_text(t),
                       temperature.where(), "list temperatures that fall");
  }
  cooling.last = cooling.temperatures.back();
  return cooling;
}

}  // namespace larmor::study
