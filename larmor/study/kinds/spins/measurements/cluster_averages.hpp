#pragma once
// What clusters say of spins: how many there are, and an improved estimator of the susceptibility.
// The sampler of the stage makes them anyway; those of its last sweep before a sample are looked
// at.

#include "larmor/clusters/embedded_sums.hpp"
#include "larmor/study/measurements/binned_numbers.hpp"
#include "larmor/study/measurements/measurement.hpp"

namespace larmor::study {

/// Averages of numbers that each sample of clusters of spins has, by logarithmic binning.
class SpinClusterAverages : public Measurement {
 public:
  /// @param where its name stands @throws InputError unless the stage makes clusters
  SpinClusterAverages(const char* what, const MeasureContext& context, SourcePosition where);

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
  virtual Index numbers() const = 0;
  /// Of a sample of a replica. @param updates that the sums are of @param of_sample [numbers]
  virtual void look(const clusters::EmbeddedSums& sums, Index updates, Index spins,
                    double* of_sample) const = 0;
  /// Of all replicas, on the root. @param averages [numbers]
  virtual void write_averages(const Simulation& simulation, const std::vector<Estimate>& averages,
                              const MeasuredPoint& point, ResultsGroup& results) const = 0;

  bool by_wolff() const { return by_wolff_; }
  const SourcePosition& where() const { return where_; }
  const ReadContext& read() const { return read_; }

 private:
  bool by_wolff_;
  Index samples_;  ///< that a point has
  SourcePosition where_;
  ReadContext read_;
  BinnedNumbers averages_;
};

/// How many clusters there are, and how large.
class SpinClusterSizes : public SpinClusterAverages {
 public:
  static constexpr const char* name = "cluster-sizes";
  static constexpr const char* doc =
      "the number of clusters and the largest one; of swendsen-wang and wolff";

  SpinClusterSizes(const MeasureContext& context, SourcePosition where)
      : SpinClusterAverages(name, context, std::move(where)) {}

 protected:
  Index numbers() const override { return 2; }
  void look(const clusters::EmbeddedSums& sums, Index updates, Index spins,
            double* of_sample) const override;
  void write_averages(const Simulation& simulation, const std::vector<Estimate>& averages,
                      const MeasuredPoint& point, ResultsGroup& results) const override;
};

/// <m^2> and N <m^2> / k_B T from sums of projections over clusters, whose variance is less than
/// that of m^2.
class SpinImprovedSusceptibility : public SpinClusterAverages {
 public:
  static constexpr const char* name = "improved-susceptibility";
  static constexpr const char* doc =
      "<m^2> and N <m^2> / k_B T from sums over clusters; of swendsen-wang and wolff";

  SpinImprovedSusceptibility(const MeasureContext& context, SourcePosition where)
      : SpinClusterAverages(name, context, std::move(where)) {}

  /// @throws InputError where moments differ: clusters sum directions
  void validate(const Sizing& sizing) const override;

 protected:
  Index numbers() const override { return 1; }
  void look(const clusters::EmbeddedSums& sums, Index updates, Index spins,
            double* of_sample) const override;
  void write_averages(const Simulation& simulation, const std::vector<Estimate>& averages,
                      const MeasuredPoint& point, ResultsGroup& results) const override;
};

}  // namespace larmor::study
