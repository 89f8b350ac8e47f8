#include "larmor/io/structures/extxyz_frames.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/lattice/length_limits.hpp"

namespace larmor::io {
namespace {

/// Separators of the numbers of a list, in quotes or in nested brackets.
constexpr const char* list_separators = " \t,[]{}";

/// Keys that determine how the lines of atoms are read.
constexpr std::array used_keys{"Lattice", "Properties", "pbc"};

bool is_used(const std::string& key) {
  return std::find(used_keys.begin(), used_keys.end(), key) != used_keys.end();
}

/// Splits `key=value key="several words" flag`. Brackets also quote, and blanks may surround `=`.
/// Flags, which are free text, are skipped.
class EntryParser {
 public:
  explicit EntryParser(const TextRow& row) : row_(row), text_(row.text()) {}

  std::map<std::string, ExtxyzEntry> parse() {
    std::map<std::string, ExtxyzEntry> entries;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      const std::size_t begin = at_;
      const std::string key = until(" \t=");
      const std::size_t after_key = at_;
      skip_blanks();
      if (at_ == text_.size() || text_[at_] != '=') {
        at_ = after_key;
        continue;
      }
      if (key.empty())
        throw InputError("a value has no key", row_.position_of_byte(at_),
                         "write key=value, or key=\"several words\"");
      ++at_;
      skip_blanks_before_value();
      const SourcePosition where = row_.position_of_byte(at_);
      ExtxyzEntry entry{value(), where, text_.substr(begin, at_ - begin)};
      const auto [first, is_new] = entries.emplace(key, entry);
      if (is_new) continue;
      if (is_used(key))
        throw InputError(key + " is given twice", where, "keep one of the two entries");
      first->second.text += " " + entry.text;
    }
    return entries;
  }

 private:
  /// Skips blanks before a value. If another `key=` follows, the value is empty.
  void skip_blanks_before_value() {
    const std::size_t before = at_;
    skip_blanks();
    const std::size_t end = std::min(text_.find_first_of(" \t=\"'[{", at_), text_.size());
    if (end < text_.size() && text_[end] == '=') at_ = before;
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }

  std::string until(const char* stops) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(stops, at_), text_.size());
    return text_.substr(begin, at_ - begin);
  }

  std::string value() {
    const std::string openings = "\"'[{";
    const std::string closings = "\"']}";
    const std::size_t quote = at_ < text_.size() ? openings.find(text_[at_]) : std::string::npos;
    if (quote == std::string::npos) return until(" \t");
    const std::size_t begin = at_ + 1;
    const std::size_t end = end_of_quote(openings[quote], closings[quote]);
    at_ = end + 1;
    return text_.substr(begin, end - begin);
  }

  /// The byte that closes the quotation or bracket here. Brackets nest, and a backslash escapes a
  /// character.
  std::size_t end_of_quote(char open, char close) const {
    int depth = 1;
    for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
      if (text_[i] == '\\') {
        ++i;
      } else if (text_[i] == close) {
        if (open == close || --depth == 0) return i;
      } else if (text_[i] == open) {
        ++depth;
      }
    }
    throw InputError("the quotation does not end", row_.position_of_byte(at_),
                     std::string("close it with ") + close);
  }

  const TextRow& row_;
  const std::string& text_;
  std::size_t at_ = 0;
};

/// The keys of a line. If the line is not a list of keys and names none of the used keys, it is
/// free text without keys.
std::map<std::string, ExtxyzEntry> entries_of(const TextRow& row) {
  try {
    return EntryParser(row).parse();
  } catch (const InputError&) {
    for (const char* key : used_keys)
      if (row.text().find(key) != std::string::npos) throw;
    return {};
  }
}

std::vector<std::string> split(const std::string& text, const char* separators) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0, end = 0; end < text.size(); begin = end + 1) {
    end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin) fields.push_back(text.substr(begin, end - begin));
  }
  return fields;
}

