#include "larmor/study/models/atoms/measurements/blocked_measurement.hpp"

namespace larmor::study {

BlockedMeasurement::BlockedMeasurement(const std::string& name, Value completed,
                                       const BlockedKeys& keys, const MdContext& course)
    : Measurement(name, std::move(completed), keys.every),
      course_(course),
      group_(numbered_name(name, course.number)),
      where_(keys.where) {
  if (course.replicas_differ)
    throw InputError(name +
                         " averages over replicas, but each replica has its own temperature or "
                         "pressure",
                     keys.where, "give one temperature and pressure, or leave " + name + " out");
  const Index frames = course.steps / keys.every + 1;
  if (keys.blocks > frames)
    throw InputError(name + " has " + std::to_string(frames) + " samples for " +
                         std::to_string(keys.blocks) + " blocks",
                     keys.where.of("blocks"), "give fewer blocks, or measure more often");
  frames_of_block_ = frames / keys.blocks;
}

void BlockedMeasurement::validate(const Sizing& sizing) const {
  const AtomTables& tables = atom_tables(sizing.study);
  if (!course_.has_thermostat && tables.atoms.temperature.size() > 1)
    throw InputError(name() +
                         " averages over replicas, but they begin at different temperatures, "
                         "and the stage has no thermostat",
                     where_, "give one temperature in [atoms], or leave " + name() + " out");
  if (setup_of(tables).has_equal_atoms()) return;
  throw InputError(name() + " averages over replicas, but their structures have different atoms",
                   where_,
                   "leave " + name() + " out, or give structures with equal atoms in one order");
}

void BlockedMeasurement::sample(const Simulation& simulation, const Instant&, MeasurementQueue&,
                                ResultsGroup&) {
  add(atom_system(simulation).on_host());
}

void BlockedMeasurement::write(const Simulation& simulation, const std::optional<MeasuredPoint>&,
                               ResultsGroup& results) {
  const atoms::BlockedMeans& own = means();
  std::vector<double> values;
  for (Index replica = 0; replica < own.replicas(); ++replica)
    values.insert(values.end(), own.values(replica).begin(), own.values(replica).end());
  const Ranks& ranks = simulation.ranks;
  const Index each = own.blocks() * own.numbers();
  values = ranks.gathered(std::move(values), ranks.replicas(), each);
  if (!ranks.is_root()) return;
  atoms::BlockedMeans all(simulation.study.replicas, own.numbers());
  for (Index replica = 0; replica < all.replicas(); ++replica)
    all.set(replica, std::span(values).subspan(static_cast<std::size_t>(replica * each),
                                               static_cast<std::size_t>(each)));
  write_means(all, atom_system(simulation), results);
  results.set_attribute(group_, "blocks", all.blocks());
  results.set_attribute(group_, "samples_of_block", frames_of_block_);
  results.set_attribute(group_, "replicas", all.replicas());
}

void BlockedMeasurement::save(StageMemory& memory, const Ranks& ranks) const {
  const std::vector<double> own = save_numbers();
  memory.numbers["means"] =
      ranks.gathered(own, ranks.replicas(), static_cast<Index>(own.size()) / ranks.replicas().own);
}

void BlockedMeasurement::load(const StageMemory& memory, const Ranks& ranks) {
  const std::vector<double>& all = memory.number("means");
  load_numbers(
      ranks.own_of(all, ranks.replicas(), static_cast<Index>(all.size()) / ranks.replicas().all));
}

Index types_of(const AtomSystem& system) { return std::ssize(system.setup.species()); }

}  // namespace larmor::study
