#include "larmor/study/input/key_path.hpp"

#include <algorithm>
#include <charconv>
#include <memory>

#include "larmor/core/input/lacking_key.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/core/types.hpp"
#include "larmor/io/files/toml.hpp"

namespace larmor::study {
namespace {

/// The path to a key, as the user wrote it.
struct KeyPath {
  const std::string& key;
  const SourceMark& mark;
};

std::vector<std::string> path_names(const std::string& key) {
  std::vector<std::string> names{""};
  for (const char c : key) {
    if (c == '.')
      names.emplace_back();
    else
      names.back() += c;
  }
  return names;
}

std::vector<std::string> keys_of(const Value& table) {
  std::vector<std::string> keys;
  for (const Value::Entry& entry : table.as_table()) keys.push_back(entry.key);
  return keys;
}

/// Is the name a number, such as that of an entry of a list? The entry need not exist.
bool is_number(const std::string& name) {
  return name.find_first_not_of("-+0123456789") == std::string::npos;
}

/// The number of an entry of a list, from 0; -1 if `name` is not the number of an entry.
Index entry_number(const std::string& name, std::size_t entries) {
  Index number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data(), end, number);
  const bool good = error == std::errc{} && stop == end && name.front() != '0' && number >= 1 &&
                    number <= static_cast<Index>(entries);
  return good ? number - 1 : -1;
}

[[noreturn]] void leads_nowhere(const KeyPath& path, const std::string& why,
                                const std::string& remedy) {
  throw InputError("the key '" + path.key + "' does not exist: " + why, path.mark.position(),
                   remedy);
}

/// A copy of `value` with `replacement` at the key to which names[place], names[place + 1], ..
/// lead. Missing tables on the way are added.
Value replaced(const Value& value, const std::vector<std::string>& names, std::size_t place,
               const KeyPath& path, const Value& replacement) {
  std::string before;
  for (std::size_t n = 0; n < place; ++n) before += (n > 0 ? "." : "") + names[n];
  const std::string& name = names[place];
  const bool last = place + 1 == names.size();
  const auto deeper = [&](const Value& inner) {
    return last ? replacement : replaced(inner, names, place + 1, path, replacement);
  };
  if (value.is_table()) {
    Value out = value;
    const Value* const inner = value.find(name);
    const auto is_name = [](const std::string& one) { return !is_number(one); };
    if (inner == nullptr &&
        std::all_of(names.begin() + static_cast<std::ptrdiff_t>(place) + 1, names.end(), is_name)) {
      Value table;
      table.mark(path.mark);
      out.set(name, deeper(table), path.mark);
      return out;
    }
    if (inner == nullptr) {
      const std::vector<std::string> there = keys_of(value);
      const std::string hint = did_you_mean(name, there);
      leads_nowhere(path,
                    (before.empty() ? "the study" : "'" + before + "'") + " has no '" + name + "'",
                    hint.empty() ? "it has " + comma_list(there) : hint);
    }
    out.set(name, deeper(*inner), path.mark);
    return out;
  }
  if (!value.is_array())
    leads_nowhere(path, "'" + before + "' is " + value.kind_text(), "end the key with this name");
  Value::Array entries = value.as_array();
  const Index number = entry_number(name, entries.size());
  if (number < 0) {
    std::string example = before + ".1";
    for (std::size_t n = place + (is_number(name) ? 1 : 0); n < names.size(); ++n)
      example += "." + names[n];
    leads_nowhere(path,
                  "'" + before + "' is a list of " + std::to_string(entries.size()) +
                      ", which has no entry '" + name + "'",
                  "count its entries from 1: " + example);
  }
  Value& entry = entries[static_cast<std::size_t>(number)];
  entry = deeper(entry);
  Value out(std::move(entries));
  // An error in a changed list points at the change.
  out.mark(last ? replacement.source_mark() : value.source_mark());
  return out;
}

/// `text` without the blanks at its ends.
std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// Could `written` be a text without its quotes?
bool is_bare_text(const std::string& written) {
  if (std::string("\"'[{").find(written.front()) != std::string::npos) return false;
  double number = 0;
  const char* const end = written.data() + written.size();
  return std::from_chars(written.data(), end, number).ptr != end;
}

/// Begin of the names by which errors point at changes.
constexpr std::string_view option_of_changes = "--set ";

/// `--set key=value`
class Change {
 public:
  explicit Change(const std::string& text)
      : text_(text), file_(std::string(option_of_changes) + text), equals_(text.find('=')) {
    if (text.find_first_of("\n\r") != std::string::npos)
      throw InputError("a --set has several lines", "write a separate --set for each change");
    if (equals_ == std::string::npos || equals_ == 0)
      throw InputError(file_ + " gives no value", "write --set stage.1.sweeps=100");
    if (trimmed(text.substr(equals_ + 1)).empty())
      throw InputError(file_ + " gives no value",
                       "write a value after the equals sign; an empty text is '\"\"'");
  }

