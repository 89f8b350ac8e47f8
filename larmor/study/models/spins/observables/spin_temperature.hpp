#pragma once
// The temperature of the spins, from fields and torques (Ma et al., Phys. Rev. E 82 (2010) 031111).

#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/models/spins/observables/spin_observables.hpp"

namespace larmor::study {

struct SpinTemperature {
  static constexpr const char* name = "spin-temperature";
  static constexpr const char* doc =
      "the temperature of the spins, from torques and fields of the Hamiltonian, without pulses";
  static constexpr bool reads_tables = true;
  static constexpr bool counts_hamiltonian_only = true;

  static Index numbers(const Study&, const lattice::Geometry&) { return of_ratio; }

  static std::vector<Observable> observables(const SpinSimulation& simulation,
                                             const ReadContext& context) {
    return {{"spin_temperature", inner_unit(Dimension::temperature, context.units), of_ratio,
             [&model = simulation.model, &state = simulation.state, k_B = context.constants.k_B] {
               return spins::spin_temperature_sums_async(model, state)
                   .then([k_B](std::vector<double>& sums) {
                     for (std::size_t r = 0; r < sums.size(); r += 2) sums[r] /= k_B;
                   });
             }}};
  }
};

}  // namespace larmor::study