std::array<Vec3<double>, 3> parse_cell(const ExtxyzEntry& entry) {
  const std::vector<std::string> words = split(entry.value, list_separators);
  if (words.size() != 9)
    throw InputError("Lattice has " + std::to_string(words.size()) + " of 9 numbers", entry.where,
                     "give the three vectors of the cell one after the other");
  std::array<double, 9> number{};
  for (std::size_t i = 0; i < 9; ++i) number[i] = parse_real(words[i], "Lattice", entry.where);
  std::array<Vec3<double>, 3> cell{};
  for (std::size_t d = 0; d < 3; ++d)
    cell[d] = {number[3 * d], number[3 * d + 1], number[3 * d + 2]};
  for (const Vec3<double>& a : cell)
    if (!lattice::within_length_limits(a))
      throw InputError("Lattice has a vector that is too long or too short", entry.where,
                       lattice::length_limits);
  return cell;
}

std::array<bool, 3> parse_boundaries(const ExtxyzEntry& entry) {
  const std::vector<std::string> words = split(entry.value, list_separators);
  const std::vector<std::string> yes{"T", "True", "true", "TRUE", "1"};
  const std::vector<std::string> no{"F", "False", "false", "FALSE", "0"};
  const auto one_of = [](const std::vector<std::string>& known, const std::string& word) {
    return std::find(known.begin(), known.end(), word) != known.end();
  };
  std::array<bool, 3> periodic{};
  bool good = words.size() == 3;
  for (std::size_t d = 0; good && d < 3; ++d) {
    periodic[d] = one_of(yes, words[d]);
    good = periodic[d] || one_of(no, words[d]);
  }
  if (!good)
    throw InputError("pbc is not three letters T or F", entry.where,
                     "write for example pbc=\"T T F\"");
  return periodic;
}

Index parse_count(const TextRow& row) {
  const Index atoms = row.integer(0, "the number of atoms");
  if (atoms < 1 || atoms > std::numeric_limits<std::int32_t>::max() || row.columns() > 1)
    throw InputError("the first line is not a number of atoms", row.position(0),
                     "write only a number from 1 to 2147483647 on the line");
  return atoms;
}

}  // namespace

ExtxyzColumns::ExtxyzColumns(const ExtxyzEntry& entry) : where_(entry.where) {
  constexpr std::size_t widest = 1000000;
  const std::vector<std::string> fields = split(entry.value, ":");
  std::size_t column = 0;
  for (std::size_t i = 0; i + 2 < fields.size(); i += 3) {
    std::size_t width = 0;
    const char* const end = fields[i + 2].data() + fields[i + 2].size();
    const auto [stop, error] = std::from_chars(fields[i + 2].data(), end, width);
    const bool is_number = error == std::errc{} && stop == end;
    const bool known = fields[i + 1].size() == 1 && std::string("SRIL").find(fields[i + 1]) < 4;
    if (!known || !is_number || width < 1 || width > widest) break;
    if (find(fields[i]) != nullptr)
      throw InputError("Properties names the column " + fields[i] + " twice", entry.where,
                       "keep one of the two entries");
    properties_.push_back({fields[i], fields[i + 1], column, width});
    column += width;
  }
  if (properties_.empty() || 3 * properties_.size() != fields.size())
    throw InputError("Properties is not a list of name:type:columns", entry.where,
                     "write for example Properties=species:S:1:pos:R:3; types are S, R, I and L");
}

const ExtxyzProperty* ExtxyzColumns::find(const std::string& name) const {
  const auto found = std::find_if(properties_.begin(), properties_.end(),
                                  [&](const ExtxyzProperty& p) { return p.name == name; });
  return found == properties_.end() ? nullptr : &*found;
}

const ExtxyzProperty& ExtxyzColumns::require(const std::string& name, const std::string& type,
                                             std::size_t width) const {
  const ExtxyzProperty* found = find(name);
  if (found != nullptr && found->type == type && found->width == width) return *found;
  const std::string wanted = name + ":" + type + ":" + std::to_string(width);
  throw InputError("Properties lacks " + wanted, where_,
                   "add this column to Properties, and its values to the lines of atoms");
}

