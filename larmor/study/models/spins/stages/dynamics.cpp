#include "larmor/study/models/spins/stages/dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/spins/jit/stencil_sums.hpp"
#include "larmor/study/models/spins/measurements/spin_measurements.hpp"
#include "larmor/study/models/spins/system/alloy.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {

namespace {

/// Steps of one block without measurements: few enough to react to Ctrl-C.
constexpr Index usual_block = 60;
/// Steps of one block of few spins. Such steps take microseconds, so the time of launches matters.
constexpr Index block_of_few = 240;
constexpr Index few_spins = 1 << 20;

/// The measurements of a study without `measure`.
std::vector<Value> usual_measurements(Index steps) {
  std::vector<Value> entries;
  for (const char* what : {"energy", "magnetisation"})
    entries.push_back(Value::Table{{"what", what, {}}, {"every", std::min<Index>(10, steps), {}}});
  return entries;
}

void require_torque_fits(const TorqueTable& torque, const lattice::Geometry& geometry) {
  if (torque.kind != "spin-transfer") return;
  with_position(torque.where.of("velocity"),
                [&] { spins::require_neighbours_along(geometry, torque.velocity); });
}

}  // namespace

DynamicsStage::DynamicsStage(const Table& table, const ReadContext& context)
    : table_(table), context_(context), drive_(table, context) {
  const bool damps = std::any_of(table.damping.begin(), table.damping.end(),
                                 [](double alpha) { return alpha > 0; });
  if (drive_.heated() && !damps)
    throw InputError("dynamics has a heat bath, but no damping, so the bath would do nothing",
                     table.where.of({"temperature", "temperature_schedule"}),
                     "give damping = 0.1, for instance, or remove the temperature");
  if (drive_.heated() && !spins::info_of(scheme()).has_heat_bath)
    throw InputError(table.integrator + " has no heat bath", table.where.of("integrator"),
                     "use depondt, heun, semi-implicit or midpoint with a temperature");
  if (table.measure.empty()) table_.measure = usual_measurements(table.steps);
  MeasureEntries measured = read_measure(table_.measure, measured_by_dynamics(), course());
  measurements_ = std::move(measured.measurements);
  table_.measure = std::move(measured.completed);
  for (const auto& m : measurements_.all())
    if (auto* const fused = dynamic_cast<FusedMeasurement*>(m.get())) fusable_.push_back(fused);
}

DynamicsContext DynamicsStage::course() const {
  DynamicsContext course;
  course.read = context_;
  course.steps = table_.steps;
  course.timestep = table_.timestep;
  course.temperature = table_.temperature;
  course.has_pulses = !table_.pulse.empty();
  course.pulse_field = [this](double time) { return drive_.field(time); };
  course.fastest_precession = [this](const SpinSimulation& simulation) {
    return fastest_precession(simulation);
  };
  return course;
}

Instant DynamicsStage::instant(Index step) const {
  return {step, static_cast<double>(step) * table_.timestep,
          inner_unit(Dimension::time, context_.units)};
}

std::string DynamicsStage::plan() const {
  std::string words = std::to_string(table_.steps) + " steps of " + number_text(table_.timestep);
  const std::string unit = inner_unit(Dimension::time, context_.units);
  if (!unit.empty()) words += " " + unit;
  words += " (" + std::string(spins::info_of(scheme()).name) + ")";
  if (!table_.temperature_schedule.empty()) {
    words += ", heat bath by schedule";
  } else if (drive_.heated()) {
    words += ", heat bath at " + number_text(table_.temperature);
    const std::string kelvin = inner_unit(Dimension::temperature, context_.units);
    if (!kelvin.empty()) words += " " + kelvin;
  }
  for (const TorqueTable& torque : table_.torque) words += ", " + torque.kind + " torque";
  if (!table_.pulse.empty()) words += ", " + std::to_string(table_.pulse.size()) + " pulse(s)";
  return words + measurements_.plan();
}

void DynamicsStage::validate(const Sizing& sizing, const lattice::Geometry& geometry) const {
  integrator_settings(sizing.study, geometry);  // throws
  for (const TorqueTable& torque : table_.torque) require_torque_fits(torque, geometry);
  measurements_.validate(sizing);
}

