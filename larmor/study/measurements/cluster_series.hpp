#pragma once
// Series of numbers that clusters have. The sampler of the stage makes clusters anyway; those of
// its last sweep before a sample are looked at.

#include "larmor/study/measurements/series.hpp"

namespace larmor::study {

class ClusterSeries : public SeriesMeasurement {
 public:
  /// @param where its name stands @throws InputError unless the stage makes clusters
  ClusterSeries(const char* what, const MeasureContext& context, SourcePosition where);

  /// They are of the clusters that led to it.
  bool of_configurations() const override { return false; }

 protected:
  bool by_wolff() const { return by_wolff_; }
  const SourcePosition& where() const { return where_; }

 private:
  bool by_wolff_;
  SourcePosition where_;
};

}  // namespace larmor::study
