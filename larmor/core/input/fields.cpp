#include "larmor/core/input/fields.hpp"

#include <algorithm>
#include <utility>

#include "larmor/core/input/lacking_key.hpp"
#include "larmor/core/input/suggest.hpp"

namespace larmor::fields_detail {
namespace {

const Field* find_field(const FieldList& list, const std::string& key) {
  for (const auto& field : list.fields()) {
    if (field.spec.info.key == key) return &field;
  }
  return nullptr;
}

bool is_empty(const Value& value) {
  return (value.is_array() && value.as_array().empty()) ||
         (value.is_string() && value.as_string().empty());
}

/// The written member; no value if it is an empty std::optional.
std::optional<Value> written(const Field& field, const void* object, const ReadContext& context) {
  return field.type->write(static_cast<const char*>(object) + field.offset,
                           Writer{field.spec.info.dimension, context});
}

std::string in_table(const std::string& name) { return name.empty() ? "" : " in " + name; }

/// The value of the table's kind key; "" if it is missing or unknown.
std::string kind_of(const FieldList& list, const Value& table) {
  for (const auto& field : list.fields()) {
    const FieldInfo& info = field.spec.info;
    const Value* const value = info.selects_keys ? table.find(info.key) : nullptr;
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
  for (const auto& field : list.fields())
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
  throw LackingKey(info.key, InputError("the key '" + info.key + "' is missing" + in_table(name),
                                        table.where(), info.key + " (" + kind + "): " + info.doc));
}

}  // namespace

FieldList::FieldList() = default;
FieldList::FieldList(const FieldList& other) = default;
FieldList::FieldList(FieldList&& other) noexcept = default;
FieldList::~FieldList() = default;

void FieldList::add(std::string_view key, std::ptrdiff_t offset, const MemberType& type,
                    Dimension dimension, std::string_view doc, bool required) {
  Field field{{}, offset, &type};
  FieldInfo& info = field.spec.info;
  info.key = key;
  if (find_field(*this, info.key) != nullptr)
    throw InternalError("the field '" + info.key + "' is declared twice");
  info.type = type.description().one;
  info.dimension = dimension;
  info.required = required;
  info.doc = doc;
  if (type.children != nullptr) info.children = type.children();
  fields_.push_back(std::move(field));
}

Spec& FieldList::last() {
  if (fields_.empty()) throw InternalError("a limit is declared before any field");
  return fields_.back().spec;
}

FieldInfo& FieldList::last_info() { return last().info; }

void FieldList::positive() {
  last().limits.positive = true;
  last_info().limits.push_back("positive");
}

void FieldList::at_least(double lowest) {
  last().limits.lowest = lowest;
  last_info().limits.push_back("at least " + number_text(lowest));
}

void FieldList::at_most(double highest) {
  last().limits.highest = highest;
  last_info().limits.push_back("at most " + number_text(highest));
}

void FieldList::not_zero() {
  last().limits.not_zero = true;
  last_info().limits.push_back("not zero");
}

void FieldList::not_empty() {
  last().limits.not_empty = true;
  last_info().limits.push_back("not empty");
}

void FieldList::one_of(std::initializer_list<const char*> choices,
                       std::initializer_list<const char*> docs) {
  last_info().choices.assign(choices.begin(), choices.end());
  last_info().choice_docs.assign(docs.begin(), docs.end());
}

void read_fields(const FieldList& list, const std::string& name, const Value& table,
                 const ReadContext& context, void* object) {
  if (!table.is_table()) {
    const std::string what = name.empty() ? "the value" : name;
    throw InputError(what + " must be a table, not " + table.kind_text(), table.where(),
                     "write its keys below [" + (name.empty() ? "name" : name) +
                         "], or as { key = value, ... }");
  }
  for (const auto& entry : table.as_table()) {
    if (find_field(list, entry.key) == nullptr) refuse_unknown(list, name, table, entry);
  }
  for (const auto& field : list.fields()) {
    const FieldInfo& info = field.spec.info;
    const Value* value = table.find(info.key);
    if (value != nullptr) {
      field.type->read({field.spec, context}, *value, static_cast<char*>(object) + field.offset);
    } else if (info.required) {
      refuse_missing(info, name, table);
    }
  }
}

Value write_fields(const FieldList& list, const ReadContext& context, const void* object) {
  Value table;
  for (const auto& field : list.fields()) {
    auto value = written(field, object, context);
    if (!value || (field.spec.limits.not_empty && is_empty(*value))) continue;  // not given
    table.set(field.spec.info.key, std::move(*value));
  }
  return table;
}

std::vector<FieldInfo> describe_fields(const FieldList& list, const void* defaults) {
  std::vector<FieldInfo> infos;
  for (const auto& field : list.fields()) {
    FieldInfo info = field.spec.info;
    const auto value = written(field, defaults, ReadContext::reduced());
    if (!info.required && value && info.children.empty()) {
      info.default_text = to_toml_value(*value);
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

}  // namespace larmor::fields_detail