StageBytes DynamicsStage::forecast(const Sizing& sizing, const lattice::Geometry& geometry) const {
  const SpinLayout layout{geometry.sites(), sizing.replicas};
  StageBytes bytes = measurements_.forecast(sizing);
  const Index numbers = spins::work_fields(scheme(), drive_.heated()) * layout.numbers();
  bytes.device += static_cast<double>(bytes_of_reals(sizing.device.precision, numbers));
  if (takes_derivatives()) {
    bytes.host += spins::derivative_bytes(geometry).host;
    bytes.device += spins::derivative_bytes(geometry).device;
  }
  // If steps measure, each sample of a block has 256 bytes for each block of threads, or some
  // bytes for each spin.
  if (sizing.device.backend == Backend::cuda && fused_interval() > 0) {
    const Index all = layout.numbers() / 3;
    const Index block = all <= few_spins ? block_of_few : usual_block;
    const Index samples = std::min(block, table_.steps) / fused_interval() + 1;
    bytes.device +=
        static_cast<double>(std::max(all, std::min(samples * all, spins::StencilSums::most_bytes)));
  }
  return bytes;
}

bool DynamicsStage::takes_derivatives() const {
  return std::any_of(table_.torque.begin(), table_.torque.end(),
                     [](const TorqueTable& torque) { return torque.kind == "spin-transfer"; });
}

bool DynamicsStage::reads_tables() const {
  return scheme() == spins::Scheme::midpoint || takes_derivatives() || measurements_.reads_tables();
}

spins::Scheme DynamicsStage::scheme() const {
  for (const auto& [scheme, info] : spins::all_schemes)
    if (table_.integrator == info.name) return scheme;
  return drive_.heated() ? spins::Scheme::depondt : spins::Scheme::rk4;
}

spins::IntegratorSettings DynamicsStage::integrator_settings(
    const Study& study, const lattice::Geometry& geometry) const {
  spins::IntegratorSettings settings;
  settings.scheme = scheme();
  settings.timestep = table_.timestep;
  // In material units a moment of m mu_B in a field -dH/de of one eV precesses at g_e / (hbar m)
  // per ps. In reduced units g_e and hbar are 1, and so is mu_B.
  settings.gyromagnetic_ratio = context_.constants.gamma() / context_.constants.mu_B;
  settings.seed = study.seed;
  settings.damping = table_.damping;
  const std::size_t atoms = geometry.crystal.basis.size();
  if (table_.damping.size() != 1 && table_.damping.size() != atoms)
    throw InputError("damping has " + std::to_string(table_.damping.size()) + " entries for " +
                         std::to_string(atoms) + " basis atoms",
                     table_.where.of("damping"), "give one for all, or one for each basis atom");
  if (const auto& alloy = spin_tables(study).alloy; !alloy.empty())
    settings.damping = site_damping(table_.damping, alloy, geometry);
  return settings;
}

spins::SpinTransferTorque spin_transfer_of(const TorqueTable& torque) {
  return {torque.velocity, torque.beta};
}

spins::PolarisationTorque polarisation_of(const TorqueTable& torque, double mu_B) {
  return {unit_vector(torque.polarisation), mu_B * torque.damping_like, mu_B * torque.field_like,
          torque.asymmetry};
}

double DynamicsStage::fastest_precession(const SpinSimulation& simulation) const {
  double precession =
      context_.constants.gamma() / context_.constants.mu_B * simulation.model.largest_field();
  for (const PulseTable& pulse : table_.pulse)
    precession += context_.constants.gamma() * length(pulse.B);
  for (const TorqueTable& torque : table_.torque)
    precession += torque.kind == "spin-transfer"
                      ? largest_turn(spin_transfer_of(torque), simulation.geometry)
                      : context_.constants.gamma() / context_.constants.mu_B *
                            largest_field(polarisation_of(torque, context_.constants.mu_B));
  return precession;
}

