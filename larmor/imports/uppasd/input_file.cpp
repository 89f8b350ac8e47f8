#include "larmor/imports/uppasd/input_file.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <utility>

#include "larmor/core/input/suggest.hpp"
#include "larmor/imports/uppasd/keywords.hpp"

namespace larmor::imports::uppasd {
namespace {

/// Keywords whose numbers stand on the lines below. The number on the line of the keyword counts
/// these lines.
constexpr std::string_view list_keywords[] = {"ip_nphase", "ip_mcanneal", "ntraj"};

bool is_list(std::string_view keyword) {
  return std::find(std::begin(list_keywords), std::end(list_keywords), keyword) !=
         std::end(list_keywords);
}

bool begins_number(std::string_view word) {
  const std::size_t digit = word[0] == '+' || word[0] == '-' || word[0] == '.' ? 1 : 0;
  return word.size() > digit && std::isdigit(static_cast<unsigned char>(word[digit])) != 0;
}

std::string quoted_word(std::string_view word) { return "'" + std::string(word) + "'"; }

/// The number in a word, which may stand in a template of many inputs.
double number_in(const io::TextRow& row, std::size_t column, const std::string& keyword) {
  if (column >= row.columns())
    throw InputError(keyword + " lacks a number", row.position(column), "write it on this line");
  const std::string word(row.word(column));
  const bool is_template =
      word.size() > 1 && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isupper(c) != 0 || c == '_';
      });
  if (is_template)
    throw InputError(keyword + " is " + quoted_word(word) + ", not a number", row.position(column),
                     "the file is a template: write a number in place of " + word);
  return io::parse_real(word, keyword, row.position(column));
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Keyword& keyword : keywords()) names.emplace_back(keyword.name);
  return names;
}

bool is_off(const Keyword& keyword, const io::TextRow& row) {
  if (row.columns() < 2) return false;
  const std::string value = lower_case(row.word(1));
  std::istringstream values{std::string(keyword.off)};
  for (std::string off; values >> off;)
    if (value == lower_case(off)) return true;
  return false;
}

}  // namespace

Entry::Entry(std::string keyword, const DataFile& file, std::vector<io::TextRow> lines)
    : keyword_(std::move(keyword)), file_(&file), lines_(std::move(lines)) {}

std::string Entry::word(std::size_t value) const {
  if (value >= values())
    throw InputError(keyword_ + " lacks its value", where(value), "write it on this line");
  std::string word(lines_[0].word(value + 1));
  if (word.size() > 1 && (word[0] == '\'' || word[0] == '"') && word.back() == word[0])
    word = word.substr(1, word.size() - 2);
  return word;
}

double Entry::number(std::size_t value) const { return number_in(lines_[0], value + 1, keyword_); }

double Entry::size(std::size_t value) const {
  const double number = this->number(value);
  if (number < 0) refuse(keyword_ + " is negative", "give a number that is not negative", value);
  return number;
}

Index Entry::whole(std::size_t value) const {
  const double number = this->number(value);
  if (number != std::round(number) || std::abs(number) > 1e15)
    refuse(keyword_ + " is " + quoted_word(word(value)) + ", not a whole number",
           "write a whole number", value);
  return static_cast<Index>(number);
}

Index Entry::count(Index least, std::size_t value) const {
  const Index number = whole(value);
  if (number < least)
    refuse(keyword_ + " is less than " + std::to_string(least),
           "give at least " + std::to_string(least), value);
  return number;
}

Vec3<double> Entry::vector() const { return {number(0), number(1), number(2)}; }

char Entry::letter(std::size_t value) const {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(word(value)[0])));
}

bool Entry::flag() const {
  const std::string value = lower_case(word());
  for (const char* yes : {"y", "t", "1", ".true.", "yes", "true"})
    if (value == yes) return true;
  for (const char* no : {"n", "f", "0", ".false.", "no", "false"})
    if (value == no) return false;
  refuse(keyword_ + " is " + quoted_word(word()) + ", which is neither yes nor no", "write Y or N");
}

void Entry::refuse(const std::string& problem, const std::string& remedy, std::size_t value) const {
  throw InputError(problem, where(value), remedy);
}

