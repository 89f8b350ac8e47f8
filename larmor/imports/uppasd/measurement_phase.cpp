#include "larmor/imports/uppasd/measurement_phase.hpp"

#include <algorithm>

#include "larmor/io/files/toml.hpp"

namespace larmor::imports::uppasd {
namespace {

/// Monte Carlo at this temperature (stages.cpp) stands for temperature 0.
constexpr double no_temperature = 1e-12;

/// A quantity of the completed study, in inner units.
double quantity(const Value& value, Dimension dimension, const ReadContext& context,
                const std::string& key) {
  return value.is_string() ? parse_quantity(value.as_string(), dimension, context, key)
                           : value.as_number();
}

ReadContext context_of(const Value& study) {
  const Value* const units = study.find("units");
  if (units == nullptr || units->as_string() == "reduced") return ReadContext::reduced();
  const Value* const constants = study.find("constants");
  const bool old = constants != nullptr && constants->as_integer() == 2014;
  return ReadContext::material(old ? codata_2014 : codata_2018);
}

}  // namespace

MeasurementPhase::MeasurementPhase(const io::ResultsReader& results)
    : results_(results),
      study_(io::parse_toml(results.read("/study/completed").text(), "the study of the results")),
      context_(context_of(study_)) {
  const std::vector<std::string> groups = results.list("/stages");
  const Value* const tables = study_.find("stage");
  if (groups.empty() || tables == nullptr || tables->as_array().size() != groups.size())
    throw MachineError("the stages of the results do not fit their study: run the study anew");
  const auto kind_of = [&](std::size_t n) {
    return tables->as_array()[n].find("kind")->as_string();
  };
  const std::size_t last = groups.size() - 1;
  is_monte_carlo_ = kind_of(last) == "monte-carlo";
  if (!is_monte_carlo_ && kind_of(last) != "dynamics")
    throw InputError("the study ends with a stage of kind \"" + kind_of(last) +
                         "\", for which UppASD has other files",
                     "leave out --uppasd-output");
  std::size_t first = last;
  const auto has_spectra = [&](std::size_t n) {
    return results.exists("/stages/" + groups[n] + "/structure-factor");
  };
  // No stage before the measurement phase measures a structure factor.
  if (!is_monte_carlo_ && last > 0 && kind_of(last - 1) == "dynamics" && has_spectra(last - 1))
    first = last - 1;
  Index steps = 0;
  for (std::size_t n = first; n <= last; ++n) {
    const Index own =
        tables->as_array()[n].find(is_monte_carlo_ ? "sweeps" : "steps")->as_integer();
    parts_.push_back({"/stages/" + groups[n], steps, own});
    steps += own;
  }
  if (const Value* const replicas = study_.find("replicas")) replicas_ = replicas->as_integer();
  const Value& table = tables->as_array()[last];
  if (const Value* const given = table.find("temperature")) {
    if (given->is_array() || given->is_table())
      throw InputError("the last stage has several temperatures, and UppASD has one",
                       "leave out --uppasd-output");
    temperature_ = quantity(*given, Dimension::temperature, context_, "temperature");
    if (is_monte_carlo_ && temperature_ <= no_temperature) temperature_ = 0;
  }
  if (!is_monte_carlo_) {
    timestep_ = quantity(*table.find("timestep"), Dimension::time, context_, "timestep");
    if (!is_reduced()) timestep_ *= 1e-12;
  }
}

double MeasurementPhase::to_mRy() const {
  return is_reduced() ? 1 : 1 / (1e-3 * context_.constants.Ry);
}

PhaseSeries MeasurementPhase::series(const std::string& name) const {
  PhaseSeries all;
  for (const Part& part : parts_) {
    const std::string path = part.group + "/series/" + name;
    if (!results_.exists(path)) return {};
    const auto step = results_.read<double>(path + "/step");
    const auto shape = results_.shape(path + "/value").require_at_least(2);
    const auto value = results_.read<double>(path + "/value");
    all.replicas = shape[1];
    all.numbers = shape.size() > 2 ? shape[2] : 1;
    const auto width = static_cast<std::size_t>(all.replicas * all.numbers);
    value.require(step.size() * width);
    for (std::size_t row = 0; row < step.size(); ++row) {
      const Index at = part.offset + static_cast<Index>(step[row]);
      // The first sample of a stage is the last one of the stage before.
      if (!all.empty() && at <= all.step.back()) continue;
      all.step.push_back(at);
      const auto begin = value.begin() + static_cast<std::ptrdiff_t>(row * width);
      all.value.insert(all.value.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
    }
  }
  return all;
}

std::vector<std::string> MeasurementPhase::series_names() const {
  return results_.list(parts_.back().group + "/series");
}

std::vector<PhaseFrame> MeasurementPhase::frames() const {
  std::vector<PhaseFrame> frames;
  for (const Part& part : parts_) {
    const std::string path = part.group + "/trajectory";
    if (!results_.exists(path)) continue;
    const auto step = results_.read<double>(path + "/step");
    for (std::size_t row = 0; row < step.size(); ++row) {
      const Index at = part.offset + static_cast<Index>(step[row]);
      if (frames.empty() || at > frames.back().step)
        frames.push_back({path + "/value", static_cast<Index>(row), at});
    }
  }
  return frames;
}

std::string MeasurementPhase::structure_factor(const std::string& name) const {
  const std::string path = parts_.front().group + "/" + name;
  return results_.exists(path) ? path : "";
}

}  // namespace larmor::imports::uppasd
