#include "larmor/core/input/value.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "larmor/core/input/units.hpp"

namespace larmor {

SourcePosition SourceMark::position() const {
  SourcePosition position;
  if (!text) return position;
  position.file = text->file;
  position.line = line;
  position.column = column;
  if (line > 0 && static_cast<std::size_t>(line) <= text->lines.size()) {
    position.line_text = text->lines[static_cast<std::size_t>(line) - 1];
  }
  return position;
}

const char* Value::kind_text() const {
  constexpr std::array<const char*, 6> words{"true or false", "a number", "a number",
                                             "a string",      "a list",   "a table"};
  return words[data_.index()];
}

namespace {

[[noreturn]] void refuse(const Value& value, const char* needed) {
  throw InputError(std::string(needed) + " is needed here, not " + value.kind_text(), value.where(),
                   std::string("write ") + needed);
}

}  // namespace

bool Value::as_boolean() const {
  if (const auto* value = std::get_if<bool>(&data_)) return *value;
  refuse(*this, "true or false");
}

std::int64_t Value::as_integer() const {
  if (const auto* value = std::get_if<std::int64_t>(&data_)) return *value;
  refuse(*this, "a whole number");
}

double Value::as_number() const {
  if (const auto* value = std::get_if<double>(&data_)) return *value;
  if (const auto* value = std::get_if<std::int64_t>(&data_)) return static_cast<double>(*value);
  refuse(*this, "a number");
}

const std::string& Value::as_string() const {
  if (const auto* value = std::get_if<std::string>(&data_)) return *value;
  refuse(*this, "a string");
}

const Value::Array& Value::as_array() const {
  if (const auto* value = std::get_if<Array>(&data_)) return *value;
  refuse(*this, "a list");
}

const Value::Table& Value::as_table() const {
  if (const auto* value = std::get_if<Table>(&data_)) return *value;
  refuse(*this, "a table");
}

const Value* Value::find(std::string_view key) const {
  for (const auto& entry : as_table()) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

void Value::set(std::string key, Value value, SourceMark key_mark) {
  if (!is_table()) refuse(*this, "a table");
  auto& table = std::get<Table>(data_);
  const auto same_key = [&key](const Entry& entry) { return entry.key == key; };
  const auto old = std::find_if(table.begin(), table.end(), same_key);
  if (old != table.end()) {
    *old = {std::move(key), std::move(value), std::move(key_mark)};
  } else {
    table.push_back({std::move(key), std::move(value), std::move(key_mark)});
  }
}

TablePosition::TablePosition(const Value& table) : SourcePosition(table.where()) {
  if (!table.is_table()) return;
  for (const Value::Entry& entry : table.as_table())
    mark_of_key_.emplace(entry.key, entry.value.source_mark());
}

SourcePosition TablePosition::of(std::initializer_list<std::string_view> keys) const {
  for (const std::string_view key : keys) {
    const auto found = mark_of_key_.find(key);
    if (found != mark_of_key_.end()) return found->second.position();
  }
  return *this;
}

namespace {

std::string quoted_string(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out += hex[byte >> 4U];
      out += hex[byte & 0xFU];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string key_text(std::string_view key) {
  const auto is_bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), is_bare);
  return bare ? std::string(key) : quoted_string(key);
}

std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = number_text(value);
  // If the text has no point and no exponent, TOML reads an integer.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string inline_array(const Value::Array& values) {
  std::string text = "[";
  for (const auto& value : values) {
    if (text.size() > 1) text += ", ";
    text += to_toml_value(value);
  }
  return text + "]";
}

std::string inline_table(const Value::Table& table) {
  if (table.empty()) return "{}";
  std::string text = "{ ";
  for (const auto& entry : table) {
    if (text.size() > 2) text += ", ";
    text += key_text(entry.key) + " = " + to_toml_value(entry.value);
  }
  return text + " }";
}

bool is_array_of_tables(const Value& value) {
  if (!value.is_array() || value.as_array().empty()) return false;
  const auto& values = value.as_array();
  return std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is_table(); });
}

void write_table(const Value::Table& table, const std::string& path, const CommentOf& comment_of,
                 std::string& out) {
  for (const auto& entry : table) {
    if (entry.value.is_table() || is_array_of_tables(entry.value)) continue;
    const std::string comment = comment_of ? comment_of(entry) : "";
    out += key_text(entry.key) + " = " + to_toml_value(entry.value) +
           (comment.empty() ? "" : "  # " + comment) + "\n";
  }
  for (const auto& entry : table) {
    const std::string name = path.empty() ? key_text(entry.key) : path + "." + key_text(entry.key);
    const std::string gap = out.empty() ? "" : "\n";
    if (entry.value.is_table()) {
      out += gap + "[" + name + "]\n";
      write_table(entry.value.as_table(), name, comment_of, out);
    } else if (is_array_of_tables(entry.value)) {
      for (const auto& element : entry.value.as_array()) {
        out += (out.empty() ? "[[" : "\n[[") + name + "]]\n";
        write_table(element.as_table(), name, comment_of, out);
      }
    }
  }
}

}  // namespace

std::string to_toml(const Value& table, const CommentOf& comment_of) {
  std::string out;
  write_table(table.as_table(), "", comment_of, out);
  return out;
}

std::string to_toml_value(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::boolean:
      return value.as_boolean() ? "true" : "false";
    case Value::Kind::integer:
      return std::to_string(value.as_integer());
    case Value::Kind::real:
      return real_text(value.as_number());
    case Value::Kind::string:
      return quoted_string(value.as_string());
    case Value::Kind::array:
      return inline_array(value.as_array());
    case Value::Kind::table:
      return inline_table(value.as_table());
  }
  throw InternalError("a value of unknown kind");
}

}  // namespace larmor
