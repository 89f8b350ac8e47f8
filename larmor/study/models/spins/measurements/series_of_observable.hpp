#pragma once
// The series of an observable of spins.

#include "larmor/study/measurements/series.hpp"
#include "larmor/study/models/spins/observables/spin_observables.hpp"

namespace larmor::study {

class SeriesOfObservable : public SeriesMeasurement {
 public:
  /// @param where position of its name
  SeriesOfObservable(const SpinObservable& observable, Value completed, std::optional<Index> every,
                     const MeasureContext& context, SourcePosition where)
      : SeriesMeasurement(observable.name, std::move(completed), every, context),
        observable_(observable),
        read_(context.read),
        where_(std::move(where)) {}

  void validate(const Sizing& sizing) const override {
    require_observable(observable_, sizing.study, *sizing.system.geometry, where_);
  }
  bool reads_tables() const override { return observable_.reads_tables; }

 protected:
  Index numbers(const Sizing& sizing) const override {
    return observable_.numbers(sizing.study, *sizing.system.geometry);
  }
  std::vector<Observable> observables(const Simulation& simulation) const override {
    return observable_.observables(spins_of(simulation), read_);
  }

 private:
  const SpinObservable& observable_;
  ReadContext read_;
  SourcePosition where_;
};

}  // namespace larmor::study
