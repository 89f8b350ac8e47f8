#include "larmor/study/models/spins/measurements/fused_measurements.hpp"

#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/models/spins/observables/energy_and_magnetisation.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {

EnergyInTime::EnergyInTime(const Table& table, const DynamicsContext& course)
    : FusedMeasurement(name, complete(table, course.read), table.every, course), course_(course) {}

std::vector<Observable> EnergyInTime::observables(const Simulation& simulation) const {
  return {energy_observable(spins_of(simulation), course_.read.units)};
}

void EnergyInTime::sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                          ResultsGroup&) {
  announce(now);
  std::vector<Pending> parts;
  parts.push_back(known()[0].measure());
  if (course_.has_pulses) {
    const SpinSimulation spins = spins_of(simulation);
    parts.push_back(spins::magnetisation_per_site_async(spins.model, spins.state));
  }
  queue.push(std::move(parts),
             [this, simulation, time = now.time](const std::vector<std::vector<double>>& numbers) {
               add(simulation, numbers[0], numbers.back().data(), time);
             });
}

void EnergyInTime::add_sample(const Simulation& simulation, const FusedSample& sample) {
  const Index replicas = simulation.ranks.share().count;
  add(simulation, {sample.energy, sample.energy + replicas}, sample.magnetisation,
      sample.when.time);
}

void EnergyInTime::add(const Simulation& simulation, std::vector<double> energy,
                       const double* magnetisation, double time) {
  if (course_.has_pulses) {
    const Vec3<double> B = course_.pulse_field(time);
    for (std::size_t r = 0; r < energy.size(); ++r) {
      const double* moment = magnetisation + 3 * r;
      energy[r] -=
          course_.read.constants.mu_B * dot(B, Vec3<double>{moment[0], moment[1], moment[2]});
    }
  }
  require_finite_energies(simulation, energy);
  keep(0, energy.data(), energy.size());
}

MagnetisationInTime::MagnetisationInTime(const Table& table, const DynamicsContext& course)
    : FusedMeasurement(name, complete(table, course.read), table.every, course),
      units_(course.read.units) {}

std::vector<Observable> MagnetisationInTime::observables(const Simulation& simulation) const {
  return {magnetisation_observable(spins_of(simulation), units_)};
}

void MagnetisationInTime::add_sample(const Simulation& simulation, const FusedSample& sample) {
  keep(0, sample.magnetisation, static_cast<std::size_t>(3 * simulation.ranks.share().count));
}

}  // namespace larmor::study
