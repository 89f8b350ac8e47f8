#include <fmt/core.h>

#include <cmath>

#include "bench/json.hpp"
#include "bench/tempering.hpp"
#include "larmor/core/text.hpp"

namespace larmor::bench {
namespace {

using tempering::Uncertain;

/// JSON of a number; null: unknown.
std::string json_number(double number) { return std::isfinite(number) ? json_of(number) : "null"; }

std::string json_of(const Uncertain& number) {
  return fmt::format("[{}, {}]", json_number(number.value), json_number(number.error));
}

std::string json_of(const std::vector<Uncertain>& numbers) {
  return json_list(numbers, [](const Uncertain& number) { return json_of(number); });
}

std::string json_of(const std::vector<double>& numbers) { return json_list(numbers, json_number); }

std::string json_of(const ExchangeCost& cost) {
  return fmt::format("{{\"name\": {}, \"seconds\": {}, \"with\": {}}}", json_string(cost.name),
                     json_number(cost.seconds), json_object(cost.with, json_number));
}

std::string json_of(const SpacingMeasured& spacing) {
  const tempering::RoundTripReport& report = spacing.report;
  return fmt::format(
      "{{\"name\": {}, \"rungs\": {}, \"acceptance\": {}, \"flow\": {}, \"diffusivity\": {}, "
      "\"rate\": {}, \"rate_of_exchanges\": {}, \"time\": {}, \"gain\": {}}}",
      json_string(spacing.name), json_of(report.values), json_of(report.acceptance),
      json_of(report.flow), json_of(report.diffusivity), json_of(report.rate),
      json_number(report.rate_of_exchanges), json_of(report.time), json_of(spacing.gain));
}

std::string json_of(const GlassMeasured& glass) {
  return fmt::format("{{\"name\": {}, \"spacings\": {}}}", json_string(glass.name),
                     json_list(glass.spacings, [](const auto& item) { return json_of(item); }));
}

}  // namespace

void write_tempering(const TemperingMeasured& measured, const std::string& path) {
  const auto text = [](const auto& item) { return json_of(item); };
  write_json(fmt::format("{{\"format\": \"larmor-bench-tempering\", \"device\": {}, "
                         "\"costs\": {}, \"glasses\": {}}}\n",
                         json_string(measured.device), json_list(measured.costs, text),
                         json_list(measured.glasses, text)),
             path);
}

}  // namespace larmor::bench
