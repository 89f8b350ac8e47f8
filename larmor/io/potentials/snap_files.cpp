#include "larmor/io/potentials/snap_files.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "larmor/core/input/suggest.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {
namespace {

using atoms::snap::SnapElement;
using atoms::snap::SnapParameters;
using atoms::snap::SnapPotential;

void require_length(const TextRow& row, std::size_t columns, const std::string& names) {
  row.require_columns(columns, names);
  if (row.columns() > columns)
    throw InputError("the line has " + std::to_string(row.columns()) + " columns",
                     row.position(columns), "write " + names);
}

bool read_flag(const TextRow& row) {
  const std::string key(row.word(0));
  const Index value = row.integer(1, key);
  if (value != 0 && value != 1)
    throw InputError(key + " is " + std::to_string(value), row.position(1), "write 0 or 1");
  return value == 1;
}

/// Lines `key value` of a .snapparam file.
class ParameterFile {
 public:
  /// @param elements number of elements, the length of lists in the file
  ParameterFile(const std::string& path, std::size_t elements) : elements_(elements) {
    TextRowReader reader(path);
    while (reader.next()) {
      const TextRow row = without_comment(path, reader.row());
      if (row.columns() > 0) read(row);
    }
    end_ = reader.end();
    for (const char* key : {"rcutfac", "twojmax"}) require(key);
    for (const char* key : {"sinner", "dinner"})
      if (parameters_.switchinnerflag)
        require(key);
      else if (const auto place = position_.find(key); place != position_.end())
        throw InputError(std::string(key) + " is given without switchinnerflag", place->second,
                         "write switchinnerflag 1, or leave it out");
  }

  const SnapParameters& parameters() const { return parameters_; }
  /// Position of a key, or of the end of the file if the key is missing.
  const SourcePosition& position(const std::string& key) const {
    const auto place = position_.find(key);
    return place == position_.end() ? end_ : place->second;
  }

 private:
  using Read = std::function<void(const TextRow&)>;

  Read number(double SnapParameters::*member, double least, bool is_allowed) {
    return [=, this](const TextRow& row) {
      const std::string key(row.word(0));
      require_length(row, 2, key + " and one number");
      const double value = row.real(1, key);
      if (value < least || (value == least && !is_allowed))
        throw InputError(key + " is " + std::string(row.word(1)), row.position(1),
                         is_allowed ? "write a number of at least 0" : "write a number above 0");
      parameters_.*member = value;
    };
  }

  Read flag(bool SnapParameters::*member) {
    return [=, this](const TextRow& row) {
      require_length(row, 2, std::string(row.word(0)) + " and 0 or 1");
      parameters_.*member = read_flag(row);
    };
  }

  Read list(std::vector<double> SnapParameters::*member, bool is_positive) {
    return [=, this](const TextRow& row) {
      const std::string key(row.word(0));
      require_length(row, 1 + elements_,
                     key + " and a number for each of the " + std::to_string(elements_) +
                         (elements_ == 1 ? " element" : " elements"));
      for (std::size_t n = 1; n <= elements_; ++n) {
        const double value = row.real(n, key);
        if (is_positive && value <= 0)
          throw InputError(key + " is " + std::string(row.word(n)), row.position(n),
                           "write a number above 0");
        (parameters_.*member).push_back(value);
      }
    };
  }

  void read_order(const TextRow& row) {
    require_length(row, 2, "twojmax and a whole number");
    const Index value = row.integer(1, "twojmax");
    if (value < 0 || value > atoms::snap::most_twojmax)
      throw InputError(
          "twojmax is " + std::to_string(value), row.position(1),
          "write a whole number from 0 to " + std::to_string(atoms::snap::most_twojmax));
    parameters_.twojmax = static_cast<int>(value);
  }

  /// Reads the key diagonalstyle, which files from before 2019 contain. Since then 3 is the only
  /// style.
  static void read_diagonal_style(const TextRow& row) {
    require_length(row, 2, "diagonalstyle 3");
    if (row.integer(1, "diagonalstyle") != 3)
      throw InputError("diagonalstyle is " + std::string(row.word(1)), row.position(1),
                       "write 3, the only possible style");
  }

