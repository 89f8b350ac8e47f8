#include "larmor/study/tempering/configuration_series.hpp"

namespace larmor::study {

void require_configuration_series(const Measurements& measurements, const std::string& stage,
                                  const std::string& how, const SourcePosition& where) {
  for (const auto& measurement : measurements.all()) {
    const auto* const series = dynamic_cast<const SeriesMeasurement*>(measurement.get());
    if (series != nullptr && series->of_configurations() && !measurement->every()) continue;
    throw InputError(stage + " cannot measure " + measurement->what() +
                         (measurement->every() ? " at times of its own" : " " + how),
                     where,
                     measurement->every() ? "leave `every` of its entry out"
                                          : "measure it in a monte-carlo stage that follows");
  }
}

std::vector<SeriesMeasurement*> series_of(const Measurements& measurements) {
  std::vector<SeriesMeasurement*> all;
  for (const auto& measurement : measurements.all())
    all.push_back(dynamic_cast<SeriesMeasurement*>(measurement.get()));
  return all;
}

}  // namespace larmor::study
