#pragma once
// Measures series of properties of clusters. The sampler of the stage makes the clusters; those of
// its last sweep before a sample are measured.

#include "larmor/study/measurements/series.hpp"

namespace larmor::study {

class ClusterSeries : public SeriesMeasurement {
 public:
  /// @param where position of its name @throws InputError unless the stage makes clusters
  ClusterSeries(const char* what, const MeasureContext& context, SourcePosition where);

  /// The clusters led to the configuration, and are not a function of it.
  bool of_configurations() const override { return false; }

 protected:
  bool by_wolff() const { return by_wolff_; }
  const SourcePosition& where() const { return where_; }

 private:
  bool by_wolff_;
  SourcePosition where_;
};

}  // namespace larmor::study