  /// Skips a key that distributes work on GPUs in LAMMPS. It changes no result.
  static void skip_count(const TextRow& row) {
    require_length(row, 2, std::string(row.word(0)) + " and a whole number");
    row.integer(1, std::string(row.word(0)));
  }

  std::map<std::string, Read> keys() {
    return {{"rcutfac", number(&SnapParameters::rcutfac, 0, false)},
            {"twojmax", [this](const TextRow& row) { read_order(row); }},
            {"rfac0", number(&SnapParameters::rfac0, 0, false)},
            {"rmin0", number(&SnapParameters::rmin0, 0, true)},
            {"switchflag", flag(&SnapParameters::switchflag)},
            {"bzeroflag", flag(&SnapParameters::bzeroflag)},
            {"quadraticflag", flag(&SnapParameters::quadraticflag)},
            {"chemflag", flag(&SnapParameters::chemflag)},
            {"bnormflag", flag(&SnapParameters::bnormflag)},
            {"wselfallflag", flag(&SnapParameters::wselfallflag)},
            {"switchinnerflag", flag(&SnapParameters::switchinnerflag)},
            {"sinner", list(&SnapParameters::sinner, false)},
            {"dinner", list(&SnapParameters::dinner, true)},
            {"diagonalstyle", read_diagonal_style},
            {"chunksize", skip_count},
            {"parallelthresh", skip_count}};
  }

  void read(const TextRow& row) {
    const std::string key(row.word(0));
    const auto known = keys_.find(key);
    if (known == keys_.end()) {
      std::vector<std::string> names;
      for (const auto& [name, read] : keys_) names.push_back(name);
      throw InputError("'" + key + "' is not a key of SNAP", row.position(0),
                       hint_and_list(key, names));
    }
    if (const auto before = position_.find(key); before != position_.end())
      throw InputError(
          key + " is given twice, first in line " + std::to_string(before->second.line),
          row.position(0), "give it once");
    position_[key] = row.position(0);
    known->second(row);
  }

  void require(const std::string& key) const {
    if (!position_.contains(key))
      throw InputError(key + " is missing", end_, "write " + key + " and its value");
  }

  std::size_t elements_;
  SnapParameters parameters_;
  std::map<std::string, Read> keys_ = keys();
  std::map<std::string, SourcePosition> position_;
  SourcePosition end_;
};

/// A .snapcoeff file, read block by block.
class CoefficientFile {
 public:
  explicit CoefficientFile(const std::string& path) : path_(path), reader_(path) {
    if (!next_data()) throw InputError("the file is empty", reader_.end(), header_remedy);
    require_length(*row_, 2, "the numbers of elements and of coefficients");
    elements_ = row_->integer(0, "the number of elements");
    coefficients_ = row_->integer(1, "the number of coefficients");
    header_ = row_->position(1);
    if (elements_ < 1 || coefficients_ < 1)
      throw InputError("the first line counts " + std::to_string(elements_) + " elements and " +
                           std::to_string(coefficients_) + " coefficients",
                       row_->position(0), header_remedy);
  }

  Index elements() const { return elements_; }
  Index coefficients() const { return coefficients_; }
  const SourcePosition& header() const { return header_; }

  /// All elements, in the order of the file.
  std::vector<SnapElement> read_elements() {
    std::vector<SnapElement> all;
    for (Index n = 0; n < elements_; ++n) {
      all.push_back(element());
      for (std::size_t before = 0; before + 1 < all.size(); ++before)
        if (all[before].name == all.back().name)
          throw InputError("the element " + all.back().name + " is given twice", where_,
                           "give it once");
    }
    require_end();
    return all;
  }

 private:
  static constexpr const char* header_remedy =
      "begin with the numbers of elements and of coefficients";

  /// Reads the next element with its coefficients.
  SnapElement element() {
    next_line("an element with its radius and weight");
    require_length(*row_, 3, "name, radius and weight of an element");
    SnapElement element{
        std::string(row_->word(0)), row_->real(1, "the radius"), row_->real(2, "the weight"), {}};
    where_ = row_->position(0);
    if (!(element.radius > 0))
      throw InputError("the radius is " + std::string(row_->word(1)), row_->position(1),
                       "write a number above 0");
    for (Index n = 0; n < coefficients_; ++n) {
      const std::string name = "coefficient " + std::to_string(n + 1) + " of " +
                               std::to_string(coefficients_) + " of " + element.name;
      next_line(name);
      if (row_->columns() != 1)
        throw InputError("the line has " + std::to_string(row_->columns()) + " columns, but " +
                             name + " should stand here",
                         row_->position(1), "write one number in a line");
      element.coefficients.push_back(row_->real(0, name));
    }
    return element;
  }
  void require_end() {
    if (next_data())
      throw InputError("the file continues after " + std::to_string(elements_) + " elements of " +
                           std::to_string(coefficients_) + " coefficients",
                       row_->position(0), "correct the numbers in the first line of the file");
  }

