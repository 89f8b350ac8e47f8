#include "larmor/study/model_kind/stage_types.hpp"

#include <algorithm>

#include "larmor/core/input/suggest.hpp"

namespace larmor::study {

const StageType& stage_type_of(const ModelKind& model_kind, const Value& table,
                               const ReadContext& context) {
  std::vector<std::string> kinds;
  for (const StageType& type : model_kind.stages()) kinds.push_back(type.name);
  if (!table.is_table())
    throw InputError("a stage must be a table", table.where(),
                     "write [[stage]] with kind = \"...\"");
  const Value* kind = table.find("kind");
  if (kind == nullptr)
    throw InputError("the stage lacks its kind", table.where(),
                     "add kind = \"...\", one of " + comma_list(kinds));
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
  kind.tells_kind = true;
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
