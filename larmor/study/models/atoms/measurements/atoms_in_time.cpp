#include "larmor/study/models/atoms/measurements/atoms_in_time.hpp"

#include <cmath>
#include <numbers>

#include "larmor/correlations/spectra/time_transform.hpp"

namespace larmor::study {
namespace {

template <class Table>
FieldTable<Table> lagged_fields(const std::string& name) {
  FieldTable<Table> table = blocked_fields<Table>(name);
  table
      .optional("max_time", &LaggedKeys::max_time, Dimension::time,
                "longest time lag. The default is half the length of a block")
      .positive()
      .optional("origin_every", &LaggedKeys::origin_every, Dimension::none,
                "number of samples from one time origin to the next. A larger number saves time "
                "and memory, but errors grow")
      .at_least(1);
  return table;
}

/// The means, summed over types. @param means [type, number]
atoms::BlockedMeans of_all_types(const atoms::BlockedMeans& means, Index types) {
  const Index numbers = means.numbers() / types;
  atoms::BlockedMeans sums(means.replicas(), numbers);
  for (Index replica = 0; replica < means.replicas(); ++replica) {
    std::vector<double> of_replica;
    for (Index block = 0; block < means.blocks(); ++block)
      for (Index n = 0; n < numbers; ++n) {
        double sum = 0;
        for (Index a = 0; a < types; ++a) sum += means.value(block, replica, a * numbers + n);
        of_replica.push_back(sum);
      }
    sums.set(replica, of_replica);
  }
  return sums;
}

}  // namespace

LaggedMeasurement::LaggedMeasurement(const std::string& name, Value completed,
                                     const LaggedKeys& keys, const MdContext& course)
    : BlockedMeasurement(name, std::move(completed), keys, course) {
  lags_.frames_of_block = frames_of_block();
  lags_.origin_every = keys.origin_every;
  lags_.lags = keys.max_time ? static_cast<Index>(std::round(*keys.max_time / interval())) + 1
                             : frames_of_block() / 2 + 1;
  if (lags_.lags > frames_of_block())
    throw InputError(name + " asks for times up to " +
                         number_text(static_cast<double>(lags_.lags - 1) * interval()) +
                         " ps, and a block lasts " +
                         number_text(static_cast<double>(frames_of_block() - 1) * interval()) +
                         " ps",
                     keys.where.of(keys.max_time ? "max_time" : "blocks"),
                     "ask for shorter times or fewer blocks");
}

StageBytes LaggedMeasurement::forecast(const Sizing& sizing) const {
  StageBytes bytes;
  // Time origins, and their copy while a checkpoint is saved.
  bytes.host = 2 * 24.0 * static_cast<double>(lags_.lags / lags_.origin_every + 2) *
               static_cast<double>(sizing.system.sites * sizing.replicas);
  return bytes;
}

void LaggedMeasurement::write_by_species(const atoms::BlockedMeans& means, const AtomSystem& system,
                                         const std::string& unit, ResultsGroup& results) const {
  std::vector<double> times;
  for (Index lag = 0; lag < lags_.lags; ++lag)
    times.push_back(static_cast<double>(lag) * interval());
  atoms::MeanAndError found = means.result();
  results.write(group() + "/time", std::move(times), {lags_.lags},
                inner_unit(Dimension::time, course().read.units));
  results.write_strings(group() + "/species", system.setup.species());
  const std::vector<Index> shape{types_of(system), lags_.lags};
  results.write(group() + "/value", std::move(found.value), shape, unit);
  results.write(group() + "/error", std::move(found.error), shape, unit);
}

FieldTable<MeanSquaredDisplacementTable> MeanSquaredDisplacementTable::fields() {
  auto table = lagged_fields<MeanSquaredDisplacementTable>(MeanSquaredDisplacement::name);
  table.optional("remove_centre_of_mass", &MeanSquaredDisplacementTable::remove_centre_of_mass,
                 Dimension::none, "positions are relative to the centre of mass");
  return table;
}

MeanSquaredDisplacement::MeanSquaredDisplacement(const Table& table, const MdContext& course)
    : LaggedMeasurement(name, complete(table, course.read), table, course), table_(table) {
  if (course.shape)
    throw InputError("mean-squared-displacement cannot be measured while a barostat moves the box",
                     table.where,
                     "the box displaces the atoms too: measure in a stage without barostat");
}

void MeanSquaredDisplacement::prepare(const Simulation& simulation) {
  const AtomSystem& system = atom_system(simulation);
  msd_ = std::make_unique<atoms::MeanSquaredDisplacement>(
      system.state.layout, types_of(system), lags(),
      table_.remove_centre_of_mass ? atoms::CentreOfMass::removed : atoms::CentreOfMass::kept,
      system.device.threads);
}

void MeanSquaredDisplacement::write_means(const atoms::BlockedMeans& means,
                                          const AtomSystem& system, ResultsGroup& results) const {
  write_by_species(means, system, "Å^2", results);
}

void VelocityMeasurement::prepare(const Simulation& simulation) {
  const AtomSystem& system = atom_system(simulation);
  velocities_ = std::make_unique<atoms::VelocityAutocorrelation>(
      system.state.layout, types_of(system), lags(), weight_, atoms::CentreOfMass::removed,
      system.device.threads);
}

FieldTable<VelocityAutocorrelationTable> VelocityAutocorrelationTable::fields() {
  auto table = lagged_fields<VelocityAutocorrelationTable>(VelocityAutocorrelation::name);
  table
      .optional("weight", &VelocityAutocorrelationTable::weight, Dimension::none,
                "weight of each atom")
      .one_of({"none", "mass"},
              {"the mean of v(0).v(t)", "the sum of m v(0).v(t), from which phonons follow"});
  return table;
}

VelocityAutocorrelation::VelocityAutocorrelation(const Table& table, const MdContext& course)
    : VelocityMeasurement(
          name, complete(table, course.read), table, course,
          table.weight == "mass" ? atoms::VelocityWeight::mass : atoms::VelocityWeight::none),
      table_(table) {}

void VelocityAutocorrelation::write_means(const atoms::BlockedMeans& means,
                                          const AtomSystem& system, ResultsGroup& results) const {
  write_by_species(means, system, table_.weight == "mass" ? "eV" : "Å^2/ps^2", results);
}

FieldTable<PhononDensityTable> PhononDensityTable::fields() {
  auto table = lagged_fields<PhononDensityTable>(PhononDensity::name);
  table
      .optional("window", &PhononDensityTable::window, Dimension::none,
                "weights of the time lags, which reduce ringing in the spectrum")
      .one_of({"none", "hann", "hamming", "blackman"});
  return table;
}

PhononDensity::PhononDensity(const Table& table, const MdContext& course)
    : VelocityMeasurement(name, complete(table, course.read), table, course,
                          atoms::VelocityWeight::mass),
      table_(table) {}

void PhononDensity::write_means(const atoms::BlockedMeans& means, const AtomSystem& system,
                                ResultsGroup& results) const {
  const Index L = lags().lags, types = types_of(system);
  const std::vector<double> weights =
      correlations::window_weights(correlations::window_by_name(table_.window), L);
  const auto modes = static_cast<double>(
      atoms::degrees_of_freedom(static_cast<Index>(system.setup.of(0).positions.size())));
  // Densities are per THz: 2 pi times the densities per rad/ps.
  constexpr double turn = 2 * std::numbers::pi;
  const atoms::BlockedMeans g = atoms::phonon_densities(
      means, weights, interval(),
      std::vector<double>(static_cast<std::size_t>(means.replicas()), turn * modes));
  std::vector<double> frequencies = atoms::phonon_frequencies(L, interval());
  for (double& f : frequencies) f /= turn;
  const std::string per_frequency = "1/THz";
  results.write(group() + "/frequency", std::move(frequencies), {L + 1}, "THz");
  const auto write = [&](const std::string& place, atoms::MeanAndError found,
                         const std::vector<Index>& shape) {
    results.write(place + "/value", std::move(found.value), shape, per_frequency);
    results.write(place + "/error", std::move(found.error), shape, per_frequency);
  };
  write(group(), of_all_types(g, types).result(), {L + 1});
  results.write_strings(group() + "/by-species/species", system.setup.species());
  write(group() + "/by-species", g.result(), {types, L + 1});
  results.set_attribute(group(), "window", table_.window);
  results.set_attribute(group(), "modes", modes);
}

}  // namespace larmor::study