  bool next_data() {
    while (reader_.next()) {
      row_ = without_comment(path_, reader_.row());
      if (row_->columns() > 0) return true;
    }
    return false;
  }

  /// Goes to the next line, which may not be blank: LAMMPS does not allow blank lines inside
  /// blocks.
  void next_line(const std::string& expected) {
    if (!reader_.next())
      throw InputError("the file ends where " + expected + " should stand", reader_.end(),
                       "the first line counts " + std::to_string(elements_) + " elements of " +
                           std::to_string(coefficients_) + " coefficients");
    row_ = without_comment(path_, reader_.row());
    if (row_->columns() == 0)
      throw InputError("a line without data stands where " + expected + " should be",
                       row_->position(0), "remove it");
  }

  std::string path_;
  TextRowReader reader_;
  std::optional<TextRow> row_;
  Index elements_ = 0, coefficients_ = 0;
  SourcePosition header_;
  SourcePosition where_;  ///< position of the last element
};

/// Checks the counts in the file's header. @param elements number of elements of a potential with
/// channels
void check_counts(const CoefficientFile& file, const SnapParameters& parameters,
                  std::size_t elements) {
  if (parameters.chemflag && file.elements() != static_cast<Index>(elements))
    throw InputError("the file has " + std::to_string(file.elements()) + " elements, and " +
                         std::to_string(elements) + " are named",
                     file.header(), "name all elements of the file, because chemflag is 1");
  const long count = coefficient_count(parameters, static_cast<int>(elements));
  if (file.coefficients() == count) return;
  std::string flags;
  if (parameters.quadraticflag) flags += ", quadraticflag 1";
  if (parameters.chemflag) flags += ", chemflag 1 and " + std::to_string(elements) + " elements";
  throw InputError(
      "the file has " + std::to_string(file.coefficients()) + " coefficients for each element",
      file.header(),
      "twojmax " + std::to_string(parameters.twojmax) + flags + " needs " + std::to_string(count));
}

}  // namespace

SnapPotential read_snap(const std::string& coefficients, const std::string& parameters,
                        std::span<const std::string> elements) {
  const std::set<std::string> wanted(elements.begin(), elements.end());
  if (elements.empty() || wanted.size() != elements.size())
    throw InputError("the elements of a SNAP potential are not named, or one is named twice",
                     "name each element once");
  const ParameterFile parameter_file(parameters, elements.size());
  SnapPotential potential{parameter_file.parameters(), {}};
  CoefficientFile file(coefficients);
  check_counts(file, potential.parameters, elements.size());
  const std::vector<SnapElement> all = file.read_elements();
  std::map<std::string, SnapElement> found;
  std::vector<std::string> names;
  for (const SnapElement& element : all) {
    found.emplace(element.name, element);
    names.push_back(element.name);
  }
  for (const std::string& name : elements) {
    const auto element = found.find(name);
    if (element == found.end())
      throw InputError("the file has no element '" + name + "'", file.header(),
                       hint_and_list(name, names));
    potential.elements.push_back(element->second);
  }
  for (int e = 0; e < static_cast<int>(elements.size()); ++e)
    if (!(potential.parameters.rmin0 < potential.cutoff(e, e)))
      throw InputError("rmin0 is not below the cutoff of two atoms of " +
                           elements[static_cast<std::size_t>(e)] +
                           ", which is rcutfac times twice the radius of this element",
                       parameter_file.position("rmin0"), "make rmin0 smaller");
  return potential;
}

std::vector<std::string> read_snap_elements(const std::string& coefficients) {
  std::vector<std::string> names;
  for (const SnapElement& element : CoefficientFile(coefficients).read_elements())
    names.push_back(element.name);
  return names;
}

}  // namespace larmor::io
