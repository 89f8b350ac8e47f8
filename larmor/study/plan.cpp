#include "larmor/study/plan.hpp"

#include <fmt/core.h>

#include <numeric>

#include "larmor/core/memory.hpp"
#include "larmor/core/progress.hpp"
#include "larmor/spins/stencil_use.hpp"
#include "larmor/study/alloy.hpp"
#include "larmor/study/initial.hpp"
#include "larmor/study/memory_forecast.hpp"
#include "larmor/study/scan_check.hpp"
#include "larmor/study/stages/stages.hpp"

namespace larmor::study {
namespace {

std::string lattice_words(const lattice::Geometry& geometry) {
  if (!geometry.is_lattice()) return fmt::format("{} plain positions", geometry.sites());
  std::string size, boundary;
  for (std::size_t d = 0; d < static_cast<std::size_t>(geometry.crystal.dimensions); ++d) {
    size += fmt::format("{}{}", d ? " x " : "", geometry.size[d]);
    boundary += fmt::format("{}{}", d ? ", " : "", geometry.periodic[d] ? "periodic" : "open");
  }
  return fmt::format("{}, {} cells ({}), {} sites", geometry.crystal.name, size, boundary,
                     geometry.sites());
}

std::string with_unit(double value, const char* unit) {
  return fmt::format("{:.6g}{}{}", value, *unit ? " " : "", unit);
}

/// "stage.1.temperature (with stage.2.temperature): 5 values from 0.5 to 2.5"
std::string axis_words(const ScanAxis& axis) {
  std::string keys = axis.keys.front().key;
  for (std::size_t n = 1; n < axis.keys.size(); ++n)
    keys += (n == 1 ? " (with " : ", ") + axis.keys[n].key;
  if (axis.keys.size() > 1) keys += ")";
  const std::vector<Value>& values = axis.keys.front().values;
  return fmt::format("{}: {} value(s), {} to {}", keys, values.size(),
                     to_toml_value(values.front()), to_toml_value(values.back()));
}

std::string mean_field_words(const spins::MeanField& mean_field, const Study& study) {
  if (!mean_field.is_known()) return "not known: bonds are listed pair by pair";
  const spins::MeanFieldTemperature found = mean_field.temperature();
  return (found.is_lower_bound ? "at least " : "") +
         with_unit(found.value / study.context.constants.k_B,
                   inner_unit(Dimension::temperature, study.context.units)) +
         " of bilinear bonds" +
         (found.is_lower_bound ? " (the cell is too large to search for the maximum of J(q))" : "");
}

}  // namespace

Plan plan_study(const Study& study, const DeviceOverrides& overrides) {
  const Ranks one(study.replicas);
  lattice::Geometry geometry = geometry_that_fits(study, overrides, one);
  const Device device = device_of(study, geometry, overrides);
  SpinSystem system(study, device, std::move(geometry));
  require_working_memory(study, system);
  set_initial_state(study, system);
  const spins::Model& model = system.model;
  const UnitSystem units = study.context.units;

  Plan plan;
  plan.advice = system.advice;
  std::vector<std::string>& lines = plan.lines;
  if (!study.title.empty()) lines.push_back(study.title);
  lines.push_back("lattice   " + lattice_words(system.geometry));
  if (!study.alloy.empty()) lines.push_back("alloy     " + composition_words(system.geometry));
  std::string terms;
  for (const std::string& name : model.term_names()) terms += (terms.empty() ? "" : ", ") + name;
  lines.push_back(fmt::format("terms     {}; up to {} bonds a site, {} colour(s)",
                              terms.empty() ? "none" : terms, model.slots(),
                              model.colours().size()));
  lines.push_back(
      "check     ferromagnetic bond energy " +
      with_unit(model.ferromagnetic_bond_energy(), inner_unit(Dimension::energy, units)) +
      (study.alloy.empty() ? " a site" : " a spin") + "; mean-field T_c " +
      mean_field_words(model.mean_field(), study));
  double& seconds = plan.seconds;
  Simulation simulation = simulation_of(study, system, one);
  int number = 0;
  for (const Value& table : study.stage) {
    const auto stage = make_stage(table, study.context);
    stage->require_beginning(simulation, number == 0);
    const double updates = stage->updates_on(system.geometry);
    const double time = updates * stage->seconds_per_update(simulation);
    seconds += time;
    lines.push_back(fmt::format("stage {:<3} {}: {}; about {}", ++number, stage->kind(),
                                stage->plan(), format_duration(time)));
    for (const Advice& advice : stage->advice(simulation))
      lines.push_back("          " + advice.words);
  }
  lines.push_back(fmt::format("replicas  {}, on {}", study.replicas, device_words(device)));
  const MemoryForecast memory = forecast_memory(study, system.geometry, device);
  const double tables = table_bytes(study, system);
  lines.push_back(
      fmt::format("memory    {:.1f} MiB spins, {:.1f} MiB tables, {:.1f} MiB to work in",
                  memory.spins / 1048576, tables / 1048576, (memory.work + memory.host) / 1048576));
  if (device.backend == Backend::cuda) {
    const GpuInfo gpu = gpu_of(device);
    lines.push_back(fmt::format("          {} of GPU {}, which has {} free of {}",
                                memory_text(memory.spins + memory.work + tables), gpu.ordinal,
                                memory_text(static_cast<double>(gpu.free_bytes)),
                                memory_text(static_cast<double>(gpu.total_bytes))));
  }
  const std::string advice = spins::stencil_advice(system.state.layout());
  if (device.backend == Backend::cuda && !advice.empty()) lines.push_back("kernels   " + advice);
  lines.push_back("time      about " + format_duration(seconds));
  return plan;
}

Plan plan_scan(const Scan& scan, const DeviceOverrides& overrides) {
  const ScanCheck check = check_scan(scan, overrides, nullptr);
  const std::vector<double>& work = check.work;
  Plan plan;
  for (const ScanAxis& axis : scan.axes())
    plan.lines.push_back((plan.lines.empty() ? "scan      " : "          ") + axis_words(axis));
  plan.lines.push_back(
      fmt::format("points    {}, each a study of its own on one rank; the first:", scan.points()));
  const Plan first = plan_study(scan.study(0), overrides);
  plan.advice = words_of(check.notes, scan);
  for (const std::string& line : first.lines) plan.lines.push_back("  " + line);
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  const auto points = static_cast<double>(scan.points());
  plan.seconds = first.seconds * (work.front() > 0 ? all / work.front() : points);
  plan.lines.push_back("all       about " + format_duration(plan.seconds) +
                       " one after the other, by updates; ranks share them");
  return plan;
}

}  // namespace larmor::study
