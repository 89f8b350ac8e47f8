#pragma once
// The radial distribution functions of a stage.

#include "larmor/atoms/observables/radial_distribution.hpp"
#include "larmor/study/models/atoms/measurements/blocked_measurement.hpp"

namespace larmor::study {

struct RadialDistributionTable : BlockedKeys {
  double r_max = 0;
  Index bins = 200;

  static FieldTable<RadialDistributionTable> fields();
};

/// Results in radial-distribution; further entries give radial-distribution-2, -3, ..
class RadialDistribution : public BlockedMeasurement {
 public:
  using Table = RadialDistributionTable;
  static constexpr const char* name = "radial-distribution";
  static constexpr const char* doc = "g(r) of every two species";

  RadialDistribution(const Table& table, const MdContext& course);

  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;

 protected:
  void add(const atoms::AtomState& state) override { g_->add(state); }
  const atoms::BlockedMeans& means() const override { return g_->means(); }
  std::vector<double> save_numbers() const override { return g_->save(); }
  void load_numbers(std::span<const double> numbers) override { g_->load(numbers); }
  void write_means(const atoms::BlockedMeans& means, const AtomSystem& system,
                   ResultsGroup& results) const override;

 private:
  Table table_;
  std::unique_ptr<atoms::RadialDistribution> g_;
};

}  // namespace larmor::study
