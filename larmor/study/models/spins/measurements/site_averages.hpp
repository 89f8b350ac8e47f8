#pragma once
// Averages of each site over the samples and replicas of a stage.

#include <string>
#include <vector>

#include "larmor/study/measurements/measurement_keys.hpp"
#include "larmor/study/models/spins/measurements/spin_measurements.hpp"

namespace larmor::study {

/// A row of sites/NAME for every point: (n, N) or (n, N, 3) for n points and N sites.
class SiteAverage : public Measurement {
 public:
  SiteAverage(std::string name, Value completed, std::optional<Index> every, std::string label,
              Index components);

  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  /// Takes the configurations of all replicas.
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

 protected:
  /// @param sum (block of replicas, canonical site[, 3])
  virtual void add(const SpinSimulation& simulation, std::vector<double>& sum) const = 0;
  virtual std::string unit(const SpinSimulation& simulation) const = 0;

 private:
  std::string label_;
  Index components_;
  double samples_ = 0;
  std::vector<double> sum_;
};

/// The energy of each site, with half of the energies of its bonds.
class SiteEnergy : public SiteAverage {
 public:
  using Table = PlainMeasurementTable<SiteEnergy>;
  static constexpr const char* name = "site-energy";
  static constexpr const char* doc =
      "the mean energy of every site, which includes half the energy of each of its bonds";

  /// @throws InputError for a stage with pulses, because the energy would not count them
  SiteEnergy(const Table& table, const DynamicsContext& course)
      : SiteEnergy(complete(table, course.read), table.every) {
    require_no_pulses(name, course, table.where.of("what"));
  }
  SiteEnergy(Value completed, std::optional<Index> every)
      : SiteAverage(name, std::move(completed), every, "energy", 1) {}

  StageBytes forecast(const Sizing& sizing) const override;
  bool reads_tables() const override { return true; }

 protected:
  void add(const SpinSimulation& simulation, std::vector<double>& sum) const override;
  std::string unit(const SpinSimulation& simulation) const override;
};

class SiteSpins : public SiteAverage {
 public:
  using Table = PlainMeasurementTable<SiteSpins>;
  static constexpr const char* name = "site-spins";
  static constexpr const char* doc = "the mean spin of every site";

  SiteSpins(const Table& table, const MeasureContext& context)
      : SiteSpins(complete(table, context.read), table.every) {}
  SiteSpins(Value completed, std::optional<Index> every)
      : SiteAverage(name, std::move(completed), every, "spins", 3) {}

 protected:
  void add(const SpinSimulation& simulation, std::vector<double>& sum) const override;
  std::string unit(const SpinSimulation&) const override { return ""; }
};

}  // namespace larmor::study