  Value applied_to(const Value& document) const {
    const std::string key = trimmed(text_.substr(0, equals_));
    const Value value = this->value();  // called first: value() refuses a value that is not text
    require_key_path(key, mark(1));
    return with_value(document, key, mark(1), value);
  }

 private:
  SourceMark mark(std::size_t column) const {
    auto source = std::make_shared<SourceText>();
    source->file = file_;
    source->lines = {text_};
    return {source, 1, static_cast<int>(column)};
  }
  /// The value that TOML reads after the equals sign, with its position in the text.
  Value read(const std::string& written) const {
    const std::string key = "v";
    const std::string before = key + std::string(equals_ - key.size(), ' ') + "=";
    return *io::parse_toml_shown_as(before + written, file_, text_).find(key);
  }
  Value value() const {
    const std::string written = text_.substr(equals_ + 1);
    try {
      return read(written);
    } catch (const InputError&) {
      if (!is_bare_text(trimmed(written))) throw;
    }
    Value text = read(to_toml_value(Value(trimmed(written))));
    text.mark(mark(equals_ + 2));
    return text;
  }

  const std::string& text_;
  std::string file_;
  std::size_t equals_;
};

/// A text with the key that a table lacks, if the error is about one. @param before begin of it
std::string lacking_key(const InputError& error, const std::string& before) {
  const auto* const lacking = dynamic_cast<const LackingKey*>(&error);
  return lacking == nullptr ? "" : before + lacking->key();
}

/// The place before or at `where` on its line that is nearest to it, and the path of its key.
struct NearestKey {
  const SourcePosition& where;
  int column = 0;
  std::string path = {};

  void note(const SourcePosition& place, const std::string& its_path) {
    if (place.line != where.line || place.column > where.column || place.column < column) return;
    column = place.column;
    path = its_path;
  }

  void visit(const Value& value, const std::string& its_path) {
    if (!its_path.empty()) note(value.where(), its_path);
    const std::string before = its_path.empty() ? "" : its_path + ".";
    if (value.is_array()) {
      Index number = 0;
      for (const Value& entry : value.as_array()) visit(entry, before + std::to_string(++number));
    } else if (value.is_table()) {
      for (const Value::Entry& entry : value.as_table()) {
        note(entry.key_mark.position(), before + entry.key);
        visit(entry.value, before + entry.key);
      }
    }
  }
};

}  // namespace

void require_key_path(const std::string& key, const SourceMark& mark) {
  if (key.empty() || key.front() == '.' || key.back() == '.' || key.find("..") != std::string::npos)
    throw InputError("'" + key + "' names no key", mark.position(),
                     "join names by dots, and give entries of lists by their number from 1: "
                     "\"stage.1.temperature\", \"field.B.3\"");
}

Value with_value(const Value& document, const std::string& key, const SourceMark& mark,
                 const Value& value) {
  return replaced(document, path_names(key), 0, {key, mark}, value);
}

const Value* find_value(const Value& document, const std::string& key) {
  const Value* value = &document;
  for (const std::string& name : path_names(key)) {
    if (value->is_table()) {
      value = value->find(name);
    } else if (value->is_array()) {
      const Index number = entry_number(name, value->as_array().size());
      value = number < 0 ? nullptr : &value->as_array()[static_cast<std::size_t>(number)];
    } else {
      return nullptr;
    }
    if (value == nullptr) return nullptr;
  }
  return value;
}

Value with_changes(Value document, const std::vector<std::string>& changes) {
  for (const std::string& change : changes) document = Change(change).applied_to(document);
  return document;
}

std::string key_of(const Value& document, const InputError& error) {
  NearestKey nearest{error.where()};
  if (error.where().line > 0) nearest.visit(document, "");
  return nearest.path + lacking_key(error, nearest.path.empty() ? "" : ".");
}

std::optional<std::string> changed_key(const InputError& error) {
  const std::string& file = error.where().file;
  if (!file.starts_with(option_of_changes)) return std::nullopt;
  const std::string key =
      file.substr(option_of_changes.size(), file.find('=') - option_of_changes.size());
  return trimmed(key) + lacking_key(error, ".");
}

}  // namespace larmor::study
