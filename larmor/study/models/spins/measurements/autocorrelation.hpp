#pragma once
// Measures the correlation of the spins with the first configuration.

#include "larmor/core/device/real_array.hpp"
#include "larmor/study/measurements/measurement_keys.hpp"
#include "larmor/study/measurements/series.hpp"
#include "larmor/study/models/spins/measurements/spin_measurements.hpp"

namespace larmor::study {

class Autocorrelation : public SeriesMeasurement {
 public:
  using Table = PlainMeasurementTable<Autocorrelation>;
  static constexpr const char* name = "autocorrelation";
  static constexpr const char* doc =
      "(1/N) sum_i e_i(0).e_i(t), where e_i(0) is the spin of site i when the stage begins";

  Autocorrelation(const Table& table, const DynamicsContext& course);

  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

 protected:
  Index numbers(const Sizing&) const override { return 1; }
  std::vector<Observable> observables(const Simulation& simulation) const override;

 private:
  Device device_;
  RealArray first_;  ///< the initial spins; empty: none yet
};

}  // namespace larmor::study
