#include "larmor/io/problem_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "larmor/core/input/suggest.hpp"
#include "larmor/core/json_string.hpp"
#include "larmor/io/doubled_pairs.hpp"
#include "larmor/io/input_file.hpp"
#include "larmor/io/json.hpp"
#include "larmor/io/text_rows.hpp"

namespace larmor::io {
namespace {

using problems::QuadraticProblem;
using problems::Variables;

constexpr Index most_variables = 100'000'000;
/// Squares and sums of coefficients stay numbers.
constexpr double largest_coefficient = 1e100;

double coefficient(double value, const std::string& name, const SourcePosition& where) {
  if (std::abs(value) > largest_coefficient)
    throw InputError(fmt::format("{} is {:.6g}", name, value), where,
                     "write numbers between -1e100 and 1e100");
  return value;
}

/// An entry of a list: of a variable (i == j) or of a pair.
struct Coefficient {
  Index i, j;  ///< as the file counts them
  double value;
  int line;
};

void refuse_doubled(const std::string& path, const std::vector<Coefficient>& entries) {
  const auto doubled = doubled_pair(
      entries.size(), [&](std::size_t n) { return std::pair(entries[n].i, entries[n].j); });
  if (!doubled) return;
  const Coefficient& entry = entries[doubled->second];
  const std::string what = entry.i == entry.j
                               ? fmt::format("the coefficient of variable {}", entry.i)
                               : fmt::format("the pair of {} and {}", entry.i, entry.j);
  throw InputError(
      fmt::format("{} is given twice, first in line {}", what, entries[doubled->first].line),
      SourcePosition{path, entry.line, 1, ""}, "list each once, a pair in either order");
}

/// @param first what the file calls the first variable
void add_entries(QuadraticProblem& problem, const std::vector<Coefficient>& entries, Index first,
                 double pair_factor) {
  for (const Coefficient& entry : entries) {
    const auto i = static_cast<std::int32_t>(entry.i - first);
    const auto j = static_cast<std::int32_t>(entry.j - first);
    if (i == j)
      problem.linear[static_cast<std::size_t>(i)] = entry.value;
    else
      problem.couplings.push_back({std::min(i, j), std::max(i, j), pair_factor * entry.value});
  }
}

std::vector<std::string> counted_labels(Index size, Index first) {
  std::vector<std::string> labels;
  for (Index n = 0; n < size; ++n) labels.push_back(std::to_string(first + n));
  return labels;
}

void require_three(const TextRow& row, const char* names) {
  row.require_columns(3, names);
  if (row.columns() > 3)
    throw InputError(fmt::format("a row has {} columns", row.columns()), row.position(3),
                     fmt::format("write {}", names));
}

Coefficient entry_of(const TextRow& row, const char* names) {
  require_three(row, names);
  return {row.integer(0, "i"), row.integer(1, "j"),
          coefficient(row.real(2, "the coefficient"), "the coefficient", row.position(2)),
          row.line()};
}

/// A graph may leave the weights out: they are 1.
Coefficient edge_of(const TextRow& row) {
  if (row.columns() == 2) return {row.integer(0, "i"), row.integer(1, "j"), 1, row.line()};
  return entry_of(row, "i j weight");
}

/// A variable of the file's numbers, from `first` on.
void require_variable(Index variable, std::size_t column, const TextRow& row, Index first,
                      Index size) {
  if (variable >= first && variable < first + size) return;
  throw InputError(fmt::format("there is no variable {}", variable), row.position(column),
                   size == 0 ? "the header says that there is none"
                             : fmt::format("by the header variables are counted from {} to {}",
                                           first, first + size - 1));
}

Index count_of(const TextRow& row, std::size_t column, const char* name, Index least, Index most) {
  const Index count = row.integer(column, name);
  if (count < least || count > most)
    throw InputError(fmt::format("{} is {}", name, count), row.position(column),
                     fmt::format("write a whole number from {} to {}", least, most));
  return count;
}

void require_count(std::size_t found, Index announced, const char* things, const char* header,
                   const SourcePosition& where) {
  if (static_cast<Index>(found) == announced) return;
  throw InputError(
      fmt::format("the file lists {} {}, and its header says {}", found, things, announced), where,
      fmt::format("correct {}, or the rows", header));
}

/// "n m", then m rows i j value, variables counted from 1.
struct CountedRows {
  Index size = 0;
  std::vector<Coefficient> entries;
};

CountedRows read_counted_rows(const std::string& path, const char* names, bool with_variables) {
  TextRowReader reader(path);
  if (!reader.next_data())
    throw InputError("the file is empty", reader.end(), "write n m, then m rows i j value");
  const TextRow header = reader.row();
  if (header.columns() != 2)
    throw InputError(fmt::format("the first row has {} columns", header.columns()),
                     header.position(0), "write the numbers of variables and of rows, n m");
  CountedRows rows;
  rows.size = count_of(header, 0, "the number of variables", 1, most_variables);
  const Index announced = count_of(header, 1, "the number of rows", 0, INT32_MAX);
  while (reader.next_data()) {
    const TextRow& row = reader.row();
    const Coefficient entry = with_variables ? entry_of(row, names) : edge_of(row);
    require_variable(entry.i, 0, row, 1, rows.size);
    require_variable(entry.j, 1, row, 1, rows.size);
    if (entry.i == entry.j && !with_variables)
      throw InputError(fmt::format("an edge joins node {} with itself", entry.i), row.position(1),
                       "name two nodes");
    rows.entries.push_back(entry);
  }
  require_count(rows.entries.size(), announced, "rows", "the second number of the first row",
                header.position(1));
  refuse_doubled(path, rows.entries);
  return rows;
}

/// H = - cut = sum_(i<j) w_ij (s_i s_j - 1) / 2.
ProblemFile read_max_cut(const std::string& path) {
  const CountedRows rows = read_counted_rows(path, "i j weight", false);
  ProblemFile file{ProblemFormat::max_cut, {}, counted_labels(rows.size, 1)};
  file.problem.linear.resize(static_cast<std::size_t>(rows.size));
  add_entries(file.problem, rows.entries, 1, 0.5);
  for (const problems::Coupling& coupling : file.problem.couplings)
    file.problem.offset -= coupling.value;
  return file;
}

/// H = x^T Q x of a symmetric Q, of which each pair is listed once.
ProblemFile read_sparse(const std::string& path) {
  const CountedRows rows = read_counted_rows(path, "i j q", true);
  ProblemFile file{ProblemFormat::sparse, {}, counted_labels(rows.size, 1)};
  file.problem.variables = Variables::bits;
  file.problem.linear.resize(static_cast<std::size_t>(rows.size));
  add_entries(file.problem, rows.entries, 1, 2);
  return file;
}

constexpr const char* qubo_header = "p qubo 0 NODES DIAGONALS COUPLERS";

/// The number behind `=` or `:` from this byte of a comment on, as in "offset : 1.5"; nothing where
/// there is no such sign.
std::optional<double> number_after(const TextRow& row, std::size_t byte, const std::string& name) {
  const std::string& text = row.text();
  const auto skip_blanks = [&] {
    byte = std::min(text.find_first_not_of(" \t", byte), text.size());
  };
  skip_blanks();
  if (byte == text.size() || (text[byte] != '=' && text[byte] != ':')) return std::nullopt;
  ++byte;
  skip_blanks();
  // Words are free text.
  if (byte == text.size() ||
      std::string_view("+-.0123456789").find(text[byte]) == std::string_view::npos)
    return std::nullopt;
  const std::size_t end = std::min(text.find_first_of(" \t,", byte), text.size());
  const SourcePosition where = row.position_of_byte(byte);
  return coefficient(parse_real(std::string_view(text).substr(byte, end - byte), name, where), name,
                     where);
}

/// Comments of a QUBO may hold these: H is scale (x^T Q x + offset), as QUBOTools writes it.
struct QuboComments {
  double scale = 1, offset = 0;
};

/// Skips comments, which begin with the letter c. False: there is no other row.
bool next_of_qubo(TextRowReader& reader, QuboComments& comments) {
  while (reader.next_data()) {
    const TextRow& row = reader.row();
    if (row.word(0)[0] != 'c' && row.word(0)[0] != 'C') return true;
    if (row.columns() < 2) continue;
    const auto second = static_cast<std::size_t>(row.word(1).data() - row.text().data());
    const auto said = [&](const std::string& name) {
      return row.word(1).starts_with(name) ? number_after(row, second + name.size(), name)
                                           : std::nullopt;
    };
    if (const auto scale = said("scale")) comments.scale = *scale;
    if (const auto offset = said("offset")) comments.offset = *offset;
  }
  return false;
}

ProblemFile read_qubo(const std::string& path) {
  TextRowReader reader(path);
  QuboComments comments;
  if (!next_of_qubo(reader, comments) || reader.row().word(0) != "p")
    throw InputError("the header is missing",
                     reader.row().columns() > 0 ? reader.row().position(0) : reader.end(),
                     fmt::format("begin with {}", qubo_header));
  const TextRow header = reader.row();
  header.require_columns(6, qubo_header);
  if (header.word(1) != "qubo" || header.columns() > 6)
    throw InputError("this is no header of a QUBO", header.position(1),
                     fmt::format("write {}", qubo_header));
  const Index nodes = count_of(header, 3, "the number of nodes", 1, most_variables);
  const Index diagonals = count_of(header, 4, "the number of diagonals", 0, INT32_MAX);
  const Index couplers = count_of(header, 5, "the number of couplers", 0, INT32_MAX);
  ProblemFile file{ProblemFormat::qubo, {}, counted_labels(nodes, 0)};
  std::vector<Coefficient> entries;
  Index of_nodes = 0;
  while (next_of_qubo(reader, comments)) {
    const TextRow& row = reader.row();
    entries.push_back(entry_of(row, "i j weight"));
    require_variable(entries.back().i, 0, row, 0, nodes);
    require_variable(entries.back().j, 1, row, 0, nodes);
    of_nodes += entries.back().i == entries.back().j ? 1 : 0;
  }
  require_count(static_cast<std::size_t>(of_nodes), diagonals, "rows i i weight", "the header",
                header.position(4));
  require_count(entries.size() - static_cast<std::size_t>(of_nodes), couplers, "rows i j weight",
                "the header", header.position(5));
  refuse_doubled(path, entries);
  file.problem.variables = Variables::bits;
  file.problem.linear.resize(static_cast<std::size_t>(nodes));
  for (Coefficient& entry : entries) entry.value *= comments.scale;
  file.problem.offset = comments.scale * comments.offset;
  add_entries(file.problem, entries, 0, 1);
  return file;
}

/// "# vartype=BINARY", as dimod writes it. @return nothing, if the line says nothing of it
std::optional<Variables> variables_of_comment(const TextRow& row) {
  const std::string& text = row.text();
  const std::size_t key = text.find("vartype");
  if (key == std::string::npos || key + 7 >= text.size()) return std::nullopt;
  if (text[key + 7] != '=' && text[key + 7] != ':') return std::nullopt;
  std::string_view word = std::string_view(text).substr(key + 8);
  while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
  word = word.substr(0, word.find_first_of(" \t,"));
  if (word == "SPIN") return Variables::spins;
  if (word == "BINARY") return Variables::bits;
  throw InputError(fmt::format("the vartype is \"{}\"", word), row.position_of_byte(key),
                   "write SPIN or BINARY");
}

/// "# offset=42", also after a vartype and a comma.
std::optional<double> offset_of_comment(const TextRow& row) {
  const std::size_t key = row.text().find("offset");
  const bool is_word =
      key != std::string::npos &&
      (key == 0 || std::string_view("# !,\t").find(row.text()[key - 1]) != std::string_view::npos);
  return is_word ? number_after(row, key + 6, "offset") : std::nullopt;
}

/// Variables are those numbers that occur.
ProblemFile read_coo(const std::string& path) {
  TextRowReader reader(path);
  ProblemFile file{ProblemFormat::coo, {}, {}};
  std::vector<Coefficient> entries;
  std::map<Index, Index> place;
  while (reader.next()) {
    const TextRow& row = reader.row();
    if (row.columns() == 0) continue;
    if (row.word(0)[0] == '#' || row.word(0)[0] == '!') {
      if (const auto variables = variables_of_comment(row)) file.problem.variables = *variables;
      if (const auto offset = offset_of_comment(row)) file.problem.offset = *offset;
      continue;
    }
    entries.push_back(entry_of(row, "i j value"));
    const Index variables[] = {entries.back().i, entries.back().j};
    for (std::size_t column = 0; column < 2; ++column) {
      if (variables[column] < 0)
        throw InputError(fmt::format("a variable has the number {}", variables[column]),
                         row.position(column), "variables are whole numbers from 0 on");
      place.emplace(variables[column], 0);
    }
  }
  if (entries.empty())
    throw InputError("the file lists nothing", reader.end(), "write rows i j value");
  refuse_doubled(path, entries);
  for (auto& [variable, n] : place) {
    n = static_cast<Index>(file.labels.size());
    file.labels.push_back(std::to_string(variable));
  }
  for (Coefficient& entry : entries) entry = {place.at(entry.i), place.at(entry.j), entry.value, 0};
  file.problem.linear.resize(file.labels.size());
  add_entries(file.problem, entries, 0, 1);
  return file;
}

const Value& required(const Value& table, const char* key) {
  if (const Value* value = table.find(key)) return *value;
  throw InputError(fmt::format("the key \"{}\" is missing", key), table.where(),
                   "write what dimod's BinaryQuadraticModel.to_serializable() returns");
}

/// A label as JSON: a text, a number, or a list of these, as dimod has tuples.
std::string label_text(const Value& label) {
  switch (label.kind()) {
    case Value::Kind::string:
      return json_string(label.as_string());
    case Value::Kind::integer:
      return std::to_string(label.as_integer());
    case Value::Kind::real: {
      std::string text;
      append_number(text, label.as_number());
      return text;
    }
    case Value::Kind::array: {
      std::string text;
      for (const Value& part : label.as_array())
        text += (text.empty() ? "[" : ",") + label_text(part);
      return text.empty() ? "[]" : text + "]";
    }
    default:
      throw InputError("a variable's label is " + std::string(label.kind_words()), label.where(),
                       "write a text, a number, or a list of these");
  }
}

void require_length(const Value& list, Index length, const char* counted_by) {
  if (static_cast<Index>(list.as_array().size()) == length) return;
  throw InputError(fmt::format("the list has {} entries, and {} is {}", list.as_array().size(),
                               counted_by, length),
                   list.where(), "make them agree");
}

void read_couplings(const Value& root, const std::string& path, QuadraticProblem& problem) {
  const Value &head = required(root, "quadratic_head"), &tail = required(root, "quadratic_tail");
  const Value& bias = required(root, "quadratic_biases");
  const Index count = required(root, "num_interactions").as_integer();
  for (const Value* list : {&head, &tail, &bias}) require_length(*list, count, "num_interactions");
  const auto variable = [&](const Value& index) {
    const Index i = index.as_integer();
    if (i < 0 || i >= problem.size())
      throw InputError(
          fmt::format("there is no variable {}", i), index.where(),
          fmt::format("num_variables says that they are counted from 0 to {}", problem.size() - 1));
    return i;
  };
  std::vector<Coefficient> entries;
  for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n) {
    const Value &of_head = head.as_array()[n], &of_tail = tail.as_array()[n];
    const Value& value = bias.as_array()[n];
    const Index i = variable(of_head), j = variable(of_tail);
    if (i == j)
      throw InputError(fmt::format("variable {} is coupled with itself", i), of_tail.where(),
                       "linear_biases hold what belongs to one variable");
    entries.push_back(
        {i, j, coefficient(value.as_number(), "the bias", value.where()), of_tail.where().line});
  }
  refuse_doubled(path, entries);
  add_entries(problem, entries, 0, 1);
}

ProblemFile read_bqm(const std::string& path) {
  const Value root = read_json(path);
  ProblemFile file{ProblemFormat::bqm, {}, {}};
  const Value* const bytes = root.find("use_bytes");
  if (bytes != nullptr && bytes->as_boolean())
    throw InputError("the biases are bytes", bytes->where(),
                     "write the file with to_serializable(use_bytes=False)");
  const Value& type = required(root, "variable_type");
  if (type.as_string() != "SPIN" && type.as_string() != "BINARY")
    throw InputError(fmt::format("variable_type is \"{}\"", type.as_string()), type.where(),
                     "write SPIN or BINARY");
  if (type.as_string() == "BINARY") file.problem.variables = Variables::bits;
  const Value& size = required(root, "num_variables");
  if (size.as_integer() < 1)
    throw InputError("the problem has no variables", size.where(), "there is nothing to solve");
  const Value& linear = required(root, "linear_biases");
  require_length(linear, size.as_integer(), "num_variables");
  for (const Value& bias : linear.as_array())
    file.problem.linear.push_back(coefficient(bias.as_number(), "the bias", bias.where()));
  if (const Value* offset = root.find("offset"))
    file.problem.offset = coefficient(offset->as_number(), "the offset", offset->where());
  const Value& labels = required(root, "variable_labels");
  require_length(labels, size.as_integer(), "num_variables");
  for (const Value& label : labels.as_array()) file.labels.push_back(label_text(label));
  read_couplings(root, path, file.problem);
  return file;
}

/// By the first row of a text.
ProblemFormat format_of_text(const std::string& path) {
  TextRowReader reader(path);
  if (!reader.next_data()) return ProblemFormat::coo;
  const TextRow& row = reader.row();
  if (row.word(0) == "p" || row.word(0) == "c") return ProblemFormat::qubo;
  if (row.word(0)[0] == '{') return ProblemFormat::bqm;
  if (row.columns() != 2) return ProblemFormat::coo;
  throw InputError("the file may be a graph or a QUBO: both begin with two numbers",
                   row.position(0), "say --format maxcut, or --format sparse");
}

ProblemFormat format_of(const std::string& path) {
  static const std::map<std::string, ProblemFormat> of_ending{
      {".json", ProblemFormat::bqm},      {".qubo", ProblemFormat::qubo},
      {".sparse", ProblemFormat::sparse}, {".mc", ProblemFormat::max_cut},
      {".rud", ProblemFormat::max_cut},   {".rudy", ProblemFormat::max_cut},
      {".coo", ProblemFormat::coo}};
  const auto found = of_ending.find(std::filesystem::path(path).extension().string());
  if (found != of_ending.end()) return found->second;
  require_no_pipe(path, "say what it holds: --format " + comma_list(problem_format_names()));
  return format_of_text(path);
}

}  // namespace

