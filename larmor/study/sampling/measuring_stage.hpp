#pragma once
// Stages of a model kind that sweep and measure: their key `measure`, and the properties of the
// stage that measurements receive.

#include "larmor/core/input/suggest.hpp"
#include "larmor/study/measurements/measurement_types.hpp"

namespace larmor::study {

/// The context of measurements in a stage with this number of sweeps and this interval.
/// @throws InputError if the stage makes fewer sweeps than this interval
/// @param name name of the sweeps
inline MeasureContext measured_sweeps(const std::string& kind, Index sweeps, Index every,
                                      const TablePosition& where, const ReadContext& context,
                                      const std::string& name = "sweeps") {
  if (every > sweeps)
    throw InputError(kind + " measures every " + std::to_string(every) + " " + name +
                         ", but makes only " + std::to_string(sweeps),
                     where.of("measure_every"), "give a smaller measure_every, or more " + name);
  MeasureContext course;
  course.read = context;
  course.steps = sweeps;
  course.every = every;
  course.step_name = name;
  return course;
}

/// The key `measure`. @param Matter lists its measurements in measured(), a MeasureList
/// @param entries description of entries
template <class Matter, class Table>
FieldTable<Table>& add_measure(FieldTable<Table>& table, const std::string& entries) {
  const std::vector<MeasurementInfo> measured = Matter::measured().infos();
  return table
      .optional(
          "measure", &Table::measure, Dimension::none,
          entries + "; " + comma_list(names_of(Matter::measured().always)) + " are always measured")
      .one_of(names_of(measured), docs_of(measured))
      .described_as("list of strings and tables", describe_entries(measured));
}

/// The stage of a model kind. @param Base a stage, constructed from its keys, a sampler,
/// measurements, further arguments and a context; measure_context(keys, context) makes the context
/// of measurements
template <class Base, class TableOfStage, class Matter>
class MeasuringStage : public Base {
 public:
  using Table = TableOfStage;

  /// @param more further arguments of Base
  template <class... More>
  MeasuringStage(Table table, const ReadContext& context, More... more)
      : MeasuringStage(Filled{filled(std::move(table))}, context, std::move(more)...) {}

  Value completed() const override { return complete(table_, context_of_table_); }

 private:
  /// A table with its interval between measurements filled in.
  struct Filled {
    Table table;
  };
  static Table filled(Table table) {
    if constexpr (requires { table.measure_every.has_value(); }) {
      bool updates_clusters = false;
      if constexpr (requires { table.updates_clusters(); })
        updates_clusters = table.updates_clusters();
      // One sweep of clusters already changes most of a configuration.
      if (!table.measure_every) table.measure_every = updates_clusters ? 1 : usual_every;
    }
    return table;
  }
  static constexpr Index usual_every = 10;

  static MeasureContext context_of_measurements(const Table& table, const ReadContext& context) {
    MeasureContext course = measure_context(table, context);
    if constexpr (requires { table.sampler; }) course.sampler = table.sampler;
    return course;
  }
  template <class... More>
  MeasuringStage(const Filled& keys, const ReadContext& context, More... more)
      : MeasuringStage(read_measure(keys.table.measure, Matter::measured(),
                                    context_of_measurements(keys.table, context)),
                       keys.table, context, std::move(more)...) {}
  template <class... More>
  MeasuringStage(MeasureEntries measured, const Table& table, const ReadContext& context,
                 More... more)
      : Base(table, Matter::sampler(table, context), std::move(measured.measurements),
             std::move(more)..., context),
        table_(table),
        context_of_table_(context) {
    table_.measure = std::move(measured.completed);
  }

  Table table_;
  ReadContext context_of_table_;
};

}  // namespace larmor::study
