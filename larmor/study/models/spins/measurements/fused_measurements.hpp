#pragma once
// Energy and magnetisation of dynamics, which the kernels of the steps can measure.

#include "larmor/study/measurements/measurement_keys.hpp"
#include "larmor/study/measurements/series.hpp"
#include "larmor/study/models/spins/measurements/spin_measurements.hpp"

namespace larmor::study {

/// A sample of all replicas of a process.
struct FusedSample {
  Instant when;
  const double* energy;         ///< [replica]
  const double* magnetisation;  ///< [replica][3]
};

class FusedMeasurement : public SeriesMeasurement {
 public:
  using SeriesMeasurement::announce;
  using SeriesMeasurement::SeriesMeasurement;
  /// The values of an announced sample.
  virtual void add_sample(const Simulation& simulation, const FusedSample& sample) = 0;
};

class EnergyInTime : public FusedMeasurement {
 public:
  using Table = PlainMeasurementTable<EnergyInTime>;
  static constexpr const char* name = "energy";
  static constexpr const char* doc =
      "the energy per site, including the energy in the fields of pulses";

  EnergyInTime(const Table& table, const DynamicsContext& course);

  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void add_sample(const Simulation& simulation, const FusedSample& sample) override;

 protected:
  Index numbers(const Sizing&) const override { return 1; }
  std::vector<Observable> observables(const Simulation& simulation) const override;

 private:
  /// @param magnetisation [replica][3], if there are pulses
  void add(const Simulation& simulation, std::vector<double> energy, const double* magnetisation,
           double time);

  DynamicsContext course_;
};

class MagnetisationInTime : public FusedMeasurement {
 public:
  using Table = PlainMeasurementTable<MagnetisationInTime>;
  static constexpr const char* name = "magnetisation";
  static constexpr const char* doc = "the moment per site";

  MagnetisationInTime(const Table& table, const DynamicsContext& course);

  void add_sample(const Simulation& simulation, const FusedSample& sample) override;

 protected:
  Index numbers(const Sizing&) const override { return 3; }
  std::vector<Observable> observables(const Simulation& simulation) const override;

 private:
  UnitSystem units_;
};

}  // namespace larmor::study