const std::vector<std::string>& problem_format_names() {
  static const std::vector<std::string> names{"bqm", "coo", "qubo", "sparse", "maxcut"};
  return names;
}

namespace {

ProblemFile read_as_written(const std::string& path, const std::string& format) {
  const auto& names = problem_format_names();
  const auto named = std::ranges::find(names, format);
  const ProblemFormat chosen =
      format.empty() ? format_of(path) : static_cast<ProblemFormat>(named - names.begin());
  switch (chosen) {
    case ProblemFormat::bqm:
      return read_bqm(path);
    case ProblemFormat::coo:
      return read_coo(path);
    case ProblemFormat::qubo:
      return read_qubo(path);
    case ProblemFormat::sparse:
      return read_sparse(path);
    case ProblemFormat::max_cut:
      return read_max_cut(path);
    case ProblemFormat::study:
      break;
  }
  throw InputError("there is no format '" + format + "'");
}

}  // namespace

std::string ProblemFile::format_name() const {
  return is_study() ? "study" : problem_format_names()[static_cast<std::size_t>(format)];
}

std::string ProblemFile::sign_words() const {
  if (is_study()) return "H = - sum J s s - h sum s, as in the study";
  if (format != ProblemFormat::coo || problem.variables != Variables::spins) return "";
  return is_ferromagnetic ? "H = - sum J s s: J > 0 is ferromagnetic"
                          : "H = + sum J s s: J > 0 is antiferromagnetic";
}

ProblemFile read_problem(const std::string& path, const std::string& format, bool ferromagnetic) {
  ProblemFile file = read_as_written(path, format);
  if (!ferromagnetic) return file;
  if (file.sign_words().empty())
    throw InputError("--ferromagnetic belongs to rows i j J between spins, and '" + path +
                         "' holds something else",
                     "leave it out");
  file.is_ferromagnetic = true;
  for (double& value : file.problem.linear) value = 0 - value;
  for (problems::Coupling& coupling : file.problem.couplings) coupling.value = 0 - coupling.value;
  return file;
}

}  // namespace larmor::io
