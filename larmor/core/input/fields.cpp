#include "larmor/core/input/fields.hpp"

#include <algorithm>
#include <utility>

#include "larmor/core/input/suggest.hpp"

namespace larmor::fields_detail {
namespace {

const Field* find_field(const FieldList& list, const std::string& key) {
  for (const auto& field : list.fields) {
    if (field.spec.info.key == key) return &field;
  }
  return nullptr;
}

bool is_empty(const Value& value) {
  return (value.is_array() && value.as_array().empty()) ||
         (value.is_string() && value.as_string().empty());
}

std::string in_table(const std::string& name) { return name.empty() ? "" : " in " + name; }

/// What the table says that it is; "" if nothing that is known.
std::string kind_of(const FieldList& list, const Value& table) {
  for (const auto& field : list.fields) {
    const FieldInfo& info = field.spec.info;
    const Value* const value = info.tells_kind ? table.find(info.key) : nullptr;
    if (value != nullptr && value->is_string() &&
        std::find(info.choices.begin(), info.choices.end(), value->as_string()) !=
            info.choices.end())
      return value->as_string();
  }
  return "";
}

[[noreturn]] void refuse_unknown(const FieldList& list, const std::string& name, const Value& table,
                                 const Value::Entry& entry) {
  const std::string kind = kind_of(list, table);
  std::vector<std::string> keys;
  for (const auto& field : list.fields)
    if (kind.empty() || is_key_of(field.spec.info, kind)) keys.push_back(field.spec.info.key);
  const std::string guess = did_you_mean(entry.key, keys);
  throw InputError("unknown key '" + entry.key + "'" + in_table(name), entry.key_mark.position(),
                   (guess.empty() ? "" : guess + " ") + "known keys" +
                       (kind.empty() ? "" : " of " + kind) + ": " + comma_list(keys));
}

[[noreturn]] void refuse_missing(const FieldInfo& info, const std::string& name,
                                 const Value& table) {
  const std::string kind = info.dimension == Dimension::none
                               ? info.type
                               : info.type + ", " + dimension_name(info.dimension);
  throw InputError("the key '" + info.key + "' is missing" + in_table(name), table.where(),
                   info.key + " (" + kind + "): " + info.doc);
}

}  // namespace

void FieldList::add(Field field) {
  if (find_field(*this, field.spec.info.key) != nullptr) {
    throw InternalError("the field '" + field.spec.info.key + "' is declared twice");
  }
  fields.push_back(std::move(field));
}

Spec& FieldList::last() {
  if (fields.empty()) throw InternalError("a limit is declared before any field");
  return fields.back().spec;
}

void read_fields(const FieldList& list, const std::string& name, const Value& table,
                 const ReadContext& context, void* object) {
  if (!table.is_table()) {
    const std::string what = name.empty() ? "the value" : name;
    throw InputError(what + " must be a table, not " + table.kind_words(), table.where(),
                     "write its keys below [" + (name.empty() ? "name" : name) +
                         "], or as { key = value, ... }");
  }
  for (const auto& entry : table.as_table()) {
    if (find_field(list, entry.key) == nullptr) refuse_unknown(list, name, table, entry);
  }
  for (const auto& field : list.fields) {
    const FieldInfo& info = field.spec.info;
    const Value* value = table.find(info.key);
    if (value != nullptr) {
      field.read({field.spec, context}, *value, object);
    } else if (info.required) {
      refuse_missing(info, name, table);
    }
  }
}

Value write_fields(const FieldList& list, const ReadContext& context, const void* object) {
  Value table;
  for (const auto& field : list.fields) {
    auto value = field.write(object, context);
    if (!value || (field.spec.limits.not_empty && is_empty(*value))) continue;  // not given
    table.set(field.spec.info.key, std::move(*value));
  }
  return table;
}

std::vector<FieldInfo> describe_fields(const FieldList& list, const void* defaults) {
  std::vector<FieldInfo> infos;
  for (const auto& field : list.fields) {
    FieldInfo info = field.spec.info;
    const auto value = field.write(defaults, ReadContext::reduced());
    if (!info.required && value && info.children.empty()) {
      info.default_text = to_toml_value(*value);
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace larmor::fields_detail
