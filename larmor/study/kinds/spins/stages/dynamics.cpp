#include "larmor/study/kinds/spins/stages/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/maths/unit_vector.hpp"
#include "larmor/core/statistics/block_jackknife.hpp"
#include "larmor/core/statistics/statistics.hpp"
#include "larmor/correlations/spectra/detailed_balance.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/spins/specialised/stencil_sums.hpp"
#include "larmor/study/kinds/spins/alloy.hpp"
#include "larmor/study/kinds/spins/stages/connected_replicas.hpp"
#include "larmor/study/kinds/spins/stages/numbered_name.hpp"
#include "larmor/study/kinds/spins/stages/structure_factor_results.hpp"
#include "larmor/study/stages/configurations.hpp"
#include "larmor/study/stages/disorder_average.hpp"

namespace larmor::study {

using correlations::real_space::PairCorrelationsInTime;

namespace {

/// Steps of one portion when nothing is measured for long: short enough to react to Ctrl-C.
constexpr Index longest_portion = 60;
/// The same where steps of so few spins take microseconds, and launching them counts.
constexpr Index longest_portion_of_few = 240;
constexpr Index few_spins = 1 << 20;

MeasurementTable every_ten_steps(const char* what) {
  MeasurementTable table;
  table.what = what;
  return table;
}

void check_measurement(const MeasurementTable& table, Index steps) {
  const bool correlates = table.what == "structure-factor";
  if (correlates) require_one_choice(table, table.what, table.where);
  if (!correlates && (table.asks_for_wave_vectors() || table.points))
    throw InputError("path, points, q and grid belong to structure-factor, not to " + table.what,
                     table.where.of({"path", "q", "grid", "points"}), "remove them");
  const MeasurementTable defaults;
  const bool real_space = correlates && table.method == "real-space";
  if (table.components && !real_space)
    throw InputError("components belongs to structure-factor with method = \"real-space\" alone",
                     table.where.of("components"), "use that method, or remove components");
  for (const auto& [key, given] : {std::pair("precision", table.precision != defaults.precision),
                                   {"error_blocks", table.error_blocks.has_value()}})
    if (given && !real_space && table.what != PairsInTimeChoice::what)
      throw InputError(std::string(key) +
                           " belongs to structure-factor with method = \"real-space\" and to "
                           "pair-correlations alone",
                       table.where.of(key), std::string("use that method, or remove ") + key);
  if (!correlates && table.max_frequency)
    throw InputError("max_frequency belongs to structure-factor, not to " + table.what,
                     table.where.of("max_frequency"), "remove it");
  if (!correlates && (table.detailed_balance || table.temperature))
    throw InputError(
        "detailed_balance and temperature belong to structure-factor, not to " + table.what,
        table.where.of({"detailed_balance", "temperature"}), "remove them");
  if (table.temperature && !table.detailed_balance)
    throw InputError("temperature requires detailed_balance = true", table.where.of("temperature"),
                     "set detailed_balance = true, or remove temperature");
  if (table.window_width && table.window != "gaussian")
    throw InputError("window_width requires window = \"gaussian\", not \"" + table.window + "\"",
                     table.where.of("window_width"), "use that window, or remove window_width");
  if (table.every > steps)
    throw InputError("measuring every " + std::to_string(table.every) + " steps, but there are " +
                         std::to_string(steps),
                     table.where.of("every"), "measure more often, or take more steps");
}

constexpr std::pair<spins::Scheme, const char*> scheme_names[] = {
    {spins::Scheme::rk4, "rk4"},
    {spins::Scheme::depondt, "depondt"},
    {spins::Scheme::heun, "heun"},
    {spins::Scheme::semi_implicit, "semi-implicit"},
    {spins::Scheme::midpoint, "midpoint"}};

const char* scheme_name(spins::Scheme scheme) {
  for (const auto& [known, name] : scheme_names)
    if (known == scheme) return name;
  throw InternalError("an integrator without a name");
}

/// How ranks, which outlive it, bring samples of replicas together.
correlations::RankedSamples ranked_samples(const Ranks& ranks) {
  if (ranks.replicas().own == ranks.replicas().all) return {{}, ranks.is_root()};
  return {[&ranks](std::vector<double> own, Index inner) {
            return ranks.gathered(std::move(own), ranks.replicas(), inner);
          },
          ranks.is_root()};
}

/// For its errors too.
void require_replicas(const MeasurementTable& table, const Study& study) {
  if (table.connected) require_several_replicas(study, table.where.of("connected"));
  const Index least = table.connected ? 2 : 1;
  const Index asked = table.error_blocks.value_or(0);
  if (asked >= 2 && jackknife_blocks(asked, study.replicas, least) == 0)
    throw InputError(
        "error_blocks leaves replicas out in turn: " +
            std::string(table.connected ? "connected" : "plain") + " correlations have errors of " +
            std::to_string(least + 1) + " replicas or more, and there are " +
            std::to_string(study.replicas),
        table.where.of("error_blocks"),
        "set replicas = " + std::to_string(least + 1) + " or more, or error_blocks = 0");
}

void require_torque_fits(const TorqueTable& torque, const lattice::Geometry& geometry) {
  if (torque.kind != "spin-transfer") return;
  try {
    spins::require_neighbours_along(geometry, torque.velocity);
  } catch (const InputError& error) {
    throw InputError(error.problem(), torque.where.of("velocity"), error.remedy());
  }
}

/// One temperature, of the heat bath or of the measurement.
void check_detailed_balance(const MeasurementTable& measurement, const DynamicsTable& stage) {
  if (!measurement.detailed_balance) return;
  const bool bath = stage.temperature > 0;
  if (bath && measurement.temperature)
    throw InputError("detailed_balance has two temperatures, its own and the heat bath's",
                     measurement.where.of("temperature"),
                     "remove the temperature beside detailed_balance");
  if (!bath && !measurement.temperature)
    throw InputError("detailed_balance needs a temperature, and the stage has no heat bath of one",
                     measurement.where.of("detailed_balance"),
                     "give the temperature of the spins: detailed_balance = true, temperature = 1");
}

/// Of which there may be several, with wave vectors or bins of their own.
bool has_groups_of_its_own(const std::string& what) {
  return what == "structure-factor" || what == PairsInTimeChoice::what;
}

/// Two measurements of one quantity would share one series.
void require_different(const std::vector<MeasurementTable>& tables) {
  for (std::size_t n = 0; n < tables.size(); ++n)
    for (std::size_t m = 0; m < n; ++m)
      if (tables[m].what == tables[n].what && !has_groups_of_its_own(tables[n].what))
        throw InputError(tables[n].what + " is measured twice", tables[n].where.of("what"),
                         "keep the one that measures more often");
}

}  // namespace

DynamicsStage::DynamicsStage(const Table& table, const ReadContext& context)
    : table_(table), context_(context), drive_(table, context) {
  const bool damps = std::any_of(table.damping.begin(), table.damping.end(),
                                 [](double alpha) { return alpha > 0; });
  if (drive_.heated() && !damps)
    throw InputError("dynamics has a heat bath but no damping, so the bath would do nothing",
                     table.where.of({"temperature", "temperature_schedule"}),
                     "give damping = 0.1, for instance, or remove the temperature");
  if (drive_.heated() && table.integrator == "rk4")
    throw InputError("rk4 has no heat bath", table.where.of("integrator"),
                     "use depondt, heun, semi-implicit or midpoint with a temperature");
  if (table_.measure.empty())
    table_.measure = {every_ten_steps("energy"), every_ten_steps("magnetisation")};
  for (MeasurementTable& m : table_.measure) {
    if (table.measure.empty()) m.every = std::min(m.every, table_.steps);
    check_measurement(m, table_.steps);
    PairsInTimeChoice(m, context_);  // throws
    check_detailed_balance(m, table_);
  }
  require_different(table_.measure);
  for (const MeasurementTable& m : table_.measure)
    if (!table_.pulse.empty() && (m.what == "spin-temperature" || m.what == SiteAverages::energy))
      throw InputError(m.what + " counts the fields of the Hamiltonian only, not those of pulses",
                       m.where.of("what"), "measure it in a stage without pulses");
}

std::string DynamicsStage::plan() const {
  std::string words = std::to_string(table_.steps) + " steps of " + number_text(table_.timestep);
  const std::string unit = inner_unit(Dimension::time, context_.units);
  if (!unit.empty()) words += " " + unit;
  words += " (" + std::string(scheme_name(scheme())) + ")";
  if (!table_.temperature_schedule.empty()) {
    words += ", heat bath by schedule";
  } else if (drive_.heated()) {
    words += ", heat bath at " + number_text(table_.temperature);
    const std::string kelvin = inner_unit(Dimension::temperature, context_.units);
    if (!kelvin.empty()) words += " " + kelvin;
  }
  for (const TorqueTable& torque : table_.torque) words += ", " + torque.kind + " torque";
  if (!table_.pulse.empty()) words += ", " + std::to_string(table_.pulse.size()) + " pulse(s)";
  for (const MeasurementTable& m : table_.measure)
    words += ", " + m.what + " every " + std::to_string(m.every);
  return words;
}

correlations::StructureFactorSettings DynamicsStage::structure_factor_settings(
    const MeasurementTable& table, const lattice::Geometry& geometry) const {
  correlations::StructureFactorSettings settings;
  settings.q = wave_vectors_of(geometry, table, table.where);
  try {
    settings.method = correlations::method_by_name(table.method);
    settings.pair_precision = correlations::real_space::pair_precision_by_name(table.precision);
    settings.components = table.components;
    settings.error_blocks = table.error_blocks.value_or(MeasurementTable::usual_error_blocks);
    settings.window = correlations::window_by_name(table.window);
    settings.window_width = table.window_width.value_or(correlations::gaussian_width);
    settings.origins = table.origins == "all"    ? correlations::Origins::all
                       : table.origins == "auto" ? correlations::Origins::automatic
                                                 : correlations::Origins::some;
    settings.connected = table.connected;
    correlations::require_method(geometry, settings);
  } catch (const InputError& error) {
    throw InputError(error.problem(), table.where.of("method"), error.remedy());
  }
  settings.interval = time_of(static_cast<double>(table.every));
  settings.samples = table_.steps / table.every + 1;
  return settings;
}

correlations::real_space::PairsInTimeSettings DynamicsStage::pairs_settings(
    const MeasurementTable& table, const lattice::Geometry& geometry) const {
  return PairsInTimeChoice(table, context_).settings(geometry, table_.timestep, table_.steps);
}

double DynamicsStage::extra_bytes(const Study& study, const lattice::Geometry& geometry) const {
  const SpinLayout layout{geometry.sites(), study.replicas};
  integrator_settings(study, geometry);
  for (const TorqueTable& torque : table_.torque) require_torque_fits(torque, geometry);
  double bytes = takes_derivatives() ? spins::derivative_bytes(geometry).host : 0;
  for (const MeasurementTable& m : table_.measure) {
    require_measurable(m.what, study, geometry, m.where.of("what"));
    const double samples = static_cast<double>(table_.steps / m.every + 1);
    if (m.what == PairsInTimeChoice::what) continue;
    if (m.what == "structure-factor") {
      // The root has them all, the others less: samples that wait for the root.
      const auto settings = structure_factor_settings(m, geometry);
      if (settings.method != correlations::Method::real_space)
        bytes += correlations::correlator_bytes(geometry, settings, study.replicas);
      continue;
    }
    bytes += 8 * 3 * samples * static_cast<double>(study.replicas);
    if (SiteAverages::is_one(m.what)) bytes += 8 * SiteAverages::numbers(geometry, study.replicas);
    if (m.what == "autocorrelation") bytes += 8 * static_cast<double>(layout.numbers());
  }
  return bytes;
}

double DynamicsStage::bytes_of_all_replicas(const Study& study,
                                            const lattice::Geometry& geometry) const {
  double bytes = 0;
  for (const MeasurementTable& m : table_.measure) {
    if (!has_groups_of_its_own(m.what)) continue;
    require_replicas(m, study);
    if (m.what == PairsInTimeChoice::what) {
      if (m.connected) require_replicas_alike(study, geometry, m.where.of("connected"));
      bytes += PairCorrelationsInTime::bytes(geometry, pairs_settings(m, geometry), study.replicas);
      continue;
    }
    const auto settings = structure_factor_settings(m, geometry);
    if (settings.method == correlations::Method::real_space)
      bytes += correlations::correlator_bytes(geometry, settings, study.replicas);
  }
  return bytes;
}

double DynamicsStage::device_bytes(const Study& study, const lattice::Geometry& geometry,
                                   const Device& device, Index all_replicas) const {
  const SpinLayout layout{geometry.sites(), study.replicas};
  const Index numbers = spins::work_fields(scheme(), drive_.heated()) * layout.numbers();
  auto bytes = static_cast<double>(bytes_of_reals(device.precision, numbers));
  if (takes_derivatives()) bytes += spins::derivative_bytes(geometry).device;
  // Where steps measure in passing, each sample of a portion has 256 bytes a block of threads,
  // which are some byte a spin.
  if (device.backend == Backend::cuda && passing_rhythm() > 0) {
    const Index all = layout.numbers() / 3;
    const Index portion = all <= few_spins ? longest_portion_of_few : longest_portion;
    const Index samples = std::min(portion, table_.steps) / passing_rhythm() + 1;
    bytes +=
        static_cast<double>(std::max(all, std::min(samples * all, spins::StencilSums::most_bytes)));
  }
  for (const MeasurementTable& m : table_.measure) {
    bytes += SiteAverages({m.what}).device_bytes(layout, device);
    if (m.what == "autocorrelation")
      bytes += static_cast<double>(bytes_of_reals(device.precision, layout.numbers()));
    if (m.what == "structure-factor")
      bytes +=
          correlations::correlator_working_bytes(geometry, structure_factor_settings(m, geometry),
                                                 {0, study.replicas, all_replicas}, device);
    if (m.what != PairsInTimeChoice::what) continue;
    const auto settings = pairs_settings(m, geometry);
    PairsInTimeChoice(m, context_).require_bins(device, settings);
    bytes += PairCorrelationsInTime::working_bytes(geometry, settings,
                                                   {0, study.replicas, all_replicas}, device);
  }
  return bytes;
}

bool DynamicsStage::takes_derivatives() const {
  return std::any_of(table_.torque.begin(), table_.torque.end(),
                     [](const TorqueTable& torque) { return torque.kind == "spin-transfer"; });
}

bool DynamicsStage::reads_tables() const {
  return scheme() == spins::Scheme::midpoint || takes_derivatives() ||
         std::any_of(table_.measure.begin(), table_.measure.end(),
                     [](const MeasurementTable& m) { return study::reads_tables(m.what); });
}

spins::Scheme DynamicsStage::scheme() const {
  for (const auto& [scheme, name] : scheme_names)
    if (table_.integrator == name) return scheme;
  return drive_.heated() ? spins::Scheme::depondt : spins::Scheme::rk4;
}

spins::IntegratorSettings DynamicsStage::integrator_settings(
    const Study& study, const lattice::Geometry& geometry) const {
  spins::IntegratorSettings settings;
  settings.scheme = scheme();
  settings.timestep = table_.timestep;
  // In material units a moment of m mu_B in a field -dH/de of one eV turns at g_e / (hbar m) a ps;
  // in reduced units all of these are 1.
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

/// Under this turn x of a step a scheme is right to a thousandth: the error is x^2 / 12 of second
/// order, x^4 / 120 of fourth.
double accurate_turn(spins::Scheme scheme) { return scheme == spins::Scheme::rk4 ? 0.5 : 0.1; }

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
  const double accurate = accurate_turn(scheme());
  const double turn = fastest_precession(simulation) * table_.timestep;
  if (turn == 0) return {};
  const std::string unit = inner_unit(Dimension::time, context_.units);
  char words[200];
  std::snprintf(words, sizeof(words),
                "timestep: a spin turns by at most %.2g rad a step; %s (up to %.3g%s%s keeps it "
                "under %.1f)",
                turn,
                turn <= accurate         ? "safe"
                : turn <= accurate + 0.4 ? "coarse: compare with half the step"
                                         : "too large to follow the fastest spins",
                table_.timestep * accurate / turn, unit.empty() ? "" : " ", unit.c_str(), accurate);
  return {{words, turn > accurate}};
}

/// Angular, that results hold. A ferromagnet's band ends at twice the precession in its exchange
/// field, and its lines are some frequencies wide.
double DynamicsStage::largest_frequency(const MeasurementTable& table,
                                        const SpinSimulation& simulation) const {
  if (table.max_frequency) return *table.max_frequency / context_.constants.hbar;
  if (table.origins != "auto") return std::numeric_limits<double>::infinity();
  return 2.1 * fastest_precession(simulation);
}

void DynamicsStage::prepare(SpinSimulation& simulation) {
  integrator_ = std::make_unique<spins::Integrator>(
      simulation.model, simulation.state.layout(),
      integrator_settings(simulation.study, simulation.geometry), simulation.state.device());
  // Where something changes with time, the steps carry the temperature.
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
  portions_chosen_ = false;
  measurements_.clear();
  note_.clear();
  for (const MeasurementTable& m : table_.measure) {
    Measurement measurement;
    measurement.table = m;
    measurement.sites = SiteAverages({m.what});
    if (m.what == "autocorrelation") {
      measurement.observables = {{"autocorrelation", "", 1, {}}};
      measurement.values.resize(1);
    } else if (!has_groups_of_its_own(m.what) && m.what != "trajectory" &&
               !SiteAverages::is_one(m.what)) {
      measurement.observables = observables_of(m.what, simulation, context_);
      measurement.values.resize(measurement.observables.size());
    }
    if (m.what == "structure-factor") {
      measurement.settings = structure_factor_settings(m, simulation.geometry);
      measurement.structure_factor = correlations::make_correlator(
          simulation.geometry, measurement.settings, simulation.ranks.share(),
          simulation.ranks.world(), ranked_samples(simulation.ranks));
    }
    if (m.what == PairsInTimeChoice::what)
      measurement.pairs = std::make_unique<PairCorrelationsInTime>(
          simulation.geometry, pairs_settings(m, simulation.geometry), simulation.study.replicas,
          simulation.ranks.world());
    measurements_.push_back(std::move(measurement));
  }
  device_ = simulation.state.device();
  step_ = 0;
}

double DynamicsStage::seconds_per_update(SpinSimulation& simulation) {
  prepare(simulation);
  const Device& device = simulation.state.device();
  double seconds = seconds_of_one(device, [&] { integrator_->run(simulation.state, 1); });
  for (const Measurement& m : measurements_) {
    const auto try_part = [&]() -> Index {
      if (m.structure_factor) return m.structure_factor->try_part(simulation.state);
      return m.pairs ? m.pairs->try_part(simulation.state) : 0;
    };
    const Index parts = try_part();
    if (parts == 0) continue;
    const Index samples = table_.steps / m.table.every + 1;
    seconds += seconds_of_one(device, try_part) * static_cast<double>(parts * samples) /
               static_cast<double>(table_.steps);
  }
  return seconds;
}

/// Steps from one measurement in passing to the next, where they can be made; 0: none. The rarer of
/// energy and magnetisation passes too where its steps are among the other's.
Index DynamicsStage::passing_rhythm() const {
  Index every = 0;
  for (const MeasurementTable& m : table_.measure)
    if (m.what == "energy" || m.what == "magnetisation")
      every = every == 0 ? m.every : std::min(every, m.every);
  return every;
}

/// Do steps measure it as they go?
bool DynamicsStage::passes(const Measurement& m) const {
  return passing_every_ > 0 && (m.table.what == "energy" || m.table.what == "magnetisation") &&
         m.table.every % passing_every_ == 0;
}

/// The next step at which something is measured, or a portion ends.
Index DynamicsStage::next_stop() const {
  Index stop = std::min(table_.steps, step_ + portion_);
  for (const Measurement& m : measurements_)
    if (!passes(m)) stop = std::min(stop, (step_ / m.table.every + 1) * m.table.every);
  if (passing_every_ == 0) return stop;
  // Portions begin where something is measured, and are alike.
  const Index next = (step_ / passing_every_ + 1) * passing_every_;
  if (step_ % passing_every_ != 0) return std::min(stop, next);
  if (passing_every_ > portion_) return stop;
  return std::min(stop, step_ + portion_ / passing_every_ * passing_every_);
}

/// The same on all ranks.
void DynamicsStage::choose_portions(SpinSimulation& simulation) {
  portions_chosen_ = true;
  passing_every_ = 0;
  portion_ = longest_portion;
  const Index samples = ranks_->least(integrator_->samples_at_once(simulation.state));
  if (samples == 0) return;
  if (simulation.model.spins() * simulation.study.replicas <= few_spins)
    portion_ = longest_portion_of_few;
  passing_every_ = passing_rhythm();
  if (passing_every_ == 0) return;
  portion_ = std::min(portion_, samples * passing_every_);
  observer_ =
      spins::Observer(simulation.model, simulation.state.layout(), simulation.state.device());
}

Portion DynamicsStage::advance(SpinSimulation& simulation, ResultsGroup& results) {
  if (!portions_chosen_) choose_portions(simulation);
  measure(simulation, results);
  const Index stop = next_stop();
  const double updates = static_cast<double>(stop - step_) *
                         static_cast<double>(simulation.model.spins()) *
                         static_cast<double>(simulation.study.replicas);
  const std::vector<spins::StepDrive> drive =
      drive_.constant() ? std::vector<spins::StepDrive>{} : drive_.steps(step_, stop - step_);
  if (passing_every_ > 0 && step_ % passing_every_ == 0) {
    std::vector<Pending> parts;
    parts.push_back(
        integrator_->run_observed(simulation.state, stop - step_, passing_every_, drive));
    observe_passing(std::move(parts), (stop - step_ + passing_every_ - 1) / passing_every_,
                    simulation);
  } else {
    integrator_->run(simulation.state, stop - step_, drive);
  }
  step_ = stop;
  const bool done = step_ == table_.steps;
  if (done) {
    measure(simulation, results);
    if (passing_every_ > 0 && step_ % passing_every_ == 0)
      observe_passing(observer_.begin(simulation.state), 1, simulation);
  }
  return {updates, done};
}

/// What steps do not measure as they go.
void DynamicsStage::measure(SpinSimulation& simulation, ResultsGroup& results) {
  for (Measurement& m : measurements_)
    if (step_ % m.table.every == 0 && !passes(m)) take(m, simulation, results);
}

/// B of all pulses together.
Vec3<double> DynamicsStage::pulse_at(Index step) const {
  return table_.pulse.empty() ? Vec3<double>{0, 0, 0}
                              : drive_.field(time_of(static_cast<double>(step)));
}

/// The energy of a sample, pulses included. @param magnetisation [replica][3], if there are pulses
void DynamicsStage::add_energy(Measurement& m, const SpinSimulation& simulation,
                               std::vector<double> energy, const double* magnetisation,
                               const Vec3<double>& B) {
  if (!table_.pulse.empty())
    for (std::size_t r = 0; r < energy.size(); ++r) {
      const double* moment = magnetisation + 3 * r;
      energy[r] -= context_.constants.mu_B * dot(B, Vec3<double>{moment[0], moment[1], moment[2]});
    }
  require_finite_energies(simulation, energy);
  m.values[0].insert(m.values[0].end(), energy.begin(), energy.end());
}

/// Takes in energy and magnetisation of samples from `step_` on.
/// @param parts for spins::Observer::finish
void DynamicsStage::observe_passing(std::vector<Pending> parts, Index samples,
                                    const SpinSimulation& simulation) {
  for (Index sample = 0; sample < samples; ++sample)
    for (Measurement& m : measurements_)
      if (const Index step = step_ + sample * passing_every_;
          passes(m) && step % m.table.every == 0)
        m.steps.push_back(static_cast<double>(step));
  queue_.push(std::move(parts), [this, samples, simulation,
                                 first = step_](const std::vector<std::vector<double>>& numbers) {
    const spins::EnergyAndMagnetisation measured = spins::Observer::finish(numbers);
    const Index replicas = simulation.ranks.share().count;
    for (Index sample = 0; sample < samples; ++sample) {
      const Index step = first + sample * passing_every_;
      const double* magnetisation = measured.magnetisation.data() + 3 * replicas * sample;
      const auto energy = measured.energy.begin() + replicas * sample;
      for (Measurement& m : measurements_) {
        if (!passes(m) || step % m.table.every != 0) continue;
        if (m.table.what == "energy")
          add_energy(m, simulation, {energy, energy + replicas}, magnetisation, pulse_at(step));
        else
          m.values[0].insert(m.values[0].end(), magnetisation, magnetisation + 3 * replicas);
      }
    }
  });
}

/// Begins the measurement of what observables are of.
void DynamicsStage::observe(Measurement& m, const SpinSimulation& simulation) {
  std::vector<Pending> parts;
  for (const Observable& observable : m.observables) parts.push_back(observable.measure());
  const bool pulsed = !table_.pulse.empty() && m.table.what == "energy";
  if (pulsed)
    parts.push_back(spins::magnetisation_per_site_later(simulation.model, simulation.state));
  queue_.push(std::move(parts), [this, &m, simulation, B = pulse_at(step_)](
                                    const std::vector<std::vector<double>>& numbers) {
    if (m.table.what == "energy")
      return add_energy(m, simulation, numbers[0], numbers.back().data(), B);
    for (std::size_t n = 0; n < m.observables.size(); ++n)
      m.values[n].insert(m.values[n].end(), numbers[n].begin(), numbers[n].end());
  });
}

void DynamicsStage::take(Measurement& m, SpinSimulation& simulation, ResultsGroup& results) {
  if (m.table.what == "structure-factor") {
    m.structure_factor->add(simulation.state);
    return;
  }
  if (m.pairs) {
    m.pairs->add(simulation.state);
    return;
  }
  if (m.table.what == "trajectory") {
    append_trajectory(
        results, simulation, m.table.replicas,
        {step_, time_of(static_cast<double>(step_)), inner_unit(Dimension::time, context_.units)});
    return;
  }
  m.steps.push_back(static_cast<double>(step_));
  m.sites.add(simulation);
  if (m.table.what == "autocorrelation") {
    if (m.first.size() == 0) m.first = RealArray(device_, simulation.state.save());
    m.observables[0].measure = [&m, &state = simulation.state] {
      return spins::overlap_later(state, m.first);
    };
  }
  observe(m, simulation);
}

void DynamicsStage::write_series(const Measurement& m, const SpinSimulation& simulation,
                                 ResultsGroup& results) const {
  const Index replicas = ranks_->gathered_replicas();
  const bool replicas_differ = simulation.model.differs_by_replica();
  std::vector<double> time;
  for (const double step : m.steps) time.push_back(time_of(step));
  for (std::size_t n = 0; n < m.observables.size(); ++n) {
    const Observable& observable = m.observables[n];
    const std::vector<double> values =
        ranks_->gathered(m.values[n], ranks_->replicas(), observable.components);
    const std::string where = "series/" + observable.name;
    const bool vectors = observable.components == 3;
    const bool pairs = observable.components == of_ratio;
    results.append(where + "/value", pairs ? ratios(values) : values,
                   vectors ? std::vector<Index>{replicas, 3} : std::vector<Index>{replicas},
                   observable.unit);
    results.append(where + "/step", m.steps, {}, "");
    results.append(where + "/time", time, {}, inner_unit(Dimension::time, context_.units));
    if (pairs) {
      append_estimate(results, observable.name, ratio_of_means(values, replicas, replicas_differ),
                      observable.unit);
      continue;
    }
    const std::vector<double> sizes = vectors ? lengths(values) : values;
    append_estimate(
        results, observable.name,
        replicas_differ ? disorder_mean(sizes, replicas) : estimate_replicas(sizes, replicas),
        observable.unit);
  }
}

void DynamicsStage::finish(SpinSimulation& simulation, ResultsGroup& results) {
  Index number = 0, number_of_pairs = 0;
  for (Measurement& m : measurements_) {
    if (m.pairs) {
      if (ranks_->is_root())
        PairsInTimeChoice(m.table, context_)
            .write(results, numbered_name(PairsInTimeChoice::what, ++number_of_pairs),
                   m.pairs->finish(simulation.state.device().threads),
                   pairs_settings(m.table, simulation.geometry), simulation);
      continue;
    }
    if (!m.structure_factor) {
      m.sites.append(simulation, results);
      write_series(m, simulation, results);
      continue;
    }
    const std::string name = numbered_name("structure-factor", ++number);
    if (!ranks_->is_root()) continue;
    auto values = m.structure_factor->finish(simulation.state.device().threads);
    correlations::keep_frequencies(values, largest_frequency(m.table, simulation));
    if (m.table.detailed_balance)
      correlations::apply_detailed_balance(
          values,
          context_.constants.hbar / (context_.constants.k_B * balance_temperature(m.table)));
    write_structure_factor(results, name, values, m.settings, m.table, simulation);
    if (values.precision_error)
      note_ += (note_.empty() ? "" : "\nnote: ") +
               precision_note(name, *values.precision_error, simulation.study.replicas);
    if (m.table.detailed_balance)
      results.set_attribute(name, "detailed_balance_temperature", balance_temperature(m.table));
  }
  write_configurations(simulation, table_.keep_configurations, results);
}

void DynamicsStage::settle() {
  queue_.drain();
  for (Measurement& m : measurements_)
    if (m.structure_factor) m.structure_factor->settle();
}

std::vector<std::pair<std::string, std::string>> DynamicsStage::latest() const {
  const double time = time_of(static_cast<double>(step_));
  std::vector<std::pair<std::string, std::string>> words{
      {"t", number_text(std::round(time * 1e6) / 1e6)}};
  if (!table_.temperature_schedule.empty())
    words.emplace_back("T", number_text(std::round(drive_.temperature(time) * 10) / 10));
  return words;
}

StageMemory DynamicsStage::save() const {
  StageMemory memory;
  memory.integers["position"] = {step_};
  for (std::size_t n = 0; n < measurements_.size(); ++n) {
    const Measurement& m = measurements_[n];
    const std::string name = std::to_string(n);
    memory.numbers["steps_" + name] = m.steps;
    if (m.first.size() > 0) memory.numbers["first_" + name] = ranks_->joined(m.first.to_host());
    if (SiteAverages::is_one(m.table.what)) m.sites.save(memory, *ranks_, "_" + name);
    if (m.structure_factor) memory.numbers["correlations_" + name] = m.structure_factor->save();
    if (m.pairs) memory.numbers["pairs_" + name] = m.pairs->save();
    for (std::size_t k = 0; k < m.observables.size(); ++k)
      memory.numbers["values_" + name + "_" + m.observables[k].name] =
          ranks_->gathered(m.values[k], ranks_->replicas(), m.observables[k].components);
  }
  return memory;
}

void DynamicsStage::load(const StageMemory& memory) {
  step_ = memory.integer("position").at(0);
  for (std::size_t n = 0; n < measurements_.size(); ++n) {
    Measurement& m = measurements_[n];
    const std::string name = std::to_string(n);
    m.steps = memory.number("steps_" + name);
    if (m.table.what == "autocorrelation" && step_ > 0)
      m.first = RealArray(device_, own_blocks(*ranks_, memory.number("first_" + name)));
    if (SiteAverages::is_one(m.table.what)) m.sites.load(memory, *ranks_, "_" + name);
    if (m.structure_factor) m.structure_factor->load(memory.number("correlations_" + name));
    if (m.pairs) m.pairs->load(memory.number("pairs_" + name));
    for (std::size_t k = 0; k < m.observables.size(); ++k)
      m.values[k] = ranks_->own_of(memory.number("values_" + name + "_" + m.observables[k].name),
                                   ranks_->replicas(), m.observables[k].components);
  }
}

}  // namespace larmor::study
