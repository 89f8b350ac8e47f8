#include "larmor/study/models/spins/system/spin_tables.hpp"

#include "larmor/core/input/suggest.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/models/spins/system/initial.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {
namespace {

template <std::size_t N = 0, class Visit>
void for_each_term_type(const Visit& visit) {
  if constexpr (N < std::tuple_size_v<spins::Terms>) {
    visit(static_cast<std::tuple_element_t<N, spins::Terms>*>(nullptr));
    for_each_term_type<N + 1>(visit);
  }
}

bool is_term(const std::string& key) {
  bool found = false;
  for_each_term_type(
      [&](auto* type) { found = found || key == std::remove_pointer_t<decltype(type)>::name; });
  return found;
}

Value without_terms(const Value& document) {
  Value rest;
  rest.mark(document.source_mark());
  for (const Value::Entry& entry : document.as_table())
    if (!is_term(entry.key)) rest.set(entry.key, entry.value, entry.key_mark);
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

/// @param document `keys` and others @return those of `keys`
Value part_of(const Value& document, const std::vector<FieldInfo>& keys) {
  Value part;
  part.mark(document.source_mark());
  for (const FieldInfo& key : keys)
    if (const Value* value = document.find(key.key)) part.set(key.key, *value);
  return part;
}

}  // namespace

FieldTable<SystemTables> SystemTables::fields() {
  return FieldTable<SystemTables>()
      .required("lattice", &SystemTables::lattice, Dimension::none, LatticeTable::doc)
      .optional("alloy", &SystemTables::alloy, Dimension::none, AlloyTable::doc)
      .not_empty()
      .optional("initial", &SystemTables::initial, Dimension::none, InitialTable::doc);
}

std::vector<FieldInfo> describe_spin_keys() {
  std::vector<FieldInfo> keys = describe<SystemTables>();
  for_each_term_type([&](auto* type) {
    using Term = std::remove_pointer_t<decltype(type)>;
    FieldInfo key;
    key.key = Term::name;
    key.type = "list of tables";
    key.doc = Term::doc;
    keys.push_back(key);
  });
  return keys;
}

std::vector<TableInfo> describe_spin_tables() {
  std::vector<TableInfo> tables;
  const auto add = [&](auto* type) {
    using Table = std::remove_pointer_t<decltype(type)>;
    tables.push_back(table_info<Table>());
  };
  add(static_cast<LatticeTable*>(nullptr));
  add(static_cast<AlloyTable*>(nullptr));
  for_each_term_type(add);
  add(static_cast<InitialTable*>(nullptr));
  return tables;
}

SystemTables read_spin_tables(const Value& document, const ModelContext& context) {
  auto tables = read<SystemTables>(without_terms(document), context.read);
  tables.terms = read_terms(document, context.read);
  tables.context = context.read;
  tables.replicas = context.replicas;
  tables.folder = context.folder;
  for (spins::Exchange& exchange : std::get<std::vector<spins::Exchange>>(tables.terms))
    exchange.replicas_of_sample = context.replicas_of_sample;
  for (spins::RandomField& field : std::get<std::vector<spins::RandomField>>(tables.terms))
    field.replicas_of_sample = context.replicas_of_sample;
  return tables;
}

SystemTables parse_system(const std::string& text, const std::string& file) {
  const Value document = io::parse_toml(text, file);
  const StudyHead head =
      read<StudyHead>(part_of(document, describe<StudyHead>()), ReadContext::reduced());
  Value own;
  own.mark(document.source_mark());
  for (const Value::Entry& entry : document.as_table())
    if (entry.key != "replicas" && entry.key != "samples" && entry.key != "units" &&
        entry.key != "constants")
      own.set(entry.key, entry.value, entry.key_mark);
  return read_spin_tables(own, {head.context(), head.replicas, ".", head.replicas_of_sample()});
}

std::vector<std::pair<std::string, Value>> SystemTables::completed() const {
  std::vector<std::pair<std::string, Value>> values = completed_entries(*this, context);
  for_each_term_type([&](auto* type) {
    using Term = std::remove_pointer_t<decltype(type)>;
    Value::Array tables;
    for (const Term& term : std::get<std::vector<Term>>(terms))
      tables.push_back(complete(term, context));
    if (!tables.empty()) values.emplace_back(Term::name, Value(std::move(tables)));
  });
  return values;
}

std::vector<std::string> SystemTables::files() const {
  std::vector<std::string> files = files_named(*this);
  if (initial.file) files.push_back(state_file(initial, folder));
  return files;
}

const SystemTables& spin_tables(const Study& study) {
  const auto* const tables = dynamic_cast<const SystemTables*>(study.tables.get());
  if (tables == nullptr) throw InternalError("the study is not about vector spins");
  return *tables;
}

}  // namespace larmor::study
