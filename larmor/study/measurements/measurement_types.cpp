#include "larmor/study/measurements/measurement_types.hpp"

#include "larmor/core/input/lacking_key.hpp"
#include "larmor/core/input/suggest.hpp"

namespace larmor::study {
namespace {

bool has_key(const MeasurementInfo& type, const std::string& key) {
  return std::any_of(type.keys.begin(), type.keys.end(),
                     [&](const FieldInfo& info) { return info.key == key; });
}

std::string list_of_keys(const MeasurementInfo& type) {
  std::vector<std::string> keys;
  for (const FieldInfo& info : type.keys) keys.push_back(info.key);
  return comma_list(keys);
}

/// Reports a key that another kind of measurement has.
void require_own_keys(const Value& table, const MeasurementInfo& type,
                      const std::vector<MeasurementInfo>& types) {
  for (const Value::Entry& entry : table.as_table()) {
    if (has_key(type, entry.key)) continue;
    std::vector<std::string> others;
    for (const MeasurementInfo& other : types)
      if (has_key(other, entry.key)) others.push_back(other.name);
    if (!others.empty())
      throw InputError(
          "'" + entry.key + "' belongs to " + comma_list(others) + ", not to " + type.name,
          entry.key_mark.position(), "known keys of " + type.name + ": " + list_of_keys(type));
  }
}

/// Are two keys equal, except for the kinds of measurement that have them?
bool is_same(FieldInfo known, const FieldInfo& key) {
  known.kinds = key.kinds;
  return known == key;
}

}  // namespace

namespace measure_detail {

TypedEntry typed_entry(const Value& entry, const std::vector<MeasurementInfo>& types,
                       std::map<std::string, Index>& counted, const ReadContext& context) {
  if (!entry.is_table() && !entry.is_string())
    throw InputError(
        "an entry of measure must be a name or a table, not " + std::string(entry.kind_text()),
        entry.where(), "write { what = \"...\" }");
  const Value* const what = entry.is_table() ? entry.find("what") : &entry;
  const std::vector<std::string> names = names_of(types);
  if (what == nullptr)
    throw LackingKey("what", InputError("the key 'what' is missing in measure", entry.where(),
                                        "add `what = \"...\"`, one of " + comma_list(names)));
  const auto name = read_value<std::string>(*what, "what", Dimension::none, context);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    throw InputError("this stage has no measurement \"" + name + "\"", what->where(),
                     hint_and_list(name, names));
  }
  const auto place = static_cast<std::size_t>(found - names.begin());
  const MeasurementInfo& type = types[place];
  if (entry.is_table() && type.keys.empty())
    throw InputError(name + " has no keys here: it is measured whenever the stage measures",
                     entry.where(), "write only its name, measure = [\"" + name + "\"]");
  if (entry.is_table()) require_own_keys(entry, type, types);
  if (++counted[name] > 1 && !type.several)
    throw InputError(name + " is measured twice", what->where(), "name each measurement once");
  if (entry.is_table() || type.keys.empty()) return {place, entry};
  Value table;
  table.mark(entry.source_mark());
  table.set("what", entry, entry.source_mark());
  return {place, std::move(table)};
}

std::vector<bool> are_included(const std::vector<TypedEntry>& typed,
                               const std::vector<MeasurementInfo>& types) {
  std::vector<bool> included;
  for (const TypedEntry& one : typed)
    included.push_back(std::any_of(typed.begin(), typed.end(), [&](const TypedEntry& other) {
      const std::vector<std::string>& names = types[other.type].includes;
      return std::find(names.begin(), names.end(), types[one.type].name) != names.end();
    }));
  return included;
}

void require_samples(Index every, const MeasureContext& context, const Value& entry) {
  if (every <= context.steps) return;
  const Value* const given = entry.is_table() ? entry.find("every") : nullptr;
  throw InputError("measuring every " + std::to_string(every) + " " + context.step_name +
                       ", but the stage makes only " + std::to_string(context.steps),
                   (given == nullptr ? entry : *given).where(),
                   "give a smaller every, or more " + context.step_name);
}

}  // namespace measure_detail

std::vector<std::string> names_of(const std::vector<MeasurementInfo>& types) {
  std::vector<std::string> names;
  for (const MeasurementInfo& type : types) names.push_back(type.name);
  return names;
}

std::vector<std::string> docs_of(const std::vector<MeasurementInfo>& types) {
  std::vector<std::string> docs;
  const bool tables = std::any_of(types.begin(), types.end(),
                                  [](const MeasurementInfo& type) { return !type.keys.empty(); });
  for (const MeasurementInfo& type : types)
    docs.push_back(type.doc + (tables && type.keys.empty() ? "; give only its name" : ""));
  return docs;
}

std::vector<FieldInfo> describe_entries(const std::vector<MeasurementInfo>& types) {
  std::vector<FieldInfo> keys;
  for (const MeasurementInfo& type : types)
    for (const FieldInfo& key : type.keys) {
      if (key.selects_keys) {
        if (keys.empty()) keys.push_back(key);
        keys.front().choices = names_of(types);
        keys.front().choice_docs = docs_of(types);
        continue;
      }
      auto same = std::find_if(keys.begin(), keys.end(),
                               [&](const FieldInfo& known) { return is_same(known, key); });
      if (same == keys.end()) same = keys.insert(keys.end(), key);
      same->kinds.push_back(type.name);
    }
  return keys;
}

}  // namespace larmor::study
