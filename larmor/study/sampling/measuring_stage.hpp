#pragma once
// Stages of a model kind that sweep and measure: their key `measure`, and what measurements are
// told of the stage.

#include "larmor/core/input/suggest.hpp"
#include "larmor/study/measurements/measurement_types.hpp"

namespace larmor::study {

/// What measurements of a stage are told that makes so many sweeps and measures after every so
/// many. @throws InputError where it makes fewer
MeasureContext measured_sweeps(const std::string& kind, Index sweeps, Index every,
                               const TablePosition& where, const ReadContext& context);

/// The key `measure`. @param Matter says by measured(), a MeasureList, what it measures
/// @param entries that it takes, for people
template <class Matter, class Table>
FieldTable<Table>& add_measure(FieldTable<Table>& table, const std::string& entries) {
  const std::vector<MeasurementInfo> measured = Matter::measured().infos();
  return table
      .optional("measure", &Table::measure, Dimension::none,
                entries + "; " + comma_list(names_of(Matter::measured().always)) + " always")
      .one_of(names_of(measured), docs_of(measured))
      .told_as("list of strings and tables", describe_entries(measured));
}

/// Of a model kind. @param Base a stage that is made of its keys, a sampler, measurements, what
/// else it takes and a context; measure_context(keys, context) says what measurements are told
template <class Base, class TableOfStage, class Matter>
class MeasuringStage : public Base {
 public:
  using Table = TableOfStage;

  /// @param more what Base takes beside the others
  template <class... More>
  MeasuringStage(Table table, const ReadContext& context, More... more)
      : MeasuringStage(Filled{filled(std::move(table))}, context, std::move(more)...) {}

  Value completed() const override { return complete(table_, context_of_table_); }

 private:
  /// A table that says how often is measured.
  struct Filled {
    Table table;
  };
  static Table filled(Table table) {
    if constexpr (requires { table.measure_every.has_value(); }) {
      bool updates_clusters = false;
      if constexpr (requires { table.updates_clusters(); })
        updates_clusters = table.updates_clusters();
      // After an update of clusters little is left of the configuration before.
      if (!table.measure_every) table.measure_every = updates_clusters ? 1 : usual_every;
    }
    return table;
  }
  static constexpr Index usual_every = 10;

  static MeasureContext told(const Table& table, const ReadContext& context) {
    MeasureContext course = measure_context(table, context);
    if constexpr (requires { table.sampler; }) course.sampler = table.sampler;
    return course;
  }
  template <class... More>
  MeasuringStage(const Filled& of, const ReadContext& context, More... more)
      : MeasuringStage(read_measure(of.table.measure, Matter::measured(), told(of.table, context)),
                       of.table, context, std::move(more)...) {}
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
