#include "larmor/io/graphs/problem_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "larmor/core/input/suggest.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/io/files/text_rows.hpp"
#include "larmor/io/graphs/problem_entries.hpp"

namespace larmor::io {
namespace {

using ground_states::QuadraticProblem;
using ground_states::Variables;

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

/// Reads an edge. A graph may omit the weights, which are then 1.
Coefficient edge_of(const TextRow& row) {
  if (row.columns() == 2) return {row.integer(0, "i"), row.integer(1, "j"), 1, row.line()};
  return entry_of(row, "i j weight");
}

/// Checks the number of a variable, which the file counts from `first` on.
void require_variable(Index variable, std::size_t column, const TextRow& row, Index first,
                      Index size) {
  if (variable >= first && variable < first + size) return;
  throw InputError(fmt::format("there is no variable {}", variable), row.position(column),
                   size == 0
                       ? "the header counts no variables"
                       : fmt::format("according to the header, variables are counted from {} to {}",
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
      fmt::format("the file lists {} {}, but its header says {}", found, things, announced), where,
      fmt::format("correct {}, or the rows", header));
}

/// The contents of a file with "n m" and then m rows i j value. Variables are counted from 1.
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
                     header.position(0), "write only the numbers of variables and of rows, n m");
  CountedRows rows;
  rows.size = count_of(header, 0, "the number of variables", 1, most_variables);
  const Index announced = count_of(header, 1, "the number of rows", 0, INT32_MAX);
  std::size_t columns = 0;
  while (reader.next_data()) {
    const TextRow& row = reader.row();
    const Coefficient entry = with_variables ? entry_of(row, names) : edge_of(row);
    if (columns > 0 && row.columns() != columns)
      throw InputError(
          fmt::format("a row has {} columns, but the rows before have {}", row.columns(), columns),
          row.position(0), "write the weight of every edge, or of none");
    columns = row.columns();
    require_variable(entry.i, 0, row, 1, rows.size);
    require_variable(entry.j, 1, row, 1, rows.size);
    if (entry.i == entry.j && !with_variables)
      throw InputError(fmt::format("an edge joins node {} with itself", entry.i), row.position(1),
                       "name two different nodes");
    rows.entries.push_back(entry);
  }
  require_count(rows.entries.size(), announced, "rows", "the second number of the first row",
                header.position(1));
  refuse_doubled(path, rows.entries);
  return rows;
}

/// Reads a graph with H = - cut = sum_(i<j) w_ij (s_i s_j - 1) / 2.
ProblemFile read_max_cut(const std::string& path) {
  const CountedRows rows = read_counted_rows(path, "i j weight", false);
  ProblemFile file{ProblemFormat::max_cut, {}, counted_labels(rows.size, 1)};
  file.problem.linear.resize(static_cast<std::size_t>(rows.size));
  add_entries(file.problem, rows.entries, 1, 0.5);
  for (const ground_states::Coupling& coupling : file.problem.couplings)
    file.problem.offset -= coupling.value;
  return file;
}

/// Reads H = x^T Q x for a symmetric Q, with each pair listed once.
ProblemFile read_sparse(const std::string& path) {
  const CountedRows rows = read_counted_rows(path, "i j q", true);
  ProblemFile file{ProblemFormat::sparse, {}, counted_labels(rows.size, 1)};
  file.problem.variables = Variables::bits;
  file.problem.linear.resize(static_cast<std::size_t>(rows.size));
  add_entries(file.problem, rows.entries, 1, 2);
  return file;
}

constexpr const char* qubo_header = "p qubo 0 NODES DIAGONALS COUPLERS";

/// The number behind `=` or `:` after this byte of a comment, as in "offset : 1.5"; nothing if
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
  // If no number follows, the comment is free text.
  if (byte == text.size() ||
      std::string_view("+-.0123456789").find(text[byte]) == std::string_view::npos)
    return std::nullopt;
  const std::size_t end = std::min(text.find_first_of(" \t,", byte), text.size());
  const SourcePosition where = row.position_of_byte(byte);
  return coefficient(parse_real(std::string_view(text).substr(byte, end - byte), name, where), name,
                     where);
}

/// Values that comments of a QUBO may give. H is scale (x^T Q x + offset), as QUBOTools writes it.
struct QuboComments {
  double scale = 1, offset = 0;
};

