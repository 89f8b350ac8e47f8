#include "larmor/study/models/spins/measurements/autocorrelation.hpp"

#include "larmor/spins/observables/observables.hpp"

namespace larmor::study {

Autocorrelation::Autocorrelation(const Table& table, const DynamicsContext& course)
    : SeriesMeasurement(name, complete(table, course.read), table.every, course) {}

StageBytes Autocorrelation::forecast(const Sizing& sizing) const {
  const SpinLayout layout{sizing.system.sites, sizing.replicas};
  StageBytes bytes = SeriesMeasurement::forecast(sizing);
  bytes.host += 8 * static_cast<double>(layout.numbers());
  bytes.device += static_cast<double>(bytes_of_reals(sizing.device.precision, layout.numbers()));
  return bytes;
}

void Autocorrelation::prepare(const Simulation& simulation) {
  device_ = simulation.system.device;
  first_ = RealArray();
  SeriesMeasurement::prepare(simulation);
}

std::vector<Observable> Autocorrelation::observables(const Simulation& simulation) const {
  const SpinSimulation spins = spins_of(simulation);
  return {
      {name, "", 1, [this, &state = spins.state] { return spins::overlap_async(state, first_); }}};
}

void Autocorrelation::sample(const Simulation& simulation, const Instant& now,
                             MeasurementQueue& queue, ResultsGroup& results) {
  if (first_.size() == 0) first_ = RealArray(device_, spins_of(simulation).state.save());
  SeriesMeasurement::sample(simulation, now, queue, results);
}

void Autocorrelation::save(StageMemory& memory, const Ranks& ranks) const {
  SeriesMeasurement::save(memory, ranks);
  if (first_.size() > 0) memory.numbers["first"] = ranks.joined(first_.to_host());
}

void Autocorrelation::load(const StageMemory& memory, const Ranks& ranks) {
  SeriesMeasurement::load(memory, ranks);
  if (memory.numbers.contains("first"))
    first_ = RealArray(device_, own_blocks(ranks, memory.number("first")));
}

}  // namespace larmor::study
