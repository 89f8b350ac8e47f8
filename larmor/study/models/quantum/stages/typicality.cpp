#include "larmor/study/models/quantum/stages/typicality.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace larmor::study {
namespace {

using quantum::Estimated;
using quantum::TypicalAverages;

/// Numbers of a random vector at a temperature: ln Z, E, E^2, |m|, m2, m4, sx, sz, and pairs.
constexpr Index scalars_of_average = 6;

Index size_of_average(Index sites) { return scalars_of_average + 2 * sites + sites * sites; }

TypicalAverages read_average(const double* from, Index sites) {
  TypicalAverages own{};
  own.ln_Z = from[0];
  own.energy = from[1];
  own.energy_squared = from[2];
  own.diagonal.abs_m = from[3];
  own.diagonal.m2 = from[4];
  own.diagonal.m4 = from[5];
  const double* const sx = from + scalars_of_average;
  own.sx.assign(sx, sx + sites);
  own.diagonal.sz.assign(sx + sites, sx + 2 * sites);
  own.diagonal.szsz.assign(sx + 2 * sites, sx + 2 * sites + sites * sites);
  return own;
}

/// Values and errors of one quantity, in the order of results.
struct Column {
  std::vector<double> values, errors;

  void add(const Estimated& estimate, double scale = 1) {
    values.push_back(estimate.value * scale);
    errors.push_back(estimate.error * scale);
  }
  void add(const std::vector<Estimated>& estimates) {
    for (const Estimated& estimate : estimates) add(estimate);
  }
  void write(ResultsGroup& results, const std::string& name, const std::vector<Index>& shape,
             const std::string& unit) const {
    results.write(name, values, shape, unit);
    results.write(name + "_error", errors, shape, unit);
  }
};

}  // namespace

FieldTable<TypicalityTable> TypicalityTable::fields() {
  FieldTable<TypicalityTable> table;
  table
      .required("kind", &TypicalityTable::kind, Dimension::none,
                "kind of the stage: the name of this table")
      .one_of({name});
  table
      .required("temperature", &TypicalityTable::temperature, Dimension::temperature,
                "a temperature, a list of them, or { from, to, factor | step | points }")
      .with_child<TemperatureRange>();
  return table
      .optional("vectors", &TypicalityTable::vectors, Dimension::none,
                "random vectors of each sector; errors are those of their mean")
      .at_least(2)
      .at_most(1e6)
      .optional("steps", &TypicalityTable::steps, Dimension::none,
                "Lanczos steps of each vector; low temperatures need more")
      .at_least(2)
      .at_most(10000);
}

std::vector<StageNumber> TypicalityStage::numbers(const io::ResultsReader& results,
                                                  const std::string& path) {
  return numbers_by_temperature(results, path, path,
                                {"ln_Z", "energy", "specific_heat", "absolute_magnetisation",
                                 "magnetisation_squared", "binder"});
}

TypicalityStage::TypicalityStage(const Table& table, const ReadContext& context)
    : SectorStage(context),
      table_(table),
      temperatures_(read_temperatures(table.temperature, context,
                                      "a thermal average needs a positive temperature")) {
  for (const double temperature : temperatures_)
    beta_.push_back(1 / (context.constants.k_B * temperature));
}

std::string TypicalityStage::plan() const {
  return fmt::format("{} random vectors of each sector, {} Lanczos steps, {} temperature(s)",
                     table_.vectors, table_.steps, temperatures_.size());
}

void TypicalityStage::prepare(Simulation& simulation) {
  SectorStage::prepare(simulation);
  seed_ = simulation.study.seed;
}

std::vector<TypicalityStage::Task> TypicalityStage::tasks_of(
    const quantum::SpinModel& model) const {
  std::vector<Task> tasks;
  for (Index vector = 0; vector < table_.vectors; ++vector)
    for (const quantum::Sector& sector : quantum::sectors_of(model))
      tasks.push_back({0, sector, vector});
  return tasks;
}

std::pair<double, double> TypicalityStage::bytes_of(const quantum::SpinModel& model,
                                                    const Task& task, const Device& device) const {
  return {quantum::TypicalState::bytes(model.sites, task.sector, std::ssize(temperatures_)),
          quantum::ExpectationValues::bytes(model.sites, task.sector, device.backend)};
}

void TypicalityStage::begin_task(const Device& device, const quantum::SpinModel& model,
                                 const Task& task, Index number) {
  state_ = std::make_unique<quantum::TypicalState>(
      device, model, task.sector, beta_,
      quantum::TypicalitySettings{table_.steps, seed_, static_cast<std::uint64_t>(number)});
}

bool TypicalityStage::step_task(std::vector<double>& numbers) {
  if (!state_->step()) return false;
  for (const TypicalAverages& own : state_->averages()) {
    append(numbers, {own.ln_Z, own.energy, own.energy_squared, own.diagonal.abs_m, own.diagonal.m2,
                     own.diagonal.m4});
    append(numbers, own.sx);
    append(numbers, own.diagonal.sz);
    append(numbers, own.diagonal.szsz);
  }
  return true;
}

double TypicalityStage::work_of_step(const quantum::SpinModel& model, const Task& task) const {
  return quantum::StateSpace::states_of(model.sites, task.sector);
}

std::vector<std::vector<TypicalAverages>> TypicalityStage::averages(Index sample,
                                                                    Index temperature) const {
  const Index sites = model().sites, size = size_of_average(sites);
  const Index sectors = tasks_of_sample() / table_.vectors, T = std::ssize(temperatures_);
  std::vector<std::vector<TypicalAverages>> averages(static_cast<std::size_t>(table_.vectors));
  for (Index n = 0; n < tasks_of_sample(); ++n)
    averages[static_cast<std::size_t>(n / sectors)].push_back(read_average(
        found().data() + ((sample * tasks_of_sample() + n) * T + temperature) * size, sites));
  return averages;
}

void TypicalityStage::write(ResultsGroup& results) const {
  const Index S = samples(), T = std::ssize(temperatures_), N = model().sites;
  const auto sites = static_cast<double>(N);
  Column ln_Z, e, C, abs_m, m2, m4, binder, sx, sz, szsz;
  for (Index sample = 0; sample < S; ++sample)
    for (Index t = 0; t < T; ++t) {
      const quantum::TypicalEstimates at =
          quantum::estimates_of(averages(sample, t), beta_[static_cast<std::size_t>(t)]);
      ln_Z.add(at.ln_Z);
      e.add(at.energy, 1 / sites);
      C.add(at.specific_heat, 1 / sites);
      abs_m.add(at.abs_m);
      m2.add(at.m2);
      m4.add(at.m4);
      binder.add(at.binder);
      sx.add(at.sx);
      sz.add(at.sz);
      szsz.add(at.szsz);
    }
  results.write("temperature", temperatures_, {T},
                inner_unit(Dimension::temperature, context_.units));
  ln_Z.write(results, "ln_Z", {S, T}, "");
  e.write(results, "energy", {S, T}, energy_unit());
  C.write(results, "specific_heat", {S, T}, "");
  abs_m.write(results, "absolute_magnetisation", {S, T}, "");
  m2.write(results, "magnetisation_squared", {S, T}, "");
  m4.write(results, "magnetisation_4", {S, T}, "");
  binder.write(results, "binder", {S, T}, "");
  sx.write(results, "sx", {S, T, N}, "");
  sz.write(results, "sz", {S, T, N}, "");
  szsz.write(results, "szsz", {S, T, N, N}, "");
  for (const char* const name : {"energy", "specific_heat"})
    results.attach_scale(name, 1, "temperature");
}

}  // namespace larmor::study