/// Goes to the next row that is not a comment. Comments begin with the letter c. False if there is
/// no such row.
bool next_of_qubo(TextRowReader& reader, QuboComments& comments) {
  while (reader.next_data()) {
    const TextRow& row = reader.row();
    if (row.word(0)[0] != 'c' && row.word(0)[0] != 'C') return true;
    if (row.columns() < 2) continue;
    const auto second = static_cast<std::size_t>(row.word(1).data() - row.text().data());
    const auto value_of = [&](const std::string& name) {
      return row.word(1).starts_with(name) ? number_after(row, second + name.size(), name)
                                           : std::nullopt;
    };
    if (const auto scale = value_of("scale")) comments.scale = *scale;
    if (const auto offset = value_of("offset")) comments.offset = *offset;
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
    throw InputError("this is not a header of a QUBO", header.position(1),
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

/// Reads "# vartype=BINARY", as dimod writes it. @return nothing if the line has no vartype
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

/// Refuses a first row that may be a header: some graphs begin with n m and another number. If the
/// row were a coupling of n and m, no other row would name m.
void refuse_header(const std::string& path, const std::vector<Coefficient>& entries) {
  const Coefficient& first = entries.front();
  const bool counts_rows = first.j > first.i && first.j == static_cast<Index>(entries.size()) - 1;
  if (!counts_rows || !std::all_of(entries.begin() + 1, entries.end(), [&](const Coefficient& row) {
        return std::min(row.i, row.j) >= 1 && std::max(row.i, row.j) <= first.i;
      }))
    return;
  throw InputError(
      fmt::format(
          "the first row may be the header of a graph: {} rows with numbers from 1 to {} follow",
          first.j, first.i),
      SourcePosition{path, first.line, 1, ""},
      "if the row is a coupling, give --format coo; if the file is a graph, write only n m in this "
      "row and give --format maxcut");
}

/// Reads rows i j value. The variables are the numbers that occur in these rows.
/// @param is_named does the user or the ending of the file's name give the format?
ProblemFile read_coo(const std::string& path, bool is_named) {
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
                         row.position(column), "number the variables by whole numbers from 0 on");
      place.emplace(variables[column], 0);
    }
  }
  if (entries.empty())
    throw InputError("the file lists nothing", reader.end(), "write rows i j value");
  if (!is_named) refuse_header(path, entries);
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

/// Does the file begin like a model of dimod? `read_dimod` distinguishes the models.
bool begins_as_dimod(const std::string& path) {
  constexpr std::string_view name = dimod_signature.substr(0, 5);
  std::string begin(name.size(), ' ');
  return open_input(path).read(begin.data(), name.size()) && begin == name;
}

/// The format by the first rows of a text.
ProblemFormat format_of_text(const std::string& path) {
  TextRowReader reader(path);
  if (!reader.next_data()) return ProblemFormat::coo;
  const TextRow row = reader.row();
  if (row.word(0) == "p" || row.word(0) == "c") return ProblemFormat::qubo;
  if (row.word(0)[0] == '{') return ProblemFormat::bqm;
  if (row.columns() != 2) return ProblemFormat::coo;
  // Only a graph may omit weights.
  if (reader.next_data() && reader.row().columns() == 2) return ProblemFormat::max_cut;
  throw InputError(
      "the file may be a graph or a QUBO, because both kinds of files begin with two numbers",
      row.position(0), "give --format maxcut for a graph, or --format sparse for a QUBO");
}

std::optional<ProblemFormat> format_of_ending(const std::string& path) {
  static const std::map<std::string, ProblemFormat> of_ending{
      {".json", ProblemFormat::bqm},     {".bqm", ProblemFormat::bqm},
      {".qubo", ProblemFormat::qubo},    {".sparse", ProblemFormat::sparse},
      {".mc", ProblemFormat::max_cut},   {".rud", ProblemFormat::max_cut},
      {".rudy", ProblemFormat::max_cut}, {".coo", ProblemFormat::coo}};
  const auto found = of_ending.find(std::filesystem::path(path).extension().string());
  if (found == of_ending.end()) return std::nullopt;
  return found->second;
}

ProblemFormat format_of_contents(const std::string& path) {
  require_no_pipe(path,
                  "give the format of the problem: --format " + comma_list(problem_format_names()));
  return begins_as_dimod(path) ? ProblemFormat::bqm : format_of_text(path);
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
  const std::optional<ProblemFormat> known =
      format.empty() ? format_of_ending(path)
                     : std::optional(static_cast<ProblemFormat>(named - names.begin()));
  switch (known ? *known : format_of_contents(path)) {
    case ProblemFormat::bqm:
      return read_dimod(path);
    case ProblemFormat::coo:
      return read_coo(path, known.has_value());
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

/// Changes the signs of all terms except the offset.
void negate_biases(QuadraticProblem& problem) {
  for (double& value : problem.linear) value = 0 - value;
  for (ground_states::Coupling& coupling : problem.couplings) coupling.value = 0 - coupling.value;
}

}  // namespace

std::string ProblemFile::format_name() const {
  return is_study() ? "study" : problem_format_names()[static_cast<std::size_t>(format)];
}

std::string ProblemFile::sign_text() const {
  if (is_study()) return "H = - sum J s s - h sum s, as in the study";
  if (format != ProblemFormat::coo || problem.variables != Variables::spins) return "";
  return is_ferromagnetic ? "H = - sum J s s: J > 0 is ferromagnetic"
                          : "H = + sum J s s: J > 0 is antiferromagnetic";
}

ProblemFile read_problem(const std::string& path, const std::string& format, bool ferromagnetic) {
  ProblemFile file = read_as_written(path, format);
  if (!ferromagnetic) return file;
  if (file.sign_text().empty())
    throw InputError("--ferromagnetic applies only to rows i j J between spins, and '" + path +
                         "' has other contents",
                     "leave out --ferromagnetic");
  file.is_ferromagnetic = true;
  negate_biases(file.problem);
  return file;
}

void maximise(ProblemFile& file) {
  file.is_maximised = true;
  if (file.is_cut()) return;
  negate_biases(file.problem);
  file.problem.offset = 0 - file.problem.offset;
}

}  // namespace larmor::io
