#pragma once
// Energies, temperature and pressure of the replicas of parallel tempering.

#include "larmor/study/measurements/series.hpp"
#include "larmor/study/models/atoms/system/atom_system.hpp"

namespace larmor::study {

/// temperature (3 N - 3 degrees of freedom of N atoms), potential_energy, kinetic_energy,
/// total_energy and pressure of the whole box, as an md stage measures them.
class ThermodynamicsOfRungs : public SeriesMeasurement {
 public:
  static constexpr const char* name = "thermodynamics";
  static constexpr const char* doc = "energies of the whole box, temperature and pressure";

  explicit ThermodynamicsOfRungs(const MeasureContext& context);

  std::vector<Pending> begin(const Simulation& simulation) override;

 protected:
  Index numbers(const Sizing&) const override;
  std::vector<Observable> observables(const Simulation& simulation) const override;

 private:
  double GPa_;  ///< 1 GPa in eV/Angstrom^3
};

}  // namespace larmor::study
