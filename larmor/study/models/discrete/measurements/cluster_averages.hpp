#pragma once
// Measures the sizes of clusters, and improved estimators from clusters.

#include "larmor/clusters/cluster_sums.hpp"
#include "larmor/study/measurements/binned_numbers.hpp"
#include "larmor/study/measurements/series.hpp"

namespace larmor::study {

/// Counts clusters by size. The histogram is averaged by binning, and has no series.
class ClusterSizes : public ClusterSeries {
 public:
  static constexpr const char* name = "cluster-sizes";
  static constexpr const char* doc =
      "clusters by size, the number of clusters and the size of the largest one; only with the "
      "samplers swendsen-wang and wolff";

  ClusterSizes(const MeasureContext& context, SourcePosition where)
      : ClusterSeries(name, context, std::move(where)),
        samples_(context.steps / context.every + 1) {}

  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

 protected:
  Index numbers(const Sizing&) const override { return 2; }
  std::vector<Observable> observables(const Simulation& simulation) const override;

 private:
  Index samples_;  ///< samples of a point
  BinnedNumbers histogram_;
};

/// <m^2> and N <m^2> / k_B T from the squares of the sizes of clusters, with less variance than
/// m^2.
class ImprovedSusceptibility : public ClusterSeries {
 public:
  static constexpr const char* name = "improved-susceptibility";
  static constexpr const char* doc =
      "<m^2> and N <m^2> / T from the sizes of clusters; only with the samplers swendsen-wang and "
      "wolff";

  ImprovedSusceptibility(const MeasureContext& context, SourcePosition where)
      : ClusterSeries(name, context, std::move(where)) {}

  /// @throws InputError if a coupling may be negative, because sums over clusters then do not give
  /// m^2
  void validate(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;

 protected:
  Index numbers(const Sizing&) const override { return 1; }
  std::vector<Observable> observables(const Simulation& simulation) const override;
  void write_derived(const Simulation& simulation, const MeasuredSeries& series,
                     ResultsGroup& results) const override;
};

}  // namespace larmor::study
