#include "larmor/study/study.hpp"

#include <filesystem>

#include "larmor/core/suggest.hpp"
#include "larmor/io/toml.hpp"
#include "larmor/study/scan_values.hpp"
#include "larmor/study/stages/stages.hpp"

namespace larmor::study {
namespace {

template <std::size_t N = 0, class Visit>
void for_each_term_type(const Visit& visit) {
  if constexpr (N < std::tuple_size_v<spins::Terms>) {
    visit(static_cast<std::tuple_element_t<N, spins::Terms>*>(nullptr));
    for_each_term_type<N + 1>(visit);
  }
}

std::vector<std::string> term_names() {
  std::vector<std::string> names;
  for_each_term_type(
      [&](auto* type) { names.push_back(std::remove_pointer_t<decltype(type)>::name); });
  return names;
}

bool is_term(const std::string& key) {
  const std::vector<std::string> names = term_names();
  return std::find(names.begin(), names.end(), key) != names.end();
}

/// The document without its term tables, all keys known.
Value without_terms(const Value& document, const std::vector<FieldInfo>& fields) {
  std::vector<std::string> known = term_names();
  for (const FieldInfo& field : fields) known.push_back(field.key);
  if (const Value* const scan = document.find(ScanTable::name))
    throw InputError("[[scan]] tables make many studies of one", scan->where(),
                     "leave them out here; `larmor run` runs them");
  known.push_back(ScanTable::name);
  Value rest;
  rest.mark(document.source_mark());
  for (const Value::Entry& entry : document.as_table()) {
    if (is_term(entry.key)) continue;
    if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
      const std::string hint = did_you_mean(entry.key, known);
      throw InputError("unknown key '" + entry.key + "'", entry.key_mark.position(),
                       (hint.empty() ? "" : hint + "; ") + "a study knows " + comma_list(known));
    }
    rest.set(entry.key, entry.value, entry.key_mark);
  }
  return rest;
}

TermTables read_terms(const Value& document, const ReadContext& context) {
  TermTables terms;
  for_each_term_type([&](auto* type) {
    using Term = std::remove_pointer_t<decltype(type)>;
    if (const Value* value = document.find(Term::name))
      std::get<std::vector<Term>>(terms) =
          read_value<std::vector<Term>>(*value, Term::name, Dimension::none, context);
  });
  return terms;
}

/// The unit system has to be known before anything with a unit is read.
ReadContext context_of(const Value& document) {
  struct Units {
    std::string units = "reduced";
    Index constants = 2018;
    static FieldTable<Units> fields() {
      return FieldTable<Units>()
          .optional("units", &Units::units, Dimension::none, "")
          .one_of({"reduced", "material"})
          .optional("constants", &Units::constants, Dimension::none, "");
    }
  };
  Value only;
  for (const char* key : {"units", "constants"})
    if (const Value* value = document.find(key)) only.set(key, *value);
  const auto units = read<Units>(only, ReadContext::reduced());
  if (units.constants != 2018 && units.constants != 2014)
    throw InputError("constants = " + std::to_string(units.constants) + " is not known",
                     document.find("constants")->where(), "use 2018 or 2014 (CODATA)");
  if (units.units == "reduced") return ReadContext::reduced();
  return ReadContext::material(units.constants == 2014 ? codata_2014 : codata_2018);
}

/// `Tables`, which is a SystemTables, from a document.
template <class Tables>
Tables read_tables(const Value& document, const std::string& folder) {
  const ReadContext context = context_of(document);
  Tables tables = read<Tables>(without_terms(document, describe<Tables>()), context);
  tables.context = context;
  tables.terms = read_terms(document, context);
  tables.folder = folder;
  return tables;
}

/// The keys of a system, after those that `fields` has already.
template <class Tables>
FieldTable<Tables> with_system_fields(FieldTable<Tables> fields) {
  return fields
      .optional("replicas", &Tables::replicas, Dimension::none,
                "independent copies, simulated together")
      .at_least(1)
      .at_most(16777215)
      .optional("units", &Tables::units, Dimension::none,
                "reduced: k_B = hbar = gamma = mu_B = 1; material: quantities carry units")
      .one_of({"reduced", "material"})
      .optional("constants", &Tables::constants, Dimension::none,
                "CODATA year of the constants of material units: 2018 or 2014")
      .required("lattice", &Tables::lattice, Dimension::none, LatticeTable::doc)
      .optional("alloy", &Tables::alloy, Dimension::none, AlloyTable::doc)
      .not_empty();
}

}  // namespace

FieldTable<SystemTables> SystemTables::fields() {
  return with_system_fields(FieldTable<SystemTables>());
}

FieldTable<Study> Study::fields() {
  const FieldTable<Study> head =
      FieldTable<Study>()
          .optional("title", &Study::title, Dimension::none, "one line for people and pictures")
          .optional("seed", &Study::seed, Dimension::none, "of all random numbers");
  return with_system_fields(head)
      .optional("device", &Study::device, Dimension::none, DeviceTable::doc)
      .optional("initial", &Study::initial, Dimension::none, InitialTable::doc)
      .optional("checkpoint", &Study::checkpoint, Dimension::none, CheckpointTable::doc)
      .required("stage", &Study::stage, Dimension::none,
                "what is done, in order: [[stage]] tables with a `kind`")
      .not_empty();
}

SystemTables parse_system(const std::string& text, const std::string& file) {
  return read_tables<SystemTables>(io::parse_toml(text, file), ".");
}

Study parse_study(const std::string& text, const std::string& file, const std::string& folder) {
  return study_of(io::parse_toml(text, file), text, file, folder);
}

Study study_of(const Value& document, const std::string& text, const std::string& file,
               const std::string& folder) {
  Study study = read_tables<Study>(document, folder);
  study.text = text;
  study.file = file;
  for (const Value& stage : study.stage) make_stage(stage, study.context);
  return study;
}

Study read_study(const std::string& path) {
  const std::string text = io::read_text(path);
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  return parse_study(text, path, folder.string());
}

std::string completed_study(const Study& study) {
  Value document = complete(study, study.context);
  for_each_term_type([&](auto* type) {
    using Term = std::remove_pointer_t<decltype(type)>;
    Value::Array tables;
    for (const Term& term : std::get<std::vector<Term>>(study.terms))
      tables.push_back(complete(term, study.context));
    if (!tables.empty()) document.set(Term::name, Value(std::move(tables)));
  });
  Value::Array stages;
  for (const Value& stage : study.stage)
    stages.push_back(make_stage(stage, study.context)->completed());
  document.set("stage", Value(std::move(stages)));
  return to_toml(document);
}

std::vector<TableInfo> describe_study() {
  std::vector<TableInfo> tables;
  tables.push_back({"study", "the top of a study", describe<Study>()});
  // Of tables of stages only the kind is known there.
  for (FieldInfo& key : tables.back().keys)
    if (key.key == "stage") key.children = {describe_stage_kind()};
  const auto add = [&](auto* type) {
    using Table = std::remove_pointer_t<decltype(type)>;
    tables.push_back({Table::name, Table::doc, describe<Table>()});
  };
  add(static_cast<DeviceTable*>(nullptr));
  add(static_cast<LatticeTable*>(nullptr));
  add(static_cast<AlloyTable*>(nullptr));
  for_each_term_type(add);
  add(static_cast<InitialTable*>(nullptr));
  add(static_cast<CheckpointTable*>(nullptr));
  add(static_cast<ScanTable*>(nullptr));
  for (const TableInfo& stage : describe_stages()) tables.push_back(stage);
  return tables;
}

}  // namespace larmor::study
