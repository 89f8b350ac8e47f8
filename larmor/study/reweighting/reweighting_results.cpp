#include "larmor/study/reweighting/reweighting_results.hpp"

#include <cstdio>
#include <limits>

#include "larmor/io/results/results_file.hpp"
#include "larmor/study/run/provenance.hpp"

namespace larmor::study {
namespace {

constexpr const char* root = "/reweighted";
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

io::Attributes unit_attribute(const std::string& unit) {
  return unit.empty() ? io::Attributes{} : io::Attributes{{"unit", unit}};
}

/// Writes averages of the runs themselves, for comparison with curves. FORMAT: NaN if a run has no
/// such average.
void write_raw(io::ResultsFile& file, const std::string& group, const std::string& order,
               const SampledSystem& system, const SystemCurves& curves) {
  // Runs derive averages only of their usual order parameter.
  const bool is_usual_order = order == SampleChoice().order;
  for (const Curve& curve : curves.curves) {
    if (!is_usual_order && (curve.name == "susceptibility" || curve.name == "binder_cumulant"))
      continue;
    const std::size_t states = system.states.size();
    std::vector<double> value(states, unknown), error(states, unknown);
    bool has_any = false;
    for (std::size_t n = 0; n < states; ++n)
      for (const RawAverage& average : system.states[n].averages)
        if (average.name == curve.name) {
          value[n] = average.value, error[n] = average.error;
          has_any = true;
        }
    if (!has_any) continue;
    const std::string path = group + "/states/averages/" + curve.name;
    file.write(path + "/value", std::move(value), unit_attribute(curve.unit));
    file.write(path + "/error", std::move(error), unit_attribute(curve.unit));
  }
}

void write_system(io::ResultsFile& file, const std::string& group, const Samples& samples,
                  const SampledSystem& system, const SystemCurves& curves, Index draws) {
  file.set_attribute(group, "name", system.name);
  file.set_attribute(group, "sites", system.sites);
  std::vector<std::string> model;
  for (const auto& [key, value] : system.model) model.push_back(key + " = " + value);
  file.write(group + "/model", std::move(model));
  if (!system.size.empty()) {
    file.set_attribute(group, "dimensions", system.dimensions);
    file.write(group + "/size", system.size);
  }
  const std::string& parameter = samples.parameter.name;
  const io::Attributes in_its_unit = unit_attribute(samples.parameter.unit);
  file.write(group + "/" + parameter, curves.parameter, in_its_unit);
  file.write(group + "/effective_samples", curves.effective_samples);
  file.write(group + "/reliable", curves.reliable);
  const Index points = std::ssize(curves.parameter);
  for (const Curve& curve : curves.curves) {
    const std::string path = group + "/curves/" + curve.name;
    file.write(path + "/value", curve.value, unit_attribute(curve.unit));
    file.write(path + "/error", curve.error, unit_attribute(curve.unit));
    file.write(path + "/draws", io::DataArray(curve.draws, {draws, points}),
               unit_attribute(curve.unit));
  }
  const auto of_states = [&](const std::string& name, auto member,
                             const io::Attributes& attributes) {
    std::vector<double> values;
    for (const StateSummary& state : curves.states)
      values.push_back(static_cast<double>(state.*member));
    file.write(group + "/states/" + name, std::move(values), attributes);
  };
  of_states(parameter, &StateSummary::parameter, in_its_unit);
  of_states("samples", &StateSummary::samples, {});
  of_states("autocorrelation_time", &StateSummary::autocorrelation_time, {});
  of_states("blocks", &StateSummary::blocks, {});
  of_states("free_energy", &StateSummary::free_energy, {});
  of_states("overlap", &StateSummary::overlap, {});
  of_states("reliable", &StateSummary::reliable, {});
  write_raw(file, group, samples.series.front().name, system, curves);
}

}  // namespace

std::string reweighted_group(std::size_t system) {
  char path[64];
  std::snprintf(path, sizeof(path), "%s/systems/%02zu", root, system + 1);
  return path;
}

void write_reweighted(const std::string& path, io::IfExists if_exists,
                      const Reweighting& reweighting, const Samples& samples,
                      const std::vector<SystemCurves>& curves) {
  io::ResultsFile file = io::ResultsFile::create(path, if_exists);
  file.set_attribute("/", "format", io::results_format);
  file.set_attribute("/", "format_version", io::results_format_version);
  file.set_attribute("/", "title", samples.title);
  file.set_attribute("/", "units", samples.units);
  file.set_attribute("/", "completed", Index{1});
  begin_provenance(file, reweighting.options.seed, {});
  const std::string leg = begin_leg(file, reweighting.command, {});
  file.set_attribute(root, "order", samples.series.front().name);
  file.set_attribute(root, "draws", reweighting.options.draws);
  file.set_attribute(root, "energy_unit", samples.energy_unit);
  if (samples.parameter.is_temperature()) {
    file.set_attribute(root, "k_B", samples.parameter.k_B);
  } else {
    file.set_attribute(root, "parameter", samples.parameter.name);
    file.set_attribute(root, "conjugate", samples.parameter.energy);
  }
  file.write(std::string(root) + "/files", reweighting.choice.files);
  for (std::size_t n = 0; n < curves.size(); ++n)
    write_system(file, reweighted_group(n), samples, samples.systems[n], curves[n],
                 reweighting.options.draws);
  finish_provenance(file, leg);
  file.commit();
}

}  // namespace larmor::study
