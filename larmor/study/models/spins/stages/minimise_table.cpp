#include "larmor/study/models/spins/stages/minimise_table.hpp"

#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/models/spins/observables/spin_observables.hpp"

namespace larmor::study {
namespace {

std::vector<MeasurementInfo> measured_of_relaxed_spins() {
  std::vector<MeasurementInfo> measured{{"energy", "the energy per site"},
                                        {"magnetisation", "the moment per site"}};
  for (const SpinObservable& observable : spin_observables())
    if (observable.of_relaxed_spins) measured.push_back({observable.name, observable.doc});
  return measured;
}

}  // namespace

FieldTable<MinimiseTable> MinimiseTable::fields() {
  const std::vector<MeasurementInfo> measured = measured_of_relaxed_spins();
  FieldTable<MinimiseTable> table;
  table
      .required("kind", &MinimiseTable::kind, Dimension::none,
                "kind of the stage: the name of this table")
      .one_of({name});
  add_minimiser_fields(table, "1e-8",
                       "maximum number of steps; each step evaluates energy and fields once")
      .optional("perturbation", &MinimiseTable::perturbation, Dimension::angle,
                "largest random rotation of every spin at the start, to leave saddles and maxima")
      .at_least(0)
      .optional("measure", &MinimiseTable::measure, Dimension::none,
                "measurements of the final spins. Energy and magnetisation are always measured")
      .one_of(names_of(measured), docs_of(measured))
      .optional("measure_every", &MinimiseTable::measure_every, Dimension::none,
                "steps between entries of the series of energy and largest torque")
      .at_least(1)
      .optional("keep_configurations", &MinimiseTable::keep_configurations, Dimension::none,
                "number of replicas whose configuration is stored")
      .at_least(0);
  return table;
}

}  // namespace larmor::study
