#include "larmor/study/models/atoms/measurements/thermodynamics_of_rungs.hpp"

#include "larmor/atoms/system/thermodynamics.hpp"

namespace larmor::study {

ThermodynamicsOfRungs::ThermodynamicsOfRungs(const MeasureContext& context)
    : SeriesMeasurement(name, Value(name), std::nullopt, context),
      GPa_(atoms::gigapascal(context.read.constants)) {}

Index ThermodynamicsOfRungs::numbers(const Sizing&) const { return 5; }

std::vector<Observable> ThermodynamicsOfRungs::observables(const Simulation&) const {
  // `begin` measures all observables together, so each has no function of its own.
  return {{"temperature", "K", 1, nullptr},
          {"potential_energy", "eV", 1, nullptr},
          {"kinetic_energy", "eV", 1, nullptr},
          {"total_energy", "eV", 1, nullptr},
          {"pressure", "GPa", 1, nullptr}};
}

std::vector<Pending> ThermodynamicsOfRungs::begin(const Simulation& simulation) {
  const AtomSystem& system = atom_system(simulation);
  const int threads = system.device.threads;
  const std::vector<double> kinetic = kinetic_energies(system.state, threads);
  const std::vector<double> potential = potential_energies(system.state);
  const std::vector<atoms::SymmetricTensor> stresses = kinetic_stresses(system.state, threads);
  const std::vector<atoms::SymmetricTensor> virials = system.state.virial.to_host();
  const std::vector<atoms::Box> boxes = boxes_of(system.state);
  std::vector<double> temperatures, totals, pressures;
  for (std::size_t r = 0; r < kinetic.size(); ++r) {
    temperatures.push_back(temperature(system.state, static_cast<Index>(r), kinetic[r]));
    totals.push_back(potential[r] + kinetic[r]);
    const atoms::SymmetricTensor P = atoms::pressure(boxes[r], stresses[r], virials[r]);
    pressures.push_back((P[0] + P[1] + P[2]) / (3 * GPa_));
  }
  std::vector<Pending> parts;
  parts.emplace_back(std::move(temperatures));
  parts.emplace_back(potential);
  parts.emplace_back(kinetic);
  parts.emplace_back(std::move(totals));
  parts.emplace_back(std::move(pressures));
  return parts;
}

}  // namespace larmor::study
