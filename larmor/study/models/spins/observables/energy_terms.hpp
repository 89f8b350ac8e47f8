#pragma once
// The energy of each term of the Hamiltonian.

#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/models/spins/observables/spin_observables.hpp"

namespace larmor::study {

struct EnergyTerms {
  static constexpr const char* name = "energy-terms";
  static constexpr const char* doc = "the energy per site of each term of the Hamiltonian";
  static constexpr bool reads_tables = true;
  static constexpr bool of_relaxed_spins = true;

  static Index numbers(const Study& study, const lattice::Geometry&) {
    return std::apply([](const auto&... of_kind) { return (std::ssize(of_kind) + ... + 0); },
                      spin_tables(study).terms);
  }

  static std::vector<Observable> observables(const SpinSimulation& simulation,
                                             const ReadContext& context) {
    const std::string unit = inner_unit(Dimension::energy, context.units);
    const spins::Model& model = simulation.model;
    const spins::SpinState& state = simulation.state;
    std::vector<Observable> observables;
    for (std::size_t t = 0; t < model.term_names().size(); ++t)
      observables.push_back({"energy_" + model.term_names()[t], unit, 1, [&model, &state, t] {
                               return spins::term_energy_per_site_async(model, t, state);
                             }});
    return observables;
  }
};

}  // namespace larmor::study
