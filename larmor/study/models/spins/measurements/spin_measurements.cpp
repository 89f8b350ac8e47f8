#include "larmor/study/models/spins/measurements/spin_measurements.hpp"

#include "larmor/study/measurements/trajectory.hpp"
#include "larmor/study/models/spins/measurements/autocorrelation.hpp"
#include "larmor/study/models/spins/measurements/cluster_averages.hpp"
#include "larmor/study/models/spins/measurements/fused_measurements.hpp"
#include "larmor/study/models/spins/measurements/overlap_of_spins.hpp"
#include "larmor/study/models/spins/measurements/pair_correlations_in_time.hpp"
#include "larmor/study/models/spins/measurements/sampled_structure_factor.hpp"
#include "larmor/study/models/spins/measurements/series_of_observable.hpp"
#include "larmor/study/models/spins/measurements/site_averages.hpp"
#include "larmor/study/models/spins/measurements/structure_factor_in_time.hpp"

namespace larmor::study {

void require_no_pulses(const std::string& name, const DynamicsContext& course,
                       const SourcePosition& where) {
  if (course.has_pulses)
    throw InputError(name + " counts the fields of the Hamiltonian only, not those of pulses",
                     where, "measure it in a stage without pulses");
}

namespace {

using OfDynamics = MeasurementType<DynamicsContext>;
using OfSampling = MeasurementType<MeasureContext>;
using Made = std::unique_ptr<Measurement>;

/// The keys of an observable in dynamics, which are those of every measurement.
struct ObservableTable : MeasurementKeys {};

FieldTable<ObservableTable> fields_of(const SpinObservable& observable) {
  return measurement_fields<ObservableTable>(observable.name);
}

OfDynamics in_time(const SpinObservable& observable) {
  const FieldTable<ObservableTable> fields = fields_of(observable);
  return {{observable.name, observable.doc, false, describe(fields)},
          [&observable, fields](const Value& entry, const DynamicsContext& course) -> Made {
            const auto table = read(fields, entry, course.read);
            if (observable.counts_hamiltonian_only)
              require_no_pulses(observable.name, course, table.where.of("what"));
            return std::make_unique<SeriesOfObservable>(
                observable, complete(fields, table, course.read), table.every, course,
                table.where.of("what"));
          }};
}

OfSampling sampled(const SpinObservable& observable) {
  return {{observable.name, observable.doc},
          [&observable](const Value& entry, const MeasureContext& context) -> Made {
            if (observable.counts_hamiltonian_only && context.differs_in_field)
              throw InputError(observable.name +
                                   " counts the fields of the Hamiltonian only, and the rungs also "
                                   "differ in a field",
                               entry.where(), "remove this entry from measure");
            return std::make_unique<SeriesOfObservable>(observable, Value(observable.name),
                                                        std::nullopt, context, entry.where());
          }};
}

template <class Average>
OfSampling sampled_average() {
  return {{Average::name, Average::doc}, [](const Value&, const MeasureContext&) -> Made {
            return std::make_unique<Average>(Value(Average::name), std::nullopt);
          }};
}

template <class Average>
OfSampling of_clusters() {
  return {{Average::name, Average::doc},
          [](const Value& entry, const MeasureContext& context) -> Made {
            return std::make_unique<Average>(context, entry.where());
          }};
}

MeasureList<DynamicsContext> make_list_of_dynamics() {
  MeasureList<DynamicsContext> list;
  list.types = {measurement_type<EnergyInTime, DynamicsContext>(),
                measurement_type<MagnetisationInTime, DynamicsContext>()};
  for (const SpinObservable& observable : spin_observables())
    list.types.push_back(in_time(observable));
  list.types.push_back(measurement_type<Autocorrelation, DynamicsContext>());
  list.types.push_back(measurement_type<SiteEnergy, DynamicsContext>());
  list.types.push_back(measurement_type<SiteSpins, DynamicsContext>());
  list.types.push_back(measurement_type<StructureFactorInTime, DynamicsContext>(true));
  list.types.push_back(measurement_type<PairsInTime, DynamicsContext>(true));
  list.types.push_back(measurement_type<Trajectory, DynamicsContext>());
  return list;
}

MeasureList<MeasureContext> make_list_of_sampling() {
  MeasureList<MeasureContext> list;
  list.always = {{"energy", "the energy per site, and the specific heat"},
                 {"magnetisation", "the moment per site, susceptibility and Binder cumulant"}};
  for (const SpinObservable& observable : spin_observables())
    list.types.push_back(sampled(observable));
  list.types.push_back(sampled_average<SiteEnergy>());
  list.types.push_back(sampled_average<SiteSpins>());
  list.types.push_back(measurement_type<SampledStructureFactor, MeasureContext>(true));
  list.types.push_back(of_clusters<SpinClusterSizes>());
  list.types.push_back(of_clusters<SpinImprovedSusceptibility>());
  list.types.push_back(measurement_type<OverlapOfSpins, MeasureContext>());
  return list;
}

}  // namespace

const MeasureList<DynamicsContext>& measured_by_dynamics() {
  static const MeasureList<DynamicsContext> list = make_list_of_dynamics();
  return list;
}

const MeasureList<MeasureContext>& measured_by_sampling() {
  static const MeasureList<MeasureContext> list = make_list_of_sampling();
  return list;
}

}  // namespace larmor::study