std::vector<NumberRow> Entry::numbers_below(std::size_t columns, const std::string& names) const {
  std::vector<NumberRow> rows;
  for (std::size_t n = 1; n < lines_.size(); ++n) {
    lines_[n].require_columns(columns, names);
    NumberRow row{{}, file_->mark(lines_[n])};
    for (std::size_t c = 0; c < columns; ++c)
      row.numbers.push_back(number_in(lines_[n], c, keyword_));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<NumberRow> Entry::matrix(std::size_t rows, std::size_t columns) const {
  std::vector<NumberRow> result;
  for (std::size_t n = 0; n < rows; ++n) {
    if (n >= lines_.size())
      throw InputError(
          keyword_ + " has " + std::to_string(n) + " of " + std::to_string(rows) + " rows", where(),
          "write the other rows on the next lines");
    const std::size_t first = n == 0 ? 1 : 0;
    NumberRow row{{}, file_->mark(lines_[n], first)};
    for (std::size_t c = 0; c < columns; ++c)
      row.numbers.push_back(number_in(lines_[n], first + c, keyword_));
    result.push_back(std::move(row));
  }
  return result;
}

InputFile::InputFile(const std::string& path) : file_(path) {
  const std::vector<io::TextRow>& rows = file_.rows();
  std::string previous;
  for (std::size_t n = 0; n < rows.size();) {
    const std::string word(rows[n].word(0));
    const std::string keyword = lower_case(word);
    if (begins_number(word)) {
      if (!is_list(previous))
        throw InputError("the line begins with a number, not with a keyword", rows[n].position(0),
                         "begin the line with a keyword, or with # for a comment");
      notes_.push_back("line " + std::to_string(rows[n].line()) + " is not read: " + previous +
                       " does not count this row");
      ++n;
      continue;
    }
    std::size_t end = n + 1;
    const auto take = [&](std::size_t most) {
      while (end < rows.size() && end - n <= most && begins_number(rows[end].word(0))) ++end;
    };
    if (keyword == "cell") take(2);
    if (is_list(keyword)) {
      const double length = number_in(rows[n], 1, keyword);
      if (length < 0 || length != std::round(length) || length > 1e6)
        throw InputError(keyword + " is not a number of rows", rows[n].position(1),
                         "give the number of rows that follow");
      take(static_cast<std::size_t>(length));
      if (end - n - 1 < static_cast<std::size_t>(length))
        throw InputError(keyword + " counts " + std::to_string(static_cast<Index>(length)) +
                             " rows, but " + std::to_string(end - n - 1) + " follow",
                         rows[n].position(1), "write the rows on the next lines");
    }
    add(keyword, n, end);
    previous = keyword;
    n = end;
  }
}

void InputFile::add(const std::string& keyword, std::size_t line, std::size_t end) {
  const io::TextRow& row = file_.rows()[line];
  const Keyword* known = find_keyword(keyword);
  if (known == nullptr) {
    const std::string guess = did_you_mean(keyword, all_names());
    throw InputError("UppASD has no keyword " + quoted_word(keyword) + " that Larmor knows",
                     row.position(0),
                     guess.empty() ? "remove the line, or begin it with #"
                                   : guess + " Begin the line with # if it is a comment");
  }
  if (known->kind == KeywordClass::refused && !is_off(*known, row))
    throw InputError(keyword + ": " + known->text + " cannot be imported", row.position(0),
                     known->remedy);
  const auto first = file_.rows().begin();
  Entry entry(
      keyword, file_,
      {first + static_cast<std::ptrdiff_t>(line), first + static_cast<std::ptrdiff_t>(end)});
  if (known->kind != KeywordClass::read) {
    if (std::find(unneeded_.begin(), unneeded_.end(), keyword) == unneeded_.end())
      unneeded_.push_back(keyword);
    // Some of these keywords steer UppASD's own files.
    if (known->kind == KeywordClass::unneeded) entries_.insert_or_assign(keyword, std::move(entry));
    return;
  }
  const auto [place, is_new] = entries_.try_emplace(keyword, entry);
  if (is_new) return;
  notes_.push_back(keyword + " stands on line " + std::to_string(place->second.line()) +
                   " and on line " + std::to_string(entry.line()) + ": the last one counts");
  place->second = entry;
}

const Entry* InputFile::find(std::string_view keyword) const {
  const auto found = entries_.find(keyword);
  return found == entries_.end() ? nullptr : &found->second;
}

const Entry& InputFile::require(std::string_view keyword, const std::string& remedy) const {
  if (const Entry* entry = find(keyword)) return *entry;
  throw InputError(std::string(keyword) + " is missing", SourcePosition{file_.path(), 0, 0, ""},
                   remedy);
}

std::string InputFile::path_of(const Entry& entry) const {
  const std::filesystem::path named(entry.word());
  if (named.is_absolute()) return named.string();
  return (std::filesystem::path(file_.path()).parent_path() / named.lexically_normal()).string();
}

std::string InputFile::restart_path() const {
  const Entry* const named = find("restartfile");
  return named != nullptr
             ? path_of(*named)
             : (std::filesystem::path(file_.path()).parent_path() / "restart").string();
}

DataFile InputFile::open(const Entry& entry) const {
  return with_position(entry.where(), [&] { return DataFile(path_of(entry)); });
}

bool looks_like_input(const std::string& path) {
  constexpr int enough = 3, most_lines = 400;
  std::ifstream file(path);
  std::set<std::string> found;
  std::string line;
  for (int n = 0; n < most_lines && std::getline(file, line); ++n) {
    if (line.find('\0') != std::string::npos || line.find_first_of("[{") == 0) return false;
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (second.empty() || second == "=" || begins_comment(first)) continue;
    if (find_keyword(lower_case(first)) != nullptr) found.insert(lower_case(first));
  }
  return static_cast<int>(found.size()) >= enough &&
         (found.contains("ncell") || found.contains("posfile") || found.contains("momfile"));
}

}  // namespace larmor::imports::uppasd