void ExtxyzColumns::check(const TextRow& row) const {
  const std::size_t count = properties_.back().first + properties_.back().width;
  if (row.columns() == count) return;
  std::string names;
  for (const ExtxyzProperty& p : properties_)
    names += (names.empty() ? "" : " ") + p.name +
             (p.width > 1 ? "(" + std::to_string(p.width) + ")" : "");
  row.require_columns(count, names);
  throw InputError("the line has more than " + std::to_string(count) + " columns",
                   row.position(count),
                   "the columns are " + names + "; name further columns in Properties");
}

bool ExtxyzReader::next_frame() {
  while (atoms_read_ < atoms_) next_atom();
  do {
    if (!reader_.next()) return false;
  } while (reader_.row().columns() == 0);
  where_count_ = reader_.row().position(0);
  atoms_ = parse_count(reader_.row());
  atoms_read_ = 0;
  if (!reader_.next())
    throw InputError("the line of keys is missing", reader_.end(),
                     "write Lattice=\"..\" Properties=species:S:1:pos:R:3, or an empty line");
  where_keys_ = reader_.row().position(0);
  entries_ = entries_of(reader_.row());
  return true;
}

void ExtxyzReader::require_frame() {
  if (!next_frame())
    throw InputError("the file does not begin with the number of atoms", reader_.end(),
                     "write the number of atoms, a line of keys, then one line for each atom");
}

const ExtxyzEntry* ExtxyzReader::find(const std::string& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

ExtxyzColumns ExtxyzReader::columns() const {
  const ExtxyzEntry* properties = find("Properties");
  return ExtxyzColumns(properties != nullptr ? *properties
                                             : ExtxyzEntry{"species:S:1:pos:R:3", where_keys_, ""});
}

ExtxyzBox ExtxyzReader::box() const {
  const ExtxyzEntry *cell = find("Lattice"), *pbc = find("pbc");
  const bool has_cell = cell != nullptr;
  ExtxyzBox box{std::nullopt, has_cell ? cell->where : where_keys_, {has_cell, has_cell, has_cell}};
  if (pbc != nullptr) box.periodic = parse_boundaries(*pbc);
  if (has_cell) box.cell = parse_cell(*cell);
  if (!has_cell && box.periodic != std::array<bool, 3>{false, false, false})
    throw InputError("the positions are periodic, but there is no Lattice", pbc->where,
                     "give Lattice=\"ax ay az bx by bz cx cy cz\"");
  return box;
}

const TextRow& ExtxyzReader::next_atom() {
  if (!reader_.next())
    throw InputError("the file ends after " + std::to_string(atoms_read_) + " of " +
                         std::to_string(atoms_) + " atoms",
                     reader_.end(), "check the number of atoms on the line before its keys");
  ++atoms_read_;
  return reader_.row();
}

void check_species_name(const std::string& name) {
  if (name.empty() || name.find_first_of(" \t\r\n\f\v") != std::string::npos)
    throw InputError("the species \"" + name + "\" cannot be written to extended XYZ",
                     "use a name without blanks");
}

std::string extxyz_header(Index atoms, const std::array<Vec3<double>, 3>* cell,
                          const std::array<bool, 3>& periodic, const std::string& columns,
                          const std::string& keys) {
  std::string text = std::to_string(atoms) + "\n";
  if (cell != nullptr) {
    text += "Lattice=\"";
    for (std::size_t d = 0; d < 3; ++d) append_vector(text += d > 0 ? " " : "", (*cell)[d]);
    text += "\" ";
  }
  text += "Properties=species:S:1:pos:R:3" + (columns.empty() ? "" : ":" + columns) + " pbc=\"";
  for (std::size_t d = 0; d < 3; ++d)
    text += std::string(d > 0 ? " " : "") + (periodic[d] ? "T" : "F");
  return text + '"' + keys + '\n';
}

}  // namespace larmor::io
