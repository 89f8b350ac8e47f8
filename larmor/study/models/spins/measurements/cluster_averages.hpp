#pragma once
// Measures clusters of spins: their number, and an improved estimator of the susceptibility.

#include "larmor/study/measurements/series.hpp"

namespace larmor::study {

/// The number of clusters, and the size of the largest.
class SpinClusterSizes : public ClusterSeries {
 public:
  static constexpr const char* name = "cluster-sizes";
  static constexpr const char* doc =
      "the number of clusters and the size of the largest one; only with the samplers "
      "swendsen-wang and wolff";

  SpinClusterSizes(const MeasureContext& context, SourcePosition where)
      : ClusterSeries(name, context, std::move(where)) {}

  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;

 protected:
  Index numbers(const Sizing&) const override { return 2; }
  std::vector<Observable> observables(const Simulation& simulation) const override;
};

/// <m^2> and N <m^2> / k_B T from sums of projections over clusters, with less variance than m^2.
class SpinImprovedSusceptibility : public ClusterSeries {
 public:
  static constexpr const char* name = "improved-susceptibility";
  static constexpr const char* doc =
      "<m^2> and N <m^2> / k_B T from sums over clusters; only with the samplers swendsen-wang and "
      "wolff";

  SpinImprovedSusceptibility(const MeasureContext& context, SourcePosition where)
      : ClusterSeries(name, context, std::move(where)), read_(context.read) {}

  /// @throws InputError if moments differ: clusters sum directions
  void validate(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;

 protected:
  Index numbers(const Sizing&) const override { return 1; }
  std::vector<Observable> observables(const Simulation& simulation) const override;
  void write_derived(const Simulation& simulation, const MeasuredSeries& series,
                     ResultsGroup& results) const override;

 private:
  bool material() const { return read_.units == UnitSystem::material; }

  ReadContext read_;
  double moment_ = 0;  ///< moment of every spin, set by `prepare`
};

}  // namespace larmor::study
