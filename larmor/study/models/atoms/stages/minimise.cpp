#include "larmor/study/models/atoms/stages/minimise.hpp"

#include <algorithm>
#include <numeric>

#include "larmor/atoms/minimisers/fire.hpp"
#include "larmor/atoms/minimisers/lbfgs.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/study/models/atoms/system/atom_configurations.hpp"
#include "larmor/study/stages/minimisation.hpp"

namespace larmor::study {
namespace {

/// The number of past steps in L-BFGS.
constexpr int history = 8;
constexpr double usual_pressure_tolerance = 1e-3;  // GPa

double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }

}  // namespace

AtomMinimiseStage::AtomMinimiseStage(const Table& table, const ReadContext& context)
    : table_(table), context_(context) {
  table.check_keys();
}

double AtomMinimiseStage::updates_per_site() const { return static_cast<double>(table_.steps); }

std::optional<Residual> AtomMinimiseStage::residual() const {
  if (!started_) return std::nullopt;
  return Residual{largest(minimiser_->largest_forces()), table_.tolerance};
}

std::string AtomMinimiseStage::plan() const {
  std::string words = table_.method + ", at most " + std::to_string(table_.steps) +
                      " steps, to forces of " + number_text(table_.tolerance) + " " +
                      inner_unit(Dimension::force, context_.units);
  if (table_.cell_shape())
    words += "; box " + table_.relax_box + " at " + number_text(table_.pressure.value_or(0)) + " " +
             inner_unit(Dimension::pressure, context_.units);
  return words;
}

void AtomMinimiseStage::validate(const Sizing& sizing) const {
  require_precision(sizing);
  const AtomSetup& setup = setup_of(atom_tables(sizing.study));
  if (table_.cell_shape() && !setup.is_periodic())
    throw InputError(
        "the box is open in a direction, and relax_box needs a box that is periodic in all "
        "directions",
        table_.where.of("relax_box"), "leave relax_box out");
}

StageBytes AtomMinimiseStage::forecast(const Sizing& sizing) const {
  StageBytes bytes;
  const double memory =
      atoms::minimiser_bytes(setup_of(atom_tables(sizing.study)).most_atoms_of(sizing.replicas),
                             table_.method == "lbfgs" ? history : 0);
  // A checkpoint has a copy of the minimiser's memory.
  bytes.host = 2 * memory + atom_configuration_bytes(sizing, table_.keep_configurations);
  return bytes;
}

double AtomMinimiseStage::seconds_per_update(Simulation& simulation) {
  prepare(simulation);
  return seconds_of_one(system_->device,
                        [&] { minimiser_->start(system_->host_state(), system_->host_forces()); });
}

void AtomMinimiseStage::prepare(Simulation& simulation) {
  system_ = &atom_system(simulation);
  ranks_ = &simulation.ranks;
  atoms::MinimiserSettings settings;
  settings.tolerance = table_.tolerance;
  settings.energy_tolerance = table_.energy_tolerance;
  settings.max_step = table_.max_step;
  const double GPa = atoms::gigapascal(context_.constants);
  if (const auto shape = table_.cell_shape())
    settings.box = {*shape,
                    std::vector<double>(static_cast<std::size_t>(system_->replicas.count),
                                        GPa * table_.pressure.value_or(0)),
                    GPa * table_.pressure_tolerance.value_or(usual_pressure_tolerance)};
  const atoms::AtomLayout& layout = system_->state.layout;
  const int threads = system_->device.threads;
  if (table_.method == "fire")
    minimiser_ = std::make_unique<atoms::Fire>(layout, settings, threads);
  else
    minimiser_ = std::make_unique<atoms::Lbfgs>(layout, settings, history, threads);
  step_ = 0;
  started_ = false;
  note_.clear();
}

StageProgress AtomMinimiseStage::advance(Simulation& simulation, ResultsGroup& results) {
  if (!started_) {
    minimiser_->start(system_->host_state(), system_->host_forces());
    system_->use_host();
    started_ = true;
    append_series(results);
  }
  const Index atoms = system_->size().sites;
  const Index next_entry = (step_ / table_.measure_every + 1) * table_.measure_every;
  // All ranks end a block at equal steps.
  const Index block =
      ranks_->minimum(steps_of_block(system_->state.layout.atoms(), system_->device.backend));
  const Index stop = std::min({step_ + block, next_entry, table_.steps});
  const Index own = minimiser_->run(system_->host_state(), system_->host_forces(), stop - step_);
  system_->use_host();
  const Minimised relaxed = minimised_on_all_ranks(*ranks_, own, minimiser_->done());
  system_->state.step += static_cast<std::uint64_t>(relaxed.steps - own);
  step_ += relaxed.steps;
  const bool done = relaxed.done || step_ == table_.steps;
  if (relaxed.steps > 0 && (done || step_ % table_.measure_every == 0)) append_series(results);
  return {static_cast<double>(relaxed.steps) * static_cast<double>(atoms) *
              static_cast<double>(simulation.study.replicas),
          done};
}

