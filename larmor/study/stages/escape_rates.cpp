#include "larmor/study/stages/escape_rates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace larmor::study {
namespace {

const std::string group = "lifetime";

/// A note reports a barrier of fewer k_B T. At six k_B T, the rate of a magnetic grain has an error
/// of a fifth.
constexpr double fewest_thermal_energies = 5;

std::string rate_unit(UnitSystem units) {
  const std::string time = inner_unit(Dimension::time, units);
  return time.empty() ? "" : "1/" + time;
}

void write_escape(const paths::Escape& escape, const std::string& name, double kappa,
                  const std::vector<double>& temperature, const ReadContext& context,
                  ResultsGroup& results) {
  const std::string time = inner_unit(Dimension::time, context.units);
  const std::string per_time = rate_unit(context.units);
  const auto points = static_cast<Index>(temperature.size());
  std::vector<double> prefactor, log_rate, rate, lifetime, reliable;
  for (const double T : temperature) {
    const double k_B_T = context.constants.k_B * T;
    prefactor.push_back(escape.prefactor(kappa, k_B_T));
    log_rate.push_back(escape.log_rate(kappa, k_B_T));
    rate.push_back(escape.rate(kappa, k_B_T));
    lifetime.push_back(std::exp(-log_rate.back()));
    reliable.push_back(escape.barrier >= fewest_thermal_energies * k_B_T ? 1 : 0);
  }
  const std::string path = group + "/" + name;
  results.write(path + "/prefactor", prefactor, {points}, per_time);
  results.write(path + "/log_rate", log_rate, {points}, "");
  results.write(path + "/rate", rate, {points}, per_time);
  results.write(path + "/lifetime", lifetime, {points}, time);
  results.write(path + "/reliable", reliable, {points}, "");
  for (const char* curve : {"/prefactor", "/log_rate", "/rate", "/lifetime", "/reliable"})
    results.attach_scale(path + curve, 0, group + "/temperature");
  results.set_attribute(path, "barrier", escape.barrier);
  results.set_attribute(path, "temperature_exponent", escape.half_extra_modes);
}

}  // namespace

std::string write_escapes(const EscapesOfPath& escapes, const std::vector<double>& temperature,
                          const ReadContext& context, ResultsGroup& results) {
  results.write(group + "/temperature", temperature, {static_cast<Index>(temperature.size())},
                inner_unit(Dimension::temperature, context.units));
  const double kappa = escapes.dynamical_factor;
  write_escape(escapes.forward, "forward", kappa, temperature, context, results);
  write_escape(escapes.backward, "backward", kappa, temperature, context, results);
  results.set_attribute(group, "dynamical_factor", kappa);
  results.set_attribute(group, "rate_unit", rate_unit(context.units));
  results.set_attribute(group, "time_unit", inner_unit(Dimension::time, context.units));
  const double smallest_barrier = std::min(escapes.forward.barrier, escapes.backward.barrier);
  const double hottest =
      context.constants.k_B * *std::max_element(temperature.begin(), temperature.end());
  if (smallest_barrier >= fewest_thermal_energies * hottest) return {};
  return fmt::format(
      "lifetime: the smaller barrier is {:.2g} k_B T at the highest temperature; rates hold if "
      "barriers are much larger than k_B T",
      smallest_barrier / hottest);
}

std::vector<StageNumber> lifetimes_of_ends(const io::ResultsReader& results,
                                           const std::string& path) {
  const std::string stored = path + "/" + group;
  if (!results.exists(stored + "/temperature")) return {};
  const auto temperature = results.read<double>(stored + "/temperature");
  const std::string unit = results.attributes(stored).at("time_unit").text();
  std::vector<StageNumber> lifetimes;
  for (const std::string direction : {"forward", "backward"}) {
    const auto found = results.read<double>(stored + "/" + direction + "/lifetime");
    for (std::size_t n = 0; n < temperature.size(); ++n) {
      const std::string suffix =
          temperature.size() == 1 ? "" : "_at_" + number_text(temperature[n]);
      lifetimes.push_back({"lifetime_" + direction + suffix, unit, found[n],
                           std::numeric_limits<double>::quiet_NaN()});
    }
  }
  return lifetimes;
}

}  // namespace larmor::study
