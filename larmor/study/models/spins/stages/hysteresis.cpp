#include "larmor/study/models/spins/stages/hysteresis.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/measurements/averages.hpp"
#include "larmor/study/models/spins/stages/field_loop.hpp"

namespace larmor::study {
namespace {

std::vector<double> fields_of(const HysteresisTable& table, const ReadContext& context) {
  std::vector<double> fields =
      table.field.is_table()
          ? read_value<FieldRange>(table.field, "field", Dimension::none, context).fields_in_order()
          : read_value<std::vector<double>>(table.field, "field", Dimension::magnetic_field,
                                            context);
  if (fields.empty())
    throw InputError("field is an empty list", table.field.where(), "give at least one field");
  if (table.loop)
    for (std::size_t n = fields.size() - 1; n-- > 0;) fields.push_back(fields[n]);
  return fields;
}

/// Volume of the whole lattice in cubic inner lengths. Nothing in reduced units, in fewer than
/// three dimensions, for a layer one cell thick, and for positions without a periodic box.
std::optional<double> volume_of(const lattice::Geometry& geometry, const ReadContext& context) {
  if (context.units == UnitSystem::reduced || geometry.crystal.dimensions < 3) return std::nullopt;
  for (std::size_t d = 0; d < 3; ++d)
    if (!geometry.periodic[d] && (geometry.plain_positions || geometry.size[d] == 1))
      return std::nullopt;
  const std::array<Vec3<double>, 3>& cell = geometry.crystal.cell;
  return std::abs(dot(cell[0], cross(cell[1], cell[2]))) * static_cast<double>(geometry.cells());
}

}  // namespace

HysteresisStage::HysteresisStage(const Table& table, const ReadContext& context)
    : MinimisingStage(table, context),
      direction_(unit_vector(table.direction)),
      fields_(fields_of(table, context)) {}

std::vector<StageNumber> HysteresisStage::numbers(const io::ResultsReader& results,
                                                  const std::string& path) {
  std::vector<StageNumber> numbers;
  for (const auto& [name, quantity] : loop_quantities) {
    const std::string stored = path + "/loop/" + name;
    if (!results.exists(stored)) continue;
    numbers.push_back({name, results.unit_of(stored + "/value"),
                       results.read<double>(stored + "/value")[0],
                       results.read<double>(stored + "/error")[0]});
  }
  return numbers;
}

double HysteresisStage::updates_per_site() const {
  return static_cast<double>(fields_.size()) * static_cast<double>(table_.steps);
}

std::optional<Residual> HysteresisStage::residual() const {
  if (!begun_) return std::nullopt;
  const std::vector<double> torques = minimiser_->torques();
  return Residual{*std::max_element(torques.begin(), torques.end()), settings_.tolerance, point_,
                  static_cast<Index>(fields_.size())};
}

std::string HysteresisStage::plan() const {
  const auto [low, high] = std::minmax_element(fields_.begin(), fields_.end());
  const std::string unit = inner_unit(Dimension::magnetic_field, context_.units);
  return std::to_string(fields_.size()) + " fields between " + number_text(*low) + " and " +
         number_text(*high) + (unit.empty() ? "" : " " + unit) + ", " + table_.method +
         ", at most " + std::to_string(table_.steps) + " steps each";
}

void HysteresisStage::prepare(SpinSimulation& simulation) {
  double largest = 0;
  for (const double B : fields_) largest = std::max(largest, std::abs(B));
  make_minimiser(simulation, table_.hysteresis_share, context_.constants.mu_B * largest);
  point_ = step_ = unconverged_ = 0;
  begun_ = false;
  along_.clear();
}

void HysteresisStage::set_field() {
  minimiser_->set_field((context_.constants.mu_B * fields_[static_cast<std::size_t>(point_)]) *
                        direction_);
}

void HysteresisStage::begin_point(SpinSimulation& simulation) {
  set_field();
  begin_relaxing(simulation, table_.perturbation, *minimiser_);
  begun_ = true;
  step_ = 0;
}

StageProgress HysteresisStage::advance(SpinSimulation& simulation, ResultsGroup& results) {
  agree_on_tolerance();
  if (!begun_) begin_point(simulation);
  const Minimised relaxed = relax(simulation, std::min(longest_block, table_.steps - step_));
  step_ += relaxed.steps;
  if (relaxed.done || step_ == table_.steps) finish_point(simulation, results);
  return {work_of(simulation, relaxed.steps), all_points_done()};
}

void HysteresisStage::finish_point(SpinSimulation& simulation, ResultsGroup& results) {
  const std::string energy_unit = inner_unit(Dimension::energy, context_.units);
  const std::string moment_unit = inner_unit(Dimension::magnetic_moment, context_.units);
  const Index replicas = simulation.study.replicas;
  const std::vector<Vec3<double>> magnetisation =
      spins::magnetisation_per_site(simulation.model, simulation.state);
  std::vector<double> along;
  for (const Vec3<double>& v : magnetisation) along.push_back(dot(v, direction_));
  const std::vector<double> m = gathered(flattened(magnetisation), 3);
  along = gathered(std::move(along));
  const std::vector<double> energies = gathered(minimiser_->energies());
  const std::vector<double> torques = gathered(minimiser_->torques());
  const bool converged =
      simulation.ranks.all(minimiser_->converged() == simulation.state.layout().replicas);
  results.append("field", {fields_[static_cast<std::size_t>(point_)]}, {},
                 inner_unit(Dimension::magnetic_field, context_.units));
  results.append("steps", {static_cast<double>(step_)}, {}, "");
  results.append("converged", {converged ? 1.0 : 0.0}, {}, "");
  append_estimate(results, "energy", estimate_independent(energies), energy_unit);
  append_vector_means(results, "magnetisation", m, moment_unit);
  append_estimate(results, "magnetisation_along", estimate_independent(along), moment_unit);
  append_estimate(results, "largest_torque", estimate_independent(torques), energy_unit);
  const auto append = [&](const std::string& name, const std::vector<double>& values,
                          const std::vector<Index>& row, const std::string& unit) {
    results.append("series/" + name + "/value", values, row, unit);
    results.append("series/" + name + "/point", {static_cast<double>(point_)}, {}, "");
  };
  append("energy", energies, {replicas}, energy_unit);
  append("magnetisation", m, {replicas, 3}, moment_unit);
  append("magnetisation_along", along, {replicas}, moment_unit);
  if (table_.trajectory)
    append_trajectory(results, simulation, table_.keep_configurations,
                      {step_, static_cast<double>(point_), "points"});
  along_.insert(along_.end(), along.begin(), along.end());
  if (!converged) ++unconverged_;
  begun_ = false;
  ++point_;
}

void HysteresisStage::finish(SpinSimulation& simulation, ResultsGroup& results) {
  results.write("direction", {direction_.x, direction_.y, direction_.z}, {3}, "");
  results.set_attribute("", "converged", Index{unconverged_ == 0});
  results.set_attribute("", "tolerance", settings_.tolerance);
  if (ranks_->is_root()) write_loop(simulation, results);
  write_configurations(simulation, table_.keep_configurations, results);
}

void HysteresisStage::write_loop(const SpinSimulation& simulation, ResultsGroup& results) const {
  const std::optional<double> volume = volume_of(simulation.geometry, context_);
  const double mu_0 = context_.constants.mu_0();
  // mu_0 M for a moment of 1 per spin.
  const double polarisation = volume ? mu_0 * context_.constants.mu_B *
                                           static_cast<double>(simulation.state.layout().spins()) /
                                           *volume
                                     : 0;
  const FieldLoop loop = field_loop(fields_, along_, polarisation);
  for (const auto& [name, quantity] : loop_quantities) {
    double factor = 1;
    std::string unit = inner_unit(Dimension::magnetic_field, context_.units);
    if (quantity == &FieldLoop::remanence)
      unit = inner_unit(Dimension::magnetic_moment, context_.units);
    if (quantity == &FieldLoop::energy_product) {
      if (!volume) continue;
      factor = context_.constants.kilojoules_per_cubic_metre() / mu_0;
      unit = "kJ/m^3";
    }
    const std::string group = std::string("loop/") + name;
    results.write(group + "/value", {factor * (loop.*quantity).value}, {1}, unit);
    results.write(group + "/error", {factor * (loop.*quantity).error}, {1}, unit);
  }
}

std::string HysteresisStage::note() const {
  if (unconverged_ == 0) return "";
  return "hysteresis: at " + std::to_string(unconverged_) + " of " +
         std::to_string(fields_.size()) + " fields the spins had not converged after " +
         std::to_string(table_.steps) + " steps, or could not get within the tolerance " +
         number_text(settings_.tolerance);
}

std::vector<std::pair<std::string, std::string>> HysteresisStage::latest() const {
  if (all_points_done()) return {};
  char field[32];
  std::snprintf(field, sizeof(field), "%.4g", fields_[static_cast<std::size_t>(point_)]);
  return {{"field", std::to_string(point_ + 1) + " of " + std::to_string(fields_.size())},
          {"B", field},
          {"step", std::to_string(step_)}};
}

StageMemory HysteresisStage::save() const {
  StageMemory memory;
  memory.integers["position"] = {point_, step_, unconverged_, begun_ ? 1 : 0};
  memory.numbers["along"] = along_;
  save_minimiser(memory);
  return memory;
}

void HysteresisStage::load(const StageMemory& memory) {
  const std::vector<Index>& position = memory.integer("position");
  point_ = position.at(0);
  step_ = position.at(1);
  unconverged_ = position.at(2);
  begun_ = position.at(3) != 0;
  along_ = memory.number("along");
  load_minimiser(memory);
  if (!all_points_done()) set_field();
}

}  // namespace larmor::study
