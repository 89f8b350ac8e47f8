#pragma once
// Energies, temperature and pressure of every replica, and its box if a barostat moves the box.

#include "larmor/study/measurements/measurement_keys.hpp"
#include "larmor/study/measurements/series.hpp"
#include "larmor/study/models/atoms/measurements/atom_measurements.hpp"
#include "larmor/study/models/atoms/system/atom_system.hpp"

namespace larmor::study {

/// Series of temperature (3 N - 3 degrees of freedom of N atoms), potential_energy, kinetic_energy,
/// total_energy, conserved_quantity, pressure, pressure_xx, .. pressure_yz. If a barostat moves the
/// box, there are also volume, cell_a, cell_b, cell_c. For a triclinic box there are also
/// cell_alpha, cell_beta, cell_gamma.
class ThermodynamicSeries : public SeriesMeasurement {
 public:
  static constexpr const char* name = "thermodynamics";
  static constexpr const char* doc =
      "energies, temperature, pressure, and the box if a barostat moves it";
  using Table = PlainMeasurementTable<ThermodynamicSeries>;

  ThermodynamicSeries(const Table& table, const MdContext& course);

  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;

 protected:
  Index numbers(const Sizing&) const override;
  std::vector<Observable> observables(const Simulation& simulation) const override;

 private:
  /// The values of each observable, [replica].
  std::vector<std::vector<double>> values(const AtomSystem& system) const;

  MdContext course_;
};

}  // namespace larmor::study
