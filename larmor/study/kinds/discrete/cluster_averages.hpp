#pragma once
// What clusters say of a state: their sizes, and improved estimators. The sampler of the stage
// makes them anyway; those of its last sweep before a sample are looked at.

#include "larmor/clusters/cluster_sums.hpp"
#include "larmor/study/measurements/binned_numbers.hpp"
#include "larmor/study/measurements/measurement.hpp"

namespace larmor::study {

/// Averages of numbers that each sample of clusters has, by logarithmic binning.
class ClusterAverages : public Measurement {
 public:
  /// @param where its name stands @throws InputError unless the stage makes clusters
  /// @param by_size does it look at the histogram?
  ClusterAverages(const char* what, bool by_size, const MeasureContext& context,
                  SourcePosition where);

  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override {
    averages_.save(memory, ranks);
  }
  void load(const StageMemory& memory, const Ranks& ranks) override {
    averages_.load(memory, ranks);
  }

 protected:
  virtual Index numbers(Index sites) const = 0;
  /// Of a sample of a replica. @param of_sample [numbers]
  virtual void look(const clusters::ClusterSums& clusters, Index sites,
                    double* of_sample) const = 0;
  /// Of all replicas, on the root. @param averages [numbers]
  virtual void write_averages(const std::vector<Estimate>& averages, Index sites,
                              const MeasuredPoint& point, ResultsGroup& results) const = 0;

  bool by_wolff() const { return by_wolff_; }
  const SourcePosition& where() const { return where_; }

 private:
  bool by_size_;
  bool by_wolff_;
  Index samples_;  ///< that a point has
  SourcePosition where_;
  BinnedNumbers averages_;
};

/// How many clusters there are of what size.
class ClusterSizes : public ClusterAverages {
 public:
  static constexpr const char* name = "cluster-sizes";
  static constexpr const char* doc =
      "clusters by their size, their number and the largest one; of swendsen-wang and wolff";

  ClusterSizes(const MeasureContext& context, SourcePosition where)
      : ClusterAverages(name, true, context, std::move(where)) {}

 protected:
  Index numbers(Index sites) const override;
  void look(const clusters::ClusterSums& clusters, Index sites, double* of_sample) const override;
  void write_averages(const std::vector<Estimate>& averages, Index sites,
                      const MeasuredPoint& point, ResultsGroup& results) const override;
};

/// <m^2> and N <m^2> / k_B T from the squares of the sizes of clusters, whose variance is less than
/// that of m^2.
class ImprovedSusceptibility : public ClusterAverages {
 public:
  static constexpr const char* name = "improved-susceptibility";
  static constexpr const char* doc =
      "<m^2> and N <m^2> / T from the sizes of clusters; of swendsen-wang and wolff";

  ImprovedSusceptibility(const MeasureContext& context, SourcePosition where)
      : ClusterAverages(name, false, context, std::move(where)) {}

  /// @throws InputError where a coupling may be negative: m^2 is not what clusters sum to then
  void validate(const Sizing& sizing) const override;

 protected:
  Index numbers(Index) const override { return 1; }
  void look(const clusters::ClusterSums& clusters, Index sites, double* of_sample) const override;
  void write_averages(const std::vector<Estimate>& averages, Index sites,
                      const MeasuredPoint& point, ResultsGroup& results) const override;
};

}  // namespace larmor::study
