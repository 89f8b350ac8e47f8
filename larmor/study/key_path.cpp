#include "larmor/study/key_path.hpp"

#include <charconv>
#include <optional>

#include "larmor/core/suggest.hpp"
#include "larmor/core/types.hpp"
#include "larmor/io/toml.hpp"

namespace larmor::study {
namespace {

/// As the user wrote it.
struct KeyPath {
  const std::string& key;
  const SourceMark& mark;
};

std::vector<std::string> parts_of(const std::string& key) {
  std::vector<std::string> parts{""};
  for (const char c : key) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::vector<std::string> keys_of(const Value& table) {
  std::vector<std::string> keys;
  for (const Value::Entry& entry : table.as_table()) keys.push_back(entry.key);
  return keys;
}

/// The number of an entry of a list, from 0; -1: `part` is none.
Index entry_number(const std::string& part, std::size_t entries) {
  Index number = 0;
  const char* const end = part.data() + part.size();
  const auto [stop, error] = std::from_chars(part.data(), end, number);
  const bool good =
      error == std::errc{} && stop == end && number >= 1 && number <= static_cast<Index>(entries);
  return good ? number - 1 : -1;
}

[[noreturn]] void leads_nowhere(const KeyPath& path, const std::string& why,
                                const std::string& remedy) {
  throw InputError("the key '" + path.key + "' leads nowhere: " + why, path.mark.position(),
                   remedy);
}

/// `value` with the key at `parts` from `place` on replaced. @param way that leads to `value`
Value replaced(const Value& value, const std::vector<std::string>& parts, std::size_t place,
               const KeyPath& path, const Value& by) {
  std::string way;
  for (std::size_t n = 0; n < place; ++n) way += (n > 0 ? "." : "") + parts[n];
  const std::string& part = parts[place];
  const bool last = place + 1 == parts.size();
  const auto deeper = [&](const Value& inner) {
    return last ? by : replaced(inner, parts, place + 1, path, by);
  };
  if (value.is_table()) {
    Value out = value;
    const Value* const inner = value.find(part);
    if (inner == nullptr && !last) {
      const std::vector<std::string> there = keys_of(value);
      const std::string hint = did_you_mean(part, there);
      leads_nowhere(path, (way.empty() ? "the study" : "'" + way + "'") + " has no '" + part + "'",
                    hint.empty() ? "it has " + comma_list(there) : hint);
    }
    out.set(part, inner == nullptr ? by : deeper(*inner), path.mark);
    return out;
  }
  if (!value.is_array())
    leads_nowhere(path, "'" + way + "' is " + value.kind_words(), "end the key there");
  Value::Array entries = value.as_array();
  const Index number = entry_number(part, entries.size());
  if (number < 0) {
    std::string example = way + ".1";
    if (part.find_first_not_of("0123456789") != std::string::npos) example += "." + part;
    leads_nowhere(path,
                  "'" + way + "' is a list of " + std::to_string(entries.size()) +
                      ", which has no entry '" + part + "'",
                  "count its entries from 1: " + example);
  }
  Value& entry = entries[static_cast<std::size_t>(number)];
  entry = deeper(entry);
  Value out(std::move(entries));
  out.mark(value.source_mark());
  return out;
}

/// Without the blanks around it.
std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// What stands behind the equals sign of `change`, with its place there.
Value value_of(const std::string& change, std::size_t equals) {
  const std::string written = trimmed(change.substr(equals + 1));
  const std::string file = "--set " + change;
  // Blanks, so that columns are those of what the user wrote.
  const std::string key = "v";
  const std::string before = key + std::string(equals - std::min(equals, key.size()), ' ') + "=";
  const bool is_bare = written.find_first_of("\"'[]{}#=") == std::string::npos;
  try {
    return *io::parse_toml(before + change.substr(equals + 1), file).find(key);
  } catch (const InputError&) {
    if (written.empty() || !is_bare) throw;
  }
  Value text(written);
  auto source = std::make_shared<SourceText>();
  source->file = file;
  source->lines = {change};
  text.mark({source, 1, static_cast<int>(equals) + 2});
  return text;
}

Value changed(const Value& document, const std::string& change) {
  const std::size_t equals = change.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError("--set " + change + " gives no value", "write --set stage.1.sweeps=100");
  const std::string key = trimmed(change.substr(0, equals));
  auto source = std::make_shared<SourceText>();
  source->file = "--set " + change;
  source->lines = {change};
  const SourceMark mark{source, 1, 1};
  require_key_path(key, mark);
  return with_value(document, key, mark, value_of(change, equals));
}

}  // namespace

void require_key_path(const std::string& key, const SourceMark& mark) {
  if (key.empty() || key.front() == '.' || key.back() == '.' || key.find("..") != std::string::npos)
    throw InputError("'" + key + "' names no key", mark.position(),
                     "join names by dots, entries of lists by their number from 1: "
                     "\"stage.1.temperature\", \"field.B.3\"");
}

Value with_value(const Value& document, const std::string& key, const SourceMark& mark,
                 const Value& value) {
  return replaced(document, parts_of(key), 0, {key, mark}, value);
}

Value with_changes(Value document, const std::vector<std::string>& changes) {
  for (const std::string& change : changes) document = changed(document, change);
  return document;
}

}  // namespace larmor::study
