#include "larmor/imports/vampire/keywords.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "larmor/core/input/suggest.hpp"
#include "larmor/imports/vampire/known_keywords.hpp"

namespace larmor::imports::vampire {
namespace {

std::string without_blanks_around(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string without_comment(const std::string& text) { return text.substr(0, text.find('#')); }

/// "material[2]" becomes "material" and 2. False for brackets without a number from 1.
bool split_number(std::string& name, std::optional<Index>& number) {
  const std::size_t open = name.find('[');
  if (open == std::string::npos) return true;
  Index value = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + open + 1, end, value);
  if (error != std::errc{} || value < 1 || stop != end - 1 || *stop != ']') return false;
  number = value;
  name.resize(open);
  return true;
}

bool is_word(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// The name and the numbers of `material[1]:exchange-matrix[2]`; false for another text.
bool read_name(const std::string& text, Keyword& keyword) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return false;
  std::string prefix = without_blanks_around(text.substr(0, colon));
  std::string word = without_blanks_around(text.substr(colon + 1));
  if (!split_number(prefix, keyword.first) || !split_number(word, keyword.second)) return false;
  keyword.name = prefix + ":" + word;
  return is_word(prefix) && is_word(word);
}

int column_of(std::size_t byte) { return static_cast<int>(byte) + 1; }

Keyword keyword_of(const TextLines& lines, const std::string& text) {
  Keyword keyword;
  const std::size_t equals = text.find('=');
  keyword.where = lines.mark(column_of(text.find_first_not_of(" \t")));
  keyword.value_mark = keyword.where;
  if (!read_name(text.substr(0, equals), keyword))
    throw InputError("this line is not a keyword of Vampire", keyword.where.position(),
                     "write a keyword and its value, such as sim:temperature = 300; # begins a "
                     "comment");
  if (equals == std::string::npos) return keyword;
  const std::string right = text.substr(equals + 1);
  const std::size_t mark = right.find('!');
  keyword.value = without_blanks_around(right.substr(0, mark));
  if (mark != std::string::npos) keyword.unit = without_blanks_around(right.substr(mark + 1));
  std::erase(keyword.value, '"');
  std::erase(keyword.value, '\'');
  const std::size_t begin = right.find_first_not_of(" \t");
  if (begin != std::string::npos) keyword.value_mark = lines.mark(column_of(equals + 1 + begin));
  return keyword;
}

std::string name_in_file(const Keyword& keyword) {
  const std::size_t colon = keyword.name.find(':');
  std::string text = keyword.name.substr(0, colon);
  if (keyword.first) text += "[" + std::to_string(*keyword.first) + "]";
  text += keyword.name.substr(colon);
  if (keyword.second) text += "[" + std::to_string(*keyword.second) + "]";
  return text;
}

/// A unit of Vampire as Larmor spells it.
std::string unit_of(const std::string& spelled) {
  std::string unit = spelled;
  for (const char* per : {"/link", "/atom"})
    if (unit.ends_with(per)) unit.resize(unit.size() - 5);
  if (unit == "mum") return "um";
  if (unit == "Tesla" || unit == "tesla") return "T";
  if (unit == "mub" || unit == "Bohr-magnetons") return "muB";
  if (unit == "angstroms" || unit == "Angstroms" || unit == "Ang") return "A";
  return unit;
}

}  // namespace

std::vector<Keyword> read_keywords(const std::string& path) {
  std::vector<Keyword> all;
  for (TextLines lines(path); lines.next();) {
    const std::string text = without_comment(lines.text());
    if (!without_blanks_around(text).empty()) all.push_back(keyword_of(lines, text));
  }
  return all;
}

bool is_keyword_line(const std::string& text) {
  Keyword keyword;
  const std::string line = without_comment(text);
  return read_name(line.substr(0, line.find('=')), keyword) &&
         is_known_prefix(keyword.name.substr(0, keyword.name.find(':')));
}

double number_of(const Keyword& keyword) {
  return io::parse_real(keyword.value, name_in_file(keyword), keyword.value_mark.position());
}

Index count_of(const Keyword& keyword, Index least) {
  const double value = number_of(keyword);
  if (value != std::floor(value) || value < static_cast<double>(least) || value > 1e12)
    throw InputError(name_in_file(keyword) + " is " + keyword.value + ", not a whole number from " +
                         std::to_string(least),
                     keyword.value_mark.position(), "write a whole number");
  return static_cast<Index>(value);
}

Vec3<double> direction_of(const Keyword& keyword) {
  std::string text = keyword.value;
  std::replace(text.begin(), text.end(), ',', ' ');
  std::erase_if(text, [](char c) { return c == '[' || c == ']' || c == '(' || c == ')'; });
  const io::TextRow row("", 0, text);
  const SourcePosition where = keyword.value_mark.position();
  if (row.columns() != 3)
    throw InputError(name_in_file(keyword) + " is \"" + keyword.value + "\", not a vector", where,
                     "write three numbers with commas between them: 0, 0, 1");
  std::array<double, 3> v{};
  for (std::size_t d = 0; d < 3; ++d)
    v[d] = io::parse_real(row.word(d), name_in_file(keyword), where);
  if (v == std::array<double, 3>{0, 0, 0})
    throw InputError(name_in_file(keyword) + " is zero", where, "write a direction");
  return {v[0], v[1], v[2]};
}

Quantity quantity_of(const Keyword& keyword, Dimension dimension, const std::string& usual) {
  const std::string unit = keyword.unit.empty() ? usual : unit_of(keyword.unit);
  Quantity quantity;
  quantity.text = number_text(number_of(keyword)) + " " + unit;
  quantity.inner = parse_quantity(quantity.text, dimension, ReadContext::material(),
                                  name_in_file(keyword), keyword.value_mark.position());
  return quantity;
}

Keywords::Keywords(std::vector<Keyword> all, std::vector<std::string>& notes)
    : all_(std::move(all)) {
  std::set<std::string> not_needed;
  for (const Keyword& keyword : all_) {
    const KnownKeyword known = known_keyword(keyword.name);
    if (known.use == Use::unknown)
      throw InputError("there is no keyword " + keyword.name + " among those that Larmor knows",
                       keyword.where.position(),
                       known.remedy + "; remove the line if it does not change the physics");
    if (known.use == Use::refused ||
        (known.use == Use::only_neutral && !is_neutral(known, keyword)))
      throw InputError(name_in_file(keyword) + " is not supported", keyword.where.position(),
                       known.remedy);
    if (known.use == Use::not_needed) not_needed.insert(keyword.name);
  }
  if (not_needed.empty()) return;
  std::string names;
  for (const std::string& name : not_needed) names += (names.empty() ? "" : ", ") + name;
  notes.push_back("not needed, because the results hold all measurements: " + names);
}

const Keyword* Keywords::find(const std::string& name) const {
  const auto found = std::find_if(all_.rbegin(), all_.rend(),
                                  [&](const Keyword& keyword) { return keyword.name == name; });
  return found == all_.rend() ? nullptr : &*found;
}

const Keyword* Keywords::find(const std::string& name, std::optional<Index> first,
                              std::optional<Index> second) const {
  const auto found = std::find_if(all_.rbegin(), all_.rend(), [&](const Keyword& keyword) {
    return keyword.name == name && keyword.first == first && keyword.second == second;
  });
  return found == all_.rend() ? nullptr : &*found;
}

}  // namespace larmor::imports::vampire