std::vector<AtomMinimiseStage::Quantity> AtomMinimiseStage::quantities() const {
  const atoms::AtomState& state = system_->on_host();
  const double GPa = atoms::gigapascal(context_.constants);
  std::vector<double> pressures, volumes;
  const std::vector<atoms::Box> boxes = boxes_of(state);
  for (std::size_t r = 0; r < boxes.size(); ++r) {
    // Atoms in a minimisation have no velocities.
    const atoms::SymmetricTensor P = pressure(state, static_cast<Index>(r), {});
    pressures.push_back((P[0] + P[1] + P[2]) / (3 * GPa));
    volumes.push_back(boxes[r].volume());
  }
  const std::string energy = inner_unit(Dimension::energy, context_.units);
  std::vector<Quantity> quantities{
      {"potential_energy", energy, potential_energies(state)},
      {"largest_force", inner_unit(Dimension::force, context_.units), minimiser_->largest_forces()},
      {"pressure", inner_unit(Dimension::pressure, context_.units), std::move(pressures)}};
  if (table_.cell_shape()) {
    quantities.push_back({"enthalpy", energy, minimiser_->enthalpies()});
    quantities.push_back({"volume", "Å^3", std::move(volumes)});
  }
  for (Quantity& quantity : quantities)
    quantity.values = ranks_->gathered(std::move(quantity.values), ranks_->replicas());
  return quantities;
}

void AtomMinimiseStage::append_series(ResultsGroup& results) const {
  for (Quantity& quantity : quantities()) {
    const std::string series = "series/" + quantity.name;
    const auto replicas = static_cast<Index>(quantity.values.size());
    results.append(series + "/value", std::move(quantity.values), {replicas}, quantity.unit);
    results.append(series + "/step", {static_cast<double>(step_)}, {}, "");
  }
}

void AtomMinimiseStage::finish(Simulation& simulation, ResultsGroup& results) {
  const std::vector<Quantity> all = quantities();
  for (const Quantity& quantity : all) {
    if (!system_->setup.structures_differ()) {
      append_estimate(results, quantity.name, estimate_independent(quantity.values), quantity.unit);
      continue;
    }
    for (const double value : quantity.values)
      append_estimate(results, quantity.name, estimate_independent(std::vector{value}),
                      quantity.unit);
  }
  const atoms::ReplicaSet& own = minimiser_->convergence();
  const std::vector<double> converged =
      ranks_->gathered(std::vector<double>(own.begin(), own.end()), ranks_->replicas());
  const std::vector<double> excesses =
      ranks_->gathered(minimiser_->pressure_excesses(), ranks_->replicas());
  const Index replicas = simulation.study.replicas;
  const Index left = std::count(converged.begin(), converged.end(), 0.0);
  results.set_attribute("", "converged", Index{left == 0});
  results.set_attribute("", "replicas_converged", replicas - left);
  results.set_attribute("", "steps", step_);
  results.set_attribute("", "tolerance", table_.tolerance);
  if (left > 0)
    note_ = "minimise: " + unconverged_text(left, replicas, "the atoms") + " not converged after " +
            std::to_string(step_) +
            " steps: " + residual_text(largest(all[1].values), largest(excesses));
  write_atom_configurations(simulation, table_.keep_configurations, results);
}

std::string AtomMinimiseStage::residual_text(double force, double excess) const {
  excess /= atoms::gigapascal(context_.constants);
  const double tolerance = table_.pressure_tolerance.value_or(usual_pressure_tolerance);
  std::string words;
  if (force > table_.tolerance || excess <= tolerance)
    words = "the largest force is " + number_text(force) + " " +
            inner_unit(Dimension::force, context_.units) + ", and the tolerance is " +
            number_text(table_.tolerance);
  if (table_.cell_shape() && excess > tolerance)
    words += std::string(words.empty() ? "" : "; ") + "the pressure differs from its target by " +
             number_text(excess) + " GPa, and the tolerance is " + number_text(tolerance) + " GPa";
  return words;
}

std::vector<std::pair<std::string, std::string>> AtomMinimiseStage::latest() const {
  if (!started_) return {};
  char force[32];
  std::snprintf(force, sizeof(force), "%.2g", largest(minimiser_->largest_forces()));
  return {{"step", std::to_string(step_)}, {"force", force}};
}

StageMemory AtomMinimiseStage::save() const {
  StageMemory memory;
  memory.integers["position"] = {step_, started_ ? 1 : 0};
  std::vector<double> own, counts;
  for (std::size_t r = 0; r < static_cast<std::size_t>(system_->replicas.count); ++r) {
    const std::vector<double> of_replica = minimiser_->save(r);
    own.insert(own.end(), of_replica.begin(), of_replica.end());
    counts.push_back(static_cast<double>(of_replica.size()));
  }
  memory.numbers["minimiser"] = ranks_->joined(std::move(own));
  if (system_->setup.structures_differ())
    memory.numbers["numbers_of_replica"] = ranks_->gathered(std::move(counts), ranks_->replicas());
  return memory;
}

void AtomMinimiseStage::load(const StageMemory& memory) {
  step_ = memory.integer("position").at(0);
  started_ = memory.integer("position").at(1) != 0;
  const std::vector<double>& all = memory.number("minimiser");
  const auto replicas = static_cast<std::size_t>(system_->replicas.all);
  const std::vector<double> counts =
      system_->setup.structures_differ()
          ? memory.number("numbers_of_replica")
          : std::vector<double>(replicas, static_cast<double>(all.size() / replicas));
  const auto first = counts.begin() + system_->replicas.first;
  const auto before = static_cast<std::size_t>(std::accumulate(counts.begin(), first, 0.0));
  const auto count =
      static_cast<std::size_t>(std::accumulate(first, first + system_->replicas.count, 0.0));
  minimiser_->load(std::span(all).subspan(before, count));
  // The minimiser does not evaluate converged replicas again, so their forces are evaluated here.
  if (!started_) return;
  system_->host_forces().evaluate(system_->host_state());
  system_->use_host();
}

}  // namespace larmor::study