std::vector<Advice> DynamicsStage::advice(const SpinSimulation& simulation) const {
  const double accurate = spins::info_of(scheme()).accurate_turn;
  const double turn = fastest_precession(simulation) * table_.timestep;
  if (turn == 0) return {};
  const std::string unit = inner_unit(Dimension::time, context_.units);
  char words[200];
  std::snprintf(words, sizeof(words),
                "timestep: a spin turns by at most %.2g rad a step; %s (a timestep up to %.3g%s%s "
                "keeps this angle under %.1f)",
                turn,
                turn <= accurate         ? "safe"
                : turn <= accurate + 0.4 ? "coarse: compare with half the step"
                                         : "too large to follow the fastest spins",
                table_.timestep * accurate / turn, unit.empty() ? "" : " ", unit.c_str(), accurate);
  return {{words, turn > accurate}};
}

void DynamicsStage::prepare(SpinSimulation& simulation) {
  integrator_ = std::make_unique<spins::Integrator>(
      simulation.model, simulation.state.layout(),
      integrator_settings(simulation.study, simulation.geometry), simulation.state.device());
  // If parameters change with time, the steps carry the temperature.
  const double kT = drive_.constant() ? context_.constants.k_B * table_.temperature
                    : drive_.heated() ? 1.0
                                      : 0.0;
  integrator_->set_temperatures({kT});
  for (const TorqueTable& torque : table_.torque) {
    if (torque.kind == "spin-transfer")
      integrator_->set_torque(spin_transfer_of(torque), simulation.geometry);
    else
      integrator_->set_torque(polarisation_of(torque, context_.constants.mu_B));
  }
  ranks_ = &simulation.ranks;
  queue_ = MeasurementQueue(simulation.study.device.queue_bytes());
  blocks_chosen_ = false;
  measurements_.prepare(simulation);
  step_ = 0;
}

double DynamicsStage::seconds_per_update(SpinSimulation& simulation) {
  prepare(simulation);
  const Device& device = simulation.state.device();
  const double of_step = seconds_of_one(device, [&] { integrator_->run(simulation.state, 1); });
  return of_step + measurements_.seconds_per_step(simulation, table_.steps, table_.steps);
}

/// Steps between measurements that the kernels of steps make; 0 if the kernels cannot make any. If
/// the times of the less frequent of energy and magnetisation are among those of the other one, the
/// kernels make both.
Index DynamicsStage::fused_interval() const {
  Index every = 0;
  for (const FusedMeasurement* m : fusable_)
    every = every == 0 ? *m->every() : std::min(every, *m->every());
  return every;
}

/// The next step with a measurement, or at the end of a block of at most `most_steps`.
Index DynamicsStage::next_stop(Index most_steps) const {
  Index stop = std::min(table_.steps, step_ + std::min(block_, most_steps));
  stop = measurements_.next(step_, stop, fused_);
  if (fused_every_ == 0) return stop;
  // Blocks begin at measurements, and have equal lengths.
  const Index next = (step_ / fused_every_ + 1) * fused_every_;
  if (step_ % fused_every_ != 0) return std::min(stop, next);
  if (fused_every_ > block_) return stop;
  return std::min(stop, step_ + block_ / fused_every_ * fused_every_);
}

/// Chooses the length of blocks, which is equal on all ranks.
void DynamicsStage::choose_blocks(SpinSimulation& simulation) {
  blocks_chosen_ = true;
  fused_every_ = 0;
  fused_.clear();
  block_ = usual_block;
  const Index samples = ranks_->minimum(integrator_->samples_at_once(simulation.state));
  if (samples == 0) return;
  if (simulation.model.spins() * simulation.study.replicas <= few_spins) block_ = block_of_few;
  fused_every_ = fused_interval();
  if (fused_every_ == 0) return;
  for (FusedMeasurement* const m : fusable_)
    if (*m->every() % fused_every_ == 0) fused_.push_back(m);
  block_ = std::min(block_, samples * fused_every_);
  observer_ =
      spins::Observer(simulation.model, simulation.state.layout(), simulation.state.device());
}

