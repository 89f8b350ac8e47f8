#include "larmor/study/models/spins/measurements/structure_factor_in_time.hpp"

#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/correlations/spectra/structure_factor.hpp"
#include "larmor/study/models/spins/measurements/correlation_results.hpp"

namespace larmor::study {
namespace {

/// Joins samples of the replicas of all ranks. @param ranks outlives the result
correlations::RankedSamples ranked_samples(const Ranks& ranks) {
  if (ranks.replicas().own == ranks.replicas().all) return {{}, ranks.is_root()};
  return {[&ranks](std::vector<double> own, Index inner) {
            return ranks.gathered(std::move(own), ranks.replicas(), inner);
          },
          ranks.is_root()};
}

/// There must be one temperature, that of the heat bath or that of the measurement.
void check_detailed_balance(const StructureFactorTable& table, double bath_temperature) {
  if (table.temperature && !table.detailed_balance)
    throw InputError("temperature requires detailed_balance = true", table.where.of("temperature"),
                     "set detailed_balance = true, or remove temperature");
  if (!table.detailed_balance) return;
  const bool bath = bath_temperature > 0;
  if (bath && table.temperature)
    throw InputError("detailed_balance has two temperatures, its own and the heat bath's",
                     table.where.of("temperature"), "remove the temperature of this entry");
  if (!bath && !table.temperature)
    throw InputError(
        "detailed_balance needs a temperature, and the stage has no heat bath of constant "
        "temperature",
        table.where.of("detailed_balance"),
        "give the temperature of the spins: detailed_balance = true, temperature = 1");
}

/// Refuses keys of sums over pairs with any other method.
void require_real_space(const StructureFactorTable& table) {
  if (table.method == "real-space") return;
  const StructureFactorTable defaults;
  for (const auto& [key, given] : {std::pair("precision", table.precision != defaults.precision),
                                   {"error_blocks", table.error_blocks.has_value()},
                                   {"components", table.components}})
    if (given)
      throw InputError(std::string(key) + " belongs to method = \"real-space\"",
                       table.where.of(key), std::string("use this method, or remove ") + key);
}

}  // namespace

FieldTable<StructureFactorTable> StructureFactorTable::fields() {
  auto table = measurement_fields<StructureFactorTable>(StructureFactorInTime::name);
  add_wave_vector_fields(table)
      .optional("method", &StructureFactorTable::method, Dimension::none,
                "method of the sum over sites: factorised phases, FFT on lattices, or (real-space) "
                "the product over all pairs of sites. Only real-space has the keys precision, "
                "components and error_blocks")
      .one_of({"auto", "factorised", "fft", "real-space"})
      .optional("components", &StructureFactorTable::components, Dimension::none,
                "real-space: if true, also computes the components of spin, each by a separate sum "
                "over tiles. The other methods always compute the components");
  return add_correlation_fields(table)
      .optional("origins", &StructureFactorTable::origins, Dimension::none,
                "time origins, with which later times are correlated. fixed: only the first time; "
                "all: every time; auto: every time if this needs less than 256 MiB, otherwise up "
                "to 16 evenly spaced times")
      .one_of({"auto", "fixed", "all"})
      .optional("max_frequency", &StructureFactorTable::max_frequency, Dimension::energy,
                "hbar times the largest angular frequency in the results. The default for origins "
                "= \"auto\" is 2.1 times the fastest precession in the largest field of the model. "
                "This lies just above the band of a ferromagnet, and at twice the band of an "
                "antiferromagnet. The default for other origins is all frequencies")
      .positive()
      .optional("detailed_balance", &StructureFactorTable::detailed_balance, Dimension::none,
                "multiplies S(q,w) by beta hbar w / (1 - exp(-beta hbar w)), as in the harmonic "
                "quantum system")
      .optional("temperature", &StructureFactorTable::temperature, Dimension::temperature,
                "temperature of detailed balance, with beta = 1 / k_B T. The default is the "
                "temperature of the heat bath")
      .positive();
}

StructureFactorInTime::StructureFactorInTime(const Table& table, const DynamicsContext& course)
    : Measurement(name, complete(table, course.read), table.every),
      table_(table),
      course_(course),
      label_(numbered_name(name, course.number)) {
  require_one_choice(table, name, table.where);
  require_real_space(table);
  require_consistent(table);
  check_detailed_balance(table, course.temperature);
}

correlations::StructureFactorSettings StructureFactorInTime::settings_for(
    const lattice::Geometry& geometry) const {
  correlations::StructureFactorSettings settings;
  settings.q = wave_vectors_of(geometry, table_, table_.where);
  with_position(table_.where.of("method"), [&] {
    settings.method = correlations::method_by_name(table_.method);
    settings.pair_precision = correlations::real_space::pair_precision_by_name(table_.precision);
    settings.components = table_.components;
    settings.error_blocks = table_.error_blocks.value_or(Table::usual_error_blocks);
    settings.window = correlations::window_by_name(table_.window);
    settings.window_width = table_.window_width.value_or(correlations::gaussian_width);
    settings.origins = table_.origins == "all"    ? correlations::Origins::all
                       : table_.origins == "auto" ? correlations::Origins::automatic
                                                  : correlations::Origins::some;
    settings.connected = table_.connected;
    correlations::require_method(geometry, settings);
  });
  settings.interval = static_cast<double>(table_.every) * course_.timestep;
  settings.samples = course_.samples(table_.every);
  return settings;
}

void StructureFactorInTime::validate(const Sizing& sizing) const {
  settings_for(*sizing.system.geometry);  // throws
  require_replicas(table_, sizing.study);
}

StageBytes StructureFactorInTime::forecast(const Sizing& sizing) const {
  const lattice::Geometry& geometry = *sizing.system.geometry;
  const auto settings = settings_for(geometry);
  StageBytes bytes;
  // The root has the samples of all replicas. All other ranks have only samples that wait for the
  // root. In real space every rank has all samples.
  if (settings.method == correlations::Method::real_space)
    bytes.host_of_all_replicas =
        correlations::correlator_bytes(geometry, settings, sizing.all_replicas);
  else
    bytes.host = correlations::correlator_bytes(geometry, settings, sizing.replicas);
  bytes.device = correlations::correlator_working_bytes(
      geometry, settings, {0, sizing.replicas, sizing.all_replicas}, sizing.device);
  return bytes;
}

void StructureFactorInTime::prepare(const Simulation& simulation) {
  const lattice::Geometry& geometry = spins_of(simulation).geometry;
  settings_ = settings_for(geometry);
  correlator_ =
      correlations::make_correlator(geometry, settings_, simulation.ranks.share(),
                                    simulation.ranks.world(), ranked_samples(simulation.ranks));
  note_.clear();
}

Index StructureFactorInTime::try_share(const Simulation& simulation) {
  return correlator_->try_share(spins_of(simulation).state);
}

void StructureFactorInTime::sample(const Simulation& simulation, const Instant&, MeasurementQueue&,
                                   ResultsGroup&) {
  correlator_->add(spins_of(simulation).state);
}

/// A ferromagnet's band ends at twice the precession in its exchange field, and its lines are some
/// frequencies wide.
double StructureFactorInTime::largest_frequency(const SpinSimulation& simulation) const {
  if (table_.max_frequency) return *table_.max_frequency / course_.read.constants.hbar;
  if (table_.origins != "auto") return std::numeric_limits<double>::infinity();
  return 2.1 * course_.fastest_precession(simulation);
}

void StructureFactorInTime::write(const Simulation& simulation, const std::optional<MeasuredPoint>&,
                                  ResultsGroup& results) {
  if (!simulation.ranks.is_root()) return;
  const SpinSimulation spins = spins_of(simulation);
  auto values = correlator_->finish(spins.state.device().threads);
  correlations::keep_frequencies(values, largest_frequency(spins));
  const auto& constants = course_.read.constants;
  if (table_.detailed_balance)
    correlations::apply_detailed_balance(values,
                                         constants.hbar / (constants.k_B * balance_temperature()));
  write_spectrum(values, spins, results);
  if (values.precision_error)
    note_ = precision_note(label_, *values.precision_error, simulation.study.replicas);
}

void StructureFactorInTime::write_spectrum(const correlations::StructureFactorResult& values,
                                           const SpinSimulation& simulation,
                                           ResultsGroup& results) const {
  const bool material = course_.read.units == UnitSystem::material;
  const Index Q = settings_.q.size(), T = settings_.samples;
  const auto F = static_cast<Index>(values.frequency.size());
  const std::string group = label_ + "/";
  const std::string time = material ? "ps" : "";
  write_wave_vectors(results, group, settings_.q, material ? "1/Å" : "");
  results.write(group + "frequency", values.frequency, {F}, material ? "rad/ps" : "");
  results.write(group + "time", values.time, {T}, time);
  results.write(group + "intensity", values.intensity, {Q, F}, time);
  results.write(group + "error", values.error, {Q, F}, time);
  if (!values.components.empty())
    results.write(group + "components", values.components, {Q, F, 3}, time);
  results.write(group + "intermediate", complex_parts(values.intermediate), {Q, T, 2}, "");
  results.write(group + "intermediate_error", values.intermediate_error, {Q, T}, "");
  results.write(group + "static", values.static_value, {Q}, "");
  results.write(group + "static_error", values.static_error, {Q}, "");
  results.attach_scale(group + "intensity", 0, group + "q_index");
  results.attach_scale(group + "intensity", 1, group + "frequency");

  const auto method =
      correlations::chosen_method(simulation.geometry, settings_.q, settings_.method,
                                  simulation.state.device().backend, simulation.study.replicas);
  const auto note = [&](const std::string& attribute, io::DataArray value) {
    results.set_attribute(label_, attribute, std::move(value));
  };
  note("NX_class", "NXdata");
  note("signal", "intensity");
  note("axes", io::DataArray(std::vector<std::string>{"q_index", "frequency"}));
  note("window", table_.window);
  if (table_.window == "gaussian") note("window_width", settings_.window_width);
  note("origins", correlations::origins_text(settings_, simulation.study.replicas));
  note("method", correlations::name_of(method));
  const bool real_space = method == correlations::Method::real_space;
  note("static_samples", real_space ? Index{1} : T);
  if (real_space)
    note("precision",
         std::string(simulation.state.device().backend == Backend::cuda ? table_.precision
                                                                        : "double"));
  note("connected", Index{settings_.connected ? 1 : 0});
  if (values.precision_error) note("precision_error", *values.precision_error);
  note("detailed_balance", Index{table_.detailed_balance ? 1 : 0});
  note("normalisation",
       std::string("S(q,t) = ") + (settings_.connected ? "1/(N (M-1))" : "1/(N M)") +
           " sum over replicas and components; S(q,w) = " +
           (table_.detailed_balance ? "beta hbar w / (1 - exp(-beta hbar w)) " : "") +
           "int dt exp(iwt) S(q,t)");
  if (table_.detailed_balance) note("detailed_balance_temperature", balance_temperature());
}

void StructureFactorInTime::save(StageMemory& memory, const Ranks&) const {
  memory.numbers["correlations"] = correlator_->save();
}

void StructureFactorInTime::load(const StageMemory& memory, const Ranks&) {
  correlator_->load(memory.number("correlations"));
}

}  // namespace larmor::study
