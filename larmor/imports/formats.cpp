#include "larmor/imports/formats.hpp"

#include <filesystem>

#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/core/text.hpp"
#include "larmor/imports/cif.hpp"
#include "larmor/imports/tb2j/tb2j.hpp"
#include "larmor/imports/uppasd/uppasd.hpp"
#include "larmor/imports/values.hpp"
#include "larmor/imports/vampire/vampire.hpp"

namespace larmor::imports {
namespace {

struct Format {
  const char* program;
  bool (*is_of)(const std::string& path);
  Import (*read)(const std::string& path, const ImportOptions& options);
};

/// The format that a file is most easily mistaken for comes last.
constexpr Format formats[] = {
    {"TB2J", is_tb2j_output, read_tb2j},      {"Vampire", is_vampire_input, read_vampire},
    {"UppASD", is_uppasd_input, read_uppasd}, {"CIF", is_cif, read_cif},
    {"POSCAR", is_poscar, read_poscar},
};

constexpr std::size_t longest_comment = 72;  // bytes

/// The line without repeated blanks.
std::string line_of(const SourcePosition& where) {
  std::string line;
  for (const char c : where.line_text) {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (!blank) line += c;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  if (line.size() <= longest_comment) return line;
  line.resize(longest_comment);
  while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0U) == 0x80U)
    line.pop_back();
  return line + " ...";
}

/// Is every byte beyond ASCII a part of a character that is shown?
bool is_printable_utf8(const std::string& text) {
  const std::string escape = "\\x";
  for (const VisibleCharacter& c : visible_characters(text))
    for (std::size_t at = c.text.find(escape); at != std::string::npos;
         at = c.text.find(escape, at + escape.size()))
      if (c.text.at(at + escape.size()) >= '8') return false;
  return true;
}

/// TOML is UTF-8. @throws InputError for another text
void require_utf8(const Value& value) {
  if (value.is_array())
    for (const Value& entry : value.as_array()) require_utf8(entry);
  if (value.is_table())
    for (const Value::Entry& entry : value.as_table()) require_utf8(entry.value);
  if (value.is_string() && !is_printable_utf8(value.as_string()))
    throw InputError("the text '" + visible(value.as_string()) + "' is not printable UTF-8",
                     value.where(), "save the file as UTF-8");
}

}  // namespace

std::optional<Import> import_file(const std::string& path, const ImportOptions& options) {
  std::error_code error;
  if (path.ends_with(".toml") || !std::filesystem::is_regular_file(path, error))
    return std::nullopt;
  for (const Format& format : formats)
    if (format.is_of(path))
      return with_position({path, 0, 0, ""}, [&] {
        Import import = format.read(path, options);
        require_utf8(import.study);
        return import;
      });
  return std::nullopt;
}

Value with_paths_from(const Value& study, const std::string& from, const std::string& to) {
  namespace fs = std::filesystem;
  const auto moved = [&](const Value::Entry& entry) {
    if (entry.key != "file" || !entry.value.is_string())
      return with_paths_from(entry.value, from, to);
    const fs::path path(entry.value.as_string());
    if (path.is_absolute()) return entry.value;
    return placed(Value(fs::proximate(fs::path(from) / path, to).string()),
                  entry.value.source_mark());
  };
  Value result;
  if (study.is_table()) {
    for (const Value::Entry& entry : study.as_table())
      result.set(entry.key, moved(entry), entry.key_mark);
  } else if (study.is_array()) {
    Value::Array items;
    for (const Value& item : study.as_array()) items.push_back(with_paths_from(item, from, to));
    result = Value(std::move(items));
  } else {
    result = study;
  }
  return placed(std::move(result), study.source_mark());
}

std::string names_of_programs() {
  std::vector<std::string> names;
  for (const Format& format : formats) names.emplace_back(format.program);
  return comma_list(names);
}

std::string commented_toml(const Import& import) {
  std::string last;
  const auto comment_of = [&](const Value::Entry& entry) -> std::string {
    const SourcePosition of_value = entry.value.where();
    const SourcePosition where = of_value.line > 0 ? of_value : entry.key_mark.position();
    if (where.line == 0) return "";
    std::string place =
        std::filesystem::path(where.file).filename().string() + ":" + std::to_string(where.line);
    if (place == last) return "";
    last = place;
    return visible(place + "  " + line_of(where), ' ');
  };
  std::string text = "# A study from the input of " + import.program + ".\n";
  for (const std::string& note : import.notes) text += "# " + visible(note) + "\n";
  return text + "\n" + to_toml(import.study, comment_of);
}

}  // namespace larmor::imports
