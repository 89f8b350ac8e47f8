#include "larmor/study/models/atoms/stages/md.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/atoms/integrators/velocity_verlet.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/study/models/atoms/measurements/atom_measurements.hpp"
#include "larmor/study/models/atoms/system/atom_configurations.hpp"
#include "larmor/study/models/atoms/tables/replica_values.hpp"

namespace larmor::study {
namespace {

std::vector<Value> usual_measurements(Index steps) {
  return {Value::Table{{"what", "thermodynamics", {}}, {"every", std::min<Index>(10, steps), {}}}};
}

std::string target_text(const std::vector<atoms::Ramp>& ramps, const char* unit) {
  const atoms::Ramp& ramp = ramps.front();
  std::string words = number_text(ramp.begin);
  if (ramp.end != ramp.begin) words += " to " + number_text(ramp.end);
  if (ramps.size() > 1)
    words += ramps.size() > 2 ? ", .., " + number_text(ramps.back().end)
                              : ", " + number_text(ramps.back().end);
  return words + " " + unit;
}

/// The ramps of the replicas of this process, in the units of the integrators.
std::vector<atoms::Ramp> ramps_of_own(std::vector<atoms::Ramp> ramps, const ReplicaShare& share,
                                      Index first_step, double unit) {
  for (atoms::Ramp& ramp : ramps) {
    ramp.first = first_step;
    ramp.begin *= unit;
    ramp.end *= unit;
  }
  return values_of_own(ramps, share);
}

}  // namespace

MdStage::MdStage(const Table& table, const ReadContext& context)
    : table_(table), context_(context) {
  table.check_keys(context);
  if (table.measure.empty()) table_.measure = usual_measurements(table.steps);
  MeasureEntries measured = read_measure(table_.measure, measured_by_md(), course());
  measurements_ = std::move(measured.measurements);
  table_.measure = std::move(measured.completed);
}

MdContext MdStage::course() const {
  MdContext course;
  course.read = context_;
  course.steps = table_.steps;
  course.timestep = table_.timestep;
  course.shape = table_.cell_shape();
  course.has_thermostat = table_.has_thermostat();
  course.replicas_differ = table_.replicas_differ(context_);
  course.conserved = [this] { return integrator_->conserved(system_->state); };
  return course;
}

Instant MdStage::instant(Index step) const {
  return {step, static_cast<double>(step) * table_.timestep,
          inner_unit(Dimension::time, context_.units)};
}

std::vector<Advice> MdStage::advice(const Simulation&) const {
  if (!table_.has_barostat()) return {};
  const std::string words =
      atoms::barostat_of(table_.barostat).advice(*table_.cell_shape(), table_.has_thermostat());
  if (words.empty()) return {};
  return {{words, true}};
}

std::string MdStage::plan() const {
  std::string words = std::to_string(table_.steps) + " steps of " + number_text(table_.timestep) +
                      " " + inner_unit(Dimension::time, context_.units);
  if (table_.has_thermostat())
    words += ", " + table_.thermostat + " at " +
             target_text(table_.temperature_ramps(context_),
                         inner_unit(Dimension::temperature, context_.units));
  else
    words += table_.has_barostat() ? ", constant enthalpy" : ", constant energy";
  if (table_.has_barostat())
    words += ", " + table_.barostat + " at " +
             target_text(table_.pressure_ramps(context_),
                         inner_unit(Dimension::pressure, context_.units)) +
             " (" + table_.shape.value_or("isotropic") + ")";
  return words + measurements_.plan();
}

void MdStage::validate(const Sizing& sizing) const {
  require_precision(sizing);
  table_.check_lists(sizing.study.replicas, context_);
  const AtomSetup& setup = setup_of(atom_tables(sizing.study));
  if ((table_.has_thermostat() || table_.has_barostat()) && setup.has_single_atom())
    throw InputError("a single atom has no temperature", table_.where.of("thermostat"),
                     "thermostats and barostats need two atoms or more");
  if (table_.has_barostat() && !setup.is_periodic())
    throw InputError(
        "the box is open in a direction, and a barostat needs a box that is periodic in all "
        "directions",
        table_.where.of("barostat"), "leave the barostat out");
  measurements_.validate(sizing);
}

StageBytes MdStage::forecast(const Sizing& sizing) const {
  StageBytes bytes = measurements_.forecast(sizing);
  bytes.host_of_all_replicas += atom_configuration_bytes(sizing, table_.keep_configurations) /
                                static_cast<double>(std::max(sizing.all_replicas, Index{1}));
  return bytes;
}

/// @param first_step step of the system at which the stage began
std::unique_ptr<atoms::Integrator> MdStage::make_integrator(const AtomSystem& system,
                                                            Index first_step) const {
  const int threads = system.device.threads;
  const double dt = table_.timestep;
  if (!table_.has_thermostat() && !table_.has_barostat())
    return std::make_unique<atoms::VelocityVerlet>(dt, threads);
  const ReplicaShare& share = system.replicas;
  const auto replicas = static_cast<std::size_t>(share.count);
  const atoms::HeatBath heat{ramps_of_own(table_.temperature_ramps(context_), share, first_step, 1),
                             std::vector<double>(replicas, table_.thermostat_time.value_or(0.1)),
                             table_.has_thermostat()};
  if (!table_.has_barostat())
    return atoms::thermostat_of(table_.thermostat).make(dt, heat, threads, table_);
  const double GPa = atoms::gigapascal(context_.constants);
  const atoms::PressureBath bath(
      *table_.cell_shape(), ramps_of_own(table_.pressure_ramps(context_), share, first_step, GPa),
      std::vector<double>(replicas, table_.barostat_time.value_or(1)), GPa);
  return atoms::barostat_of(table_.barostat).make(dt, heat, bath, threads, table_);
}

bool MdStage::replicas_differ() const {
  if (table_.replicas_differ(context_) || system_->setup.structures_differ()) return true;
  // Without a thermostat, the initial velocities decide on the energy.
  return !table_.has_thermostat() && system_->tables.atoms.temperature.size() > 1;
}

void MdStage::prepare(Simulation& simulation) {
  system_ = &atom_system(simulation);
  system_->average_each_replica(replicas_differ());
  ranks_ = &simulation.ranks;
  system_->use_seed(simulation.study.seed);
  queue_ = MeasurementQueue(simulation.study.device.queue_bytes());
  integrator_ =
      make_integrator(*system_, static_cast<Index>(static_cast<std::uint64_t>(system_->step)));
  with_position(table_.where.of("thermostat"),
                [&] { integrator_->start(system_->state, system_->forces()); });
  measurements_.prepare(simulation);
  step_ = 0;
}

double MdStage::seconds_per_update(Simulation& simulation) {
  prepare(simulation);
  return seconds_of_one(system_->device,
                        [&] { integrator_->run(system_->state, system_->forces(), 1); }) +
         measurements_.seconds_per_step(simulation, table_.steps, table_.steps);
}

StageProgress MdStage::advance(Simulation& simulation, ResultsGroup& results) {
  results_ = results;
  measurements_.sample_in_turn(simulation, instant(step_), queue_, results);
  const Index atoms = system_->size().sites;
  // All ranks end a block at equal steps.
  const Index block = std::min(
      simulation.most_steps,
      ranks_->minimum(steps_of_block(system_->state.layout.atoms(), system_->device.backend)));
  const Index stop = measurements_.next(step_, std::min(table_.steps, step_ + block));
  const Index steps = stop - step_;
  integrator_->run(system_->state, system_->forces(), steps);
  const double updates = static_cast<double>(steps) * static_cast<double>(atoms) *
                         static_cast<double>(simulation.study.replicas);
  step_ = stop;
  const bool done = step_ == table_.steps;
  if (done) measurements_.sample_in_turn(simulation, instant(step_), queue_, results);
  free_stored_if_full();
  return {updates, done, steps};
}

void MdStage::finish(Simulation& simulation, ResultsGroup& results) {
  if (table_.temperature && table_.temperature->is_array() && system_->rungs() > 1) {
    std::vector<double> ends;
    for (const atoms::Ramp& ramp : table_.temperature_ramps(context_)) ends.push_back(ramp.end);
    results.append("temperature", ends, {}, inner_unit(Dimension::temperature, context_.units));
    // FORMAT: replica r of series is at rung r modulo this number.
    results.set_attribute("", "rungs", system_->rungs());
  }
  measurements_.write(simulation, std::nullopt, results);
  write_atom_configurations(simulation, table_.keep_configurations, results);
}

/// Frees samples if they fill the memory that they may use, on all ranks at once.
void MdStage::free_stored_if_full() {
  if (measurements_.kept_bytes() < StoredSamples::most_bytes) return;
  finish_measurements();
  measurements_.free_stored();
}

void MdStage::finish_measurements() {
  queue_.drain();
  measurements_.join_samples();
  if (results_) measurements_.store(std::nullopt, *results_);
}

std::vector<std::pair<std::string, std::string>> MdStage::latest() const {
  const std::vector<double> kinetic = kinetic_energies(system_->state, system_->device.threads);
  double T = 0;
  for (std::size_t r = 0; r < kinetic.size(); ++r)
    T += temperature(system_->state, static_cast<Index>(r), kinetic[r]);
  T /= static_cast<double>(kinetic.size());
  return {{"t", number_text(std::round(instant(step_).time * 1e6) / 1e6)},
          {"T", number_text(std::round(T * 10) / 10)}};
}

std::optional<StagePlace> MdStage::place() const {
  const Instant now = instant(step_);
  return StagePlace{now.step, now.time, now.time_unit};
}

StageMemory MdStage::save() const {
  StageMemory memory;
  memory.integers["position"] = {step_};
  const std::vector<double> own = integrator_->save();
  memory.numbers["integrator"] = ranks_->gathered(
      own, ranks_->replicas(), static_cast<Index>(own.size()) / system_->replicas.count);
  measurements_.save(memory, *ranks_);
  return memory;
}

void MdStage::load(const StageMemory& memory) {
  step_ = memory.integer("position").at(0);
  const Index now = static_cast<Index>(static_cast<std::uint64_t>(system_->step));
  integrator_ = make_integrator(*system_, now - step_);
  const std::vector<double>& all = memory.number("integrator");
  integrator_->load(ranks_->own_of(all, ranks_->replicas(),
                                   static_cast<Index>(all.size()) / ranks_->replicas().all));
  integrator_->start(system_->state, system_->forces());
  measurements_.load(memory, *ranks_);
}

}  // namespace larmor::study
