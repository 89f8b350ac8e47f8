#include "larmor/study/models/spins/stages/minimise.hpp"

#include <algorithm>
#include <set>

#include "larmor/study/models/spins/observables/energy_and_magnetisation.hpp"

namespace larmor::study {
namespace {

double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }

/// Measurements other than energy and magnetisation. @throws InputError for a name given twice
std::vector<std::string> other_observables(const MinimiseTable& table) {
  std::set<std::string> given;
  std::vector<std::string> names;
  for (const std::string& name : table.measure) {
    if (!given.insert(name).second)
      throw InputError(name + " is measured twice", table.where.of("measure"),
                       "name each measurement once");
    if (name != "energy" && name != "magnetisation") names.push_back(name);
  }
  return names;
}

}  // namespace

double MinimiseStage::updates_per_site() const { return static_cast<double>(table_.steps); }

std::optional<Residual> MinimiseStage::residual() const {
  if (!started_) return std::nullopt;
  return Residual{largest(minimiser_->torques()), settings_.tolerance};
}

std::string MinimiseStage::plan() const {
  return table_.method + ", at most " + std::to_string(table_.steps) + " steps";
}

void MinimiseStage::validate(const Sizing& sizing, const lattice::Geometry& geometry) const {
  for (const std::string& name : other_observables(table_))
    require_observable(spin_observable(name), sizing.study, geometry, table_.where.of("measure"));
}

void MinimiseStage::prepare(SpinSimulation& simulation) {
  make_minimiser(simulation, table_.minimise_share, 0);
  observables_ = {energy_observable(simulation, context_.units),
                  magnetisation_observable(simulation, context_.units)};
  for (const std::string& name : other_observables(table_))
    for (Observable& observable : spin_observable(name).observables(simulation, context_))
      observables_.push_back(std::move(observable));
  step_ = 0;
  started_ = false;
  note_.clear();
}

StageProgress MinimiseStage::advance(SpinSimulation& simulation, ResultsGroup& results) {
  agree_on_tolerance();
  if (!started_) {
    begin_relaxing(simulation, table_.perturbation, *minimiser_);
    charge_.begin(simulation, simulation.state, ranks_->replicas(), {&simulation.tables.initial});
    started_ = true;
    append_series(results);
  }
  const Index next_entry = (step_ / table_.measure_every + 1) * table_.measure_every;
  const Index stop = std::min({step_ + longest_block, next_entry, table_.steps});
  const Minimised relaxed = relax(simulation, stop - step_);
  step_ += relaxed.steps;
  const bool done = relaxed.done || step_ == table_.steps;
  if (relaxed.steps > 0 && (done || step_ % table_.measure_every == 0)) append_series(results);
  return {work_of(simulation, relaxed.steps), done};
}

void MinimiseStage::append_series(ResultsGroup& results) const {
  const auto append = [&](const std::string& name, const std::vector<double>& values) {
    results.append("series/" + name + "/value", values, {static_cast<Index>(values.size())},
                   inner_unit(Dimension::energy, context_.units));
    results.append("series/" + name + "/step", {static_cast<double>(step_)}, {}, "");
  };
  append("energy", gathered(minimiser_->energies()));
  append("largest_torque", gathered(minimiser_->torques()));
}

void MinimiseStage::finish(SpinSimulation& simulation, ResultsGroup& results) {
  for (const Observable& observable : observables_) {
    const std::vector<double> values = gathered(observable.measure().take(), observable.components);
    if (observable.components == 3) {
      append_vector_means(results, observable.name, values, observable.unit);
    } else {
      append_estimate(results, observable.name, estimate_independent(values), observable.unit);
    }
  }
  const std::vector<double> torques = gathered(minimiser_->torques());
  append_estimate(results, "largest_torque", estimate_independent(torques),
                  inner_unit(Dimension::energy, context_.units));
  const Index replicas = simulation.study.replicas;
  const Index left = std::count_if(torques.begin(), torques.end(),
                                   [&](double torque) { return !(torque <= settings_.tolerance); });
  results.set_attribute("", "converged", Index{left == 0});
  results.set_attribute("", "replicas_converged", replicas - left);
  results.set_attribute("", "steps", step_);
  results.set_attribute("", "tolerance", settings_.tolerance);
  if (left > 0)
    note_ = "minimise: " + unconverged_text(left, replicas, "the spins") + " not converged after " +
            std::to_string(step_) + " steps: the largest torque is " +
            number_text(largest(torques)) + ", and the tolerance is " +
            number_text(settings_.tolerance);
  charge_.note_replicas(simulation, simulation.state, kind(), note_);
  write_configurations(simulation, table_.keep_configurations, results);
}

std::vector<std::pair<std::string, std::string>> MinimiseStage::latest() const {
  if (!started_) return {};
  char torque[32];
  std::snprintf(torque, sizeof(torque), "%.2g", largest(minimiser_->torques()));
  return {{"step", std::to_string(step_)}, {"torque", torque}};
}

StageMemory MinimiseStage::save() const {
  StageMemory memory;
  memory.integers["position"] = {step_, started_ ? 1 : 0};
  save_minimiser(memory);
  charge_.save(*ranks_, memory);
  return memory;
}

void MinimiseStage::load(const StageMemory& memory) {
  step_ = memory.integer("position").at(0);
  started_ = memory.integer("position").at(1) != 0;
  load_minimiser(memory);
  charge_.load(*ranks_, ranks_->replicas(), memory);
}

}  // namespace larmor::study
