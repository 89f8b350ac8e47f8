#pragma once
// The kinds of measurement of a stage: a list, by which entries of `measure` are read.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/study/measurements/measurements.hpp"

namespace larmor::study {

/// A kind of measurement as `explain` describes it.
struct MeasurementInfo {
  std::string name, doc;
  /// May a stage have several measurements of this kind, each with its own results?
  bool several = false;
  std::vector<FieldInfo> keys = {};  ///< keys of its table; empty: an entry gives only its name
  /// Kinds whose numbers this kind includes. A stage does not measure such kinds a second time.
  std::vector<std::string> includes = {};
};

/// @param Course a MeasureContext, or a type that the stage derives from it
template <class Course>
struct MeasurementType {
  MeasurementInfo info;
  /// @param entry a table, or a name if there are no keys
  /// @throws InputError for any mistake in the entry
  std::function<std::unique_ptr<Measurement>(const Value& entry, const Course& course)> make;
};

/// A kind with a table of keys. @param Type has Table, name, doc, and a constructor (Table, Course)
template <class Type, class Course>
MeasurementType<Course> measurement_type(bool several = false) {
  using Table = typename Type::Table;
  return {{Type::name, Type::doc, several, describe<Table>()},
          [](const Value& entry, const Course& course) -> std::unique_ptr<Measurement> {
            return std::make_unique<Type>(larmor::read<Table>(entry, course.read), course);
          }};
}

namespace measure_detail {

/// The type of an entry by its place in the list, and the table or name of the entry.
struct TypedEntry {
  std::size_t type;
  Value entry;
};

/// @param counted number of earlier entries of each kind
/// @throws InputError for unknown names and keys, or for a quantity that is measured twice
TypedEntry typed_entry(const Value& entry, const std::vector<MeasurementInfo>& types,
                       std::map<std::string, Index>& counted, const ReadContext& context);

/// For each entry: does another entry include its kind?
std::vector<bool> are_included(const std::vector<TypedEntry>& typed,
                               const std::vector<MeasurementInfo>& types);

/// @param every steps between samples @throws InputError if the stage makes fewer steps
void require_samples(Index every, const MeasureContext& context, const Value& entry);

}  // namespace measure_detail

/// The kinds of measurement of a stage.
template <class Course>
struct MeasureList {
  /// Kinds that the stage measures without an entry.
  std::vector<MeasurementInfo> always;
  std::vector<MeasurementType<Course>> types;

  /// `always`, then `types`.
  std::vector<MeasurementInfo> infos() const {
    std::vector<MeasurementInfo> infos = always;
    for (const MeasurementType<Course>& type : types) infos.push_back(type.info);
    return infos;
  }
};

/// Entries of `measure`, as read.
struct MeasureEntries {
  Measurements measurements;
  std::vector<Value> completed;  ///< with every default
};

/// @param course properties of the stage @throws InputError at the first mistake
template <class Course>
MeasureEntries read_measure(const std::vector<Value>& entries, const MeasureList<Course>& list,
                            Course course) {
  const std::vector<MeasurementInfo> infos = list.infos();
  std::vector<std::unique_ptr<Measurement>> all;
  std::vector<Value> completed;
  std::map<std::string, Index> counted;
  std::vector<measure_detail::TypedEntry> typed;
  for (const Value& value : entries)
    typed.push_back(measure_detail::typed_entry(value, infos, counted, course.read));
  const std::vector<bool> included = measure_detail::are_included(typed, infos);
  counted.clear();
  for (std::size_t n = 0; n < typed.size(); ++n) {
    const auto& [type, entry] = typed[n];
    const std::string& name = infos[type].name;
    course.number = ++counted[name];
    if (type < list.always.size() || included[n]) {
      completed.emplace_back(name);
      continue;
    }
    all.push_back(list.types[type - list.always.size()].make(entry, course));
    if (all.back()->every()) measure_detail::require_samples(*all.back()->every(), course, entry);
    completed.push_back(all.back()->completed());
  }
  return {Measurements(std::move(all)), std::move(completed)};
}

/// Names that `measure` takes.
std::vector<std::string> names_of(const std::vector<MeasurementInfo>& types);
std::vector<std::string> docs_of(const std::vector<MeasurementInfo>& types);
/// The keys that an entry may have, with the kinds of measurement that have them.
std::vector<FieldInfo> describe_entries(const std::vector<MeasurementInfo>& types);

}  // namespace larmor::study