StageProgress DynamicsStage::advance(SpinSimulation& simulation, ResultsGroup& results) {
  results_ = results;
  if (!blocks_chosen_) choose_blocks(simulation);
  measure(simulation, results);
  const Index stop = next_stop(simulation.most_steps);
  const Index steps = stop - step_;
  const double updates = static_cast<double>(steps) *
                         static_cast<double>(simulation.model.spins()) *
                         static_cast<double>(simulation.study.replicas);
  const std::vector<spins::StepDrive> drive =
      drive_.constant() ? std::vector<spins::StepDrive>{} : drive_.steps(step_, steps);
  if (fused_every_ > 0 && step_ % fused_every_ == 0) {
    std::vector<Pending> parts;
    parts.push_back(integrator_->run_observed(simulation.state, steps, fused_every_, drive));
    measure_fused(std::move(parts), (steps + fused_every_ - 1) / fused_every_, simulation);
  } else {
    integrator_->run(simulation.state, steps, drive);
  }
  step_ = stop;
  const bool done = step_ == table_.steps;
  if (done) {
    measure(simulation, results);
    if (fused_every_ > 0 && step_ % fused_every_ == 0)
      measure_fused(observer_.begin(simulation.state), 1, simulation);
  }
  free_stored_if_full();
  return {updates, done, steps};
}

/// Makes the measurements that steps do not make.
void DynamicsStage::measure(SpinSimulation& simulation, ResultsGroup& results) {
  measurements_.sample_in_turn(simulation, instant(step_), queue_, results, fused_);
}

/// Stores energy and magnetisation of samples from `step_` on.
/// @param parts for spins::Observer::finish
void DynamicsStage::measure_fused(std::vector<Pending> parts, Index samples,
                                  const SpinSimulation& simulation) {
  for (Index sample = 0; sample < samples; ++sample)
    for (FusedMeasurement* m : fused_)
      if (const Index step = step_ + sample * fused_every_; step % *m->every() == 0)
        m->announce(instant(step));
  queue_.push(std::move(parts), [this, samples, simulation,
                                 first = step_](const std::vector<std::vector<double>>& numbers) {
    const spins::EnergyAndMagnetisation measured = spins::Observer::finish(numbers);
    const Index replicas = simulation.ranks.share().count;
    for (Index sample = 0; sample < samples; ++sample) {
      const Index step = first + sample * fused_every_;
      const FusedSample values{instant(step), measured.energy.data() + replicas * sample,
                               measured.magnetisation.data() + 3 * replicas * sample};
      for (FusedMeasurement* m : fused_)
        if (step % *m->every() == 0) m->add_sample(simulation, values);
    }
  });
}

void DynamicsStage::finish(SpinSimulation& simulation, ResultsGroup& results) {
  measurements_.write(simulation, std::nullopt, results);
  write_configurations(simulation, table_.keep_configurations, results);
}

/// Frees samples if they fill the memory that they may use, on all ranks at once.
void DynamicsStage::free_stored_if_full() {
  if (measurements_.kept_bytes() < StoredSamples::most_bytes) return;
  finish_measurements();
  measurements_.free_stored();
}

void DynamicsStage::finish_measurements() {
  queue_.drain();
  measurements_.join_samples();
  if (results_) measurements_.store(std::nullopt, *results_);
}

std::vector<std::pair<std::string, std::string>> DynamicsStage::latest() const {
  const double time = instant(step_).time;
  std::vector<std::pair<std::string, std::string>> words{
      {"t", number_text(std::round(time * 1e6) / 1e6)}};
  if (!table_.temperature_schedule.empty())
    words.emplace_back("T", number_text(std::round(drive_.temperature(time) * 10) / 10));
  return words;
}

std::optional<StagePlace> DynamicsStage::place() const {
  const Instant now = instant(step_);
  return StagePlace{now.step, now.time, now.time_unit};
}

StageMemory DynamicsStage::save() const {
  StageMemory memory;
  memory.integers["position"] = {step_};
  measurements_.save(memory, *ranks_);
  return memory;
}

void DynamicsStage::load(const StageMemory& memory) {
  step_ = memory.integer("position").at(0);
  measurements_.load(memory, *ranks_);
}

}  // namespace larmor::study
