#include "larmor/study/model_kind/model_kind.hpp"

#include <algorithm>

#include "larmor/core/input/lacking_key.hpp"
#include "larmor/core/input/suggest.hpp"

namespace larmor::study {
namespace {

std::vector<const ModelKind*>& known_kinds() {
  static std::vector<const ModelKind*> kinds = program_model_kinds();
  return kinds;
}

}  // namespace

template <class T>
const std::vector<T>& block(const Blocks& blocks, const std::string& name) {
  const auto found = blocks.find(name);
  const auto* const values =
      found == blocks.end() ? nullptr : std::get_if<std::vector<T>>(&found->second);
  if (values == nullptr)
    throw MachineError("it holds no block '" + name + "' of the expected type");
  return *values;
}

template const std::vector<double>& block(const Blocks&, const std::string&);
template const std::vector<std::int64_t>& block(const Blocks&, const std::string&);
template const std::vector<std::uint64_t>& block(const Blocks&, const std::string&);
template const std::vector<std::byte>& block(const Blocks&, const std::string&);

io::DataArray System::live_array(const std::string& name) {
  throw InternalError("a system does not give its array " + name);
}

MemoryView System::live_view(const std::string& name) {
  throw InternalError("a system does not show its array " + name);
}

void System::set_live_array(const std::string& name, std::span<const double>) {
  throw InternalError("a system does not set its array " + name);
}

void add_table(TableInfo table, const std::string& model_kind, std::vector<TableInfo>& tables) {
  const auto same = [&](const TableInfo& known) {
    return known.name == table.name && known.doc == table.doc && known.keys == table.keys;
  };
  const auto equal = std::find_if(tables.begin(), tables.end(), same);
  if (equal != tables.end()) {
    equal->model_kinds.push_back(model_kind);
    return;
  }
  table.model_kinds = {model_kind};
  for (TableInfo& known : tables)
    if (known.name == table.name) known.needs_model_kind = table.needs_model_kind = true;
  tables.push_back(std::move(table));
}

const std::vector<const ModelKind*>& model_kinds() { return known_kinds(); }

void add_model_kind(const ModelKind& kind) { known_kinds().push_back(&kind); }

const ModelKind& model_kind(const std::string& name, const SourcePosition& where) {
  std::vector<std::string> names;
  for (const ModelKind* kind : model_kinds()) {
    if (kind->name() == name) return *kind;
    names.push_back(kind->name());
  }
  throw InputError("unknown model kind \"" + name + "\"", where, hint_and_list(name, names));
}

const StageType& stage_type_of(const ModelKind& model_kind, const Value& table,
                               const ReadContext& context) {
  std::vector<std::string> kinds;
  for (const StageType& type : model_kind.stages()) kinds.push_back(type.name);
  if (!table.is_table())
    throw InputError("a stage must be a table", table.where(),
                     "write [[stage]] with kind = \"...\"");
  const Value* kind = table.find("kind");
  if (kind == nullptr)
    throw LackingKey("kind", InputError("the stage lacks its kind", table.where(),
                                        "add kind = \"...\", one of " + comma_list(kinds)));
  const std::string name = read_value<std::string>(*kind, "kind", Dimension::none, context);
  for (const StageType& type : model_kind.stages())
    if (type.name == name) return type;
  throw InputError("unknown kind of stage \"" + name + "\"", kind->where(),
                   hint_and_list(name, kinds));
}

std::vector<StageNumber> stage_numbers(const io::ResultsReader& results, const std::string& path) {
  const io::Attributes attributes = results.attributes(path);
  const auto found = attributes.find("kind");
  if (found == attributes.end()) return {};
  const io::Attributes of_model = results.attributes("/model");
  const auto stored = of_model.find("kind");
  // Results of versions that had only one model kind do not name it.
  const ModelKind& kind =
      stored == of_model.end()
          ? *model_kinds().front()
          : model_kind(stored->second.text(), {results.place("/model"), 0, 0, ""});
  for (const StageType& type : kind.stages())
    if (type.name == found->second.text() && type.numbers) return type.numbers(results, path);
  return {};
}

FieldInfo describe_stage_kind() {
  FieldInfo kind;
  kind.key = "kind";
  kind.type = "string";
  kind.required = true;
  kind.selects_keys = true;
  kind.doc = "kind of the stage; `larmor explain KIND` lists its other keys";
  for (const TableInfo& table : describe_stages())
    if (std::find(kind.choices.begin(), kind.choices.end(), table.name) == kind.choices.end())
      kind.choices.push_back(table.name);
  return kind;
}

std::vector<TableInfo> describe_stages() {
  std::vector<TableInfo> tables;
  for (const ModelKind* model_kind : model_kinds())
    for (const StageType& type : model_kind->stages())
      add_table(type.describe(), model_kind->name(), tables);
  return tables;
}

}  // namespace larmor::study
