#include "larmor/io/potentials/lammps_script.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <system_error>

#include "larmor/core/error.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {
namespace {

/// A range of types, counted from 1: "2", "*", "2*", "*3", "1*3".
struct TypeRange {
  Index first, last;  ///< last: 0 for the last existing type
  SourcePosition where;

  std::vector<std::int32_t> types(std::size_t count) const {
    const Index end = last == 0 ? static_cast<Index>(count) : last;
    if (first < 1 || first > end || end > static_cast<Index>(count))
      throw InputError("there is no such type", where,
                       "types are numbered from 1 to " + std::to_string(count));
    std::vector<std::int32_t> types;
    for (Index type = first; type <= end; ++type)
      types.push_back(static_cast<std::int32_t>(type - 1));
    return types;
  }
};

class Script {
 public:
  explicit Script(const std::string& path) : path_(path), end_{path, 0, 0, ""} {
    TextRowReader reader(path);
    while (reader.next()) {
      TextRow row = without_comment(path, reader.row());
      std::string text = row.text();
      while (row.columns() > 0 && row.word(row.columns() - 1).back() == '&') {
        text.erase(text.find_last_of('&'));
        if (!reader.next())
          throw InputError("the file ends after '&'", row.position(row.columns() - 1),
                           "end the command");
        row = without_comment(path, reader.row());
        text += " " + row.text();
      }
      execute(TextRow(path, row.line(), substituted(row, text)));
    }
    end_ = reader.end();
  }

  LammpsPotential potential() const {
    if (!snap_)
      throw InputError("there is no pair_coeff for snap", end_, "write pair_coeff * * snap ...");
    LammpsPotential result = *snap_;
    if (!has_zbl_) return result;
    if (repulsions_.empty())
      throw InputError("there is no pair_coeff for zbl", end_, "write pair_coeff 1 1 zbl Z Z");
    result.zbl = LammpsPotential::Repulsion{inner_, outer_, {}};
    const std::size_t types = result.elements.size();
    for (const Repulsion& r : repulsions_)
      for (const std::int32_t i : r.i.types(types))
        for (const std::int32_t j : r.j.types(types)) {
          if (i == j && r.Z_i != r.Z_j)
            throw InputError("nuclei of one type have two charges", r.i.where,
                             "give equal charges, or use two types");
          result.zbl->pairs.push_back({i, j, r.Z_i, r.Z_j});
        }
    return result;
  }

 private:
  struct Repulsion {
    TypeRange i, j;
    double Z_i, Z_j;
  };

  /// Inserts the values of variables for $x and ${name} in the text.
  std::string substituted(const TextRow& row, const std::string& text) const {
    std::string result;
    for (std::size_t n = 0; n < text.size(); ++n) {
      if (text[n] != '$') {
        result += text[n];
        continue;
      }
      std::string name(text, n + 1, 1);
      std::size_t last = n + 1;
      if (name == "{") {
        last = text.find('}', n);
        if (last == std::string::npos)
          throw InputError("'${' is not closed", row.position(0), "write ${NAME}");
        name = text.substr(n + 2, last - n - 2);
      }
      const auto variable = variables_.find(name);
      if (variable == variables_.end())
        throw InputError("there is no variable '" + name + "'", row.position(0),
                         "write 'variable " + name + " index VALUE' on a line before it");
      result += variable->second;
      n = last;
    }
    return result;
  }

  void execute(const TextRow& row) {
    if (row.columns() == 0) return;
    const std::string_view command = row.word(0);
    if (command == "variable")
      set_variable(row);
    else if (command == "pair_style")
      set_style(row);
    else if (command == "pair_coeff")
      set_coefficients(row);
    else if (command == "units")
      require_metal(row);
    else if (command != "neighbor" && command != "neigh_modify")  // They change no result.
      throw InputError("the command '" + std::string(command) + "' is not read here",
                       row.position(0),
                       "only variable, pair_style, pair_coeff and units metal are read");
  }

  static void require_metal(const TextRow& row) {
    row.require_columns(2, "units metal");
    if (row.word(1) != "metal")
      throw InputError("units are " + std::string(row.word(1)), row.position(1),
                       "write units metal");
  }

  void set_variable(const TextRow& row) {
    row.require_columns(4, "variable NAME index VALUE");
    const std::string_view style = row.word(2);
    if (style != "index" && style != "equal" && style != "string")
      throw InputError("the variable is of style " + std::string(style), row.position(2),
                       "write index, equal or string");
    if (style == "equal") row.real(3, "the variable");
    // As in LAMMPS, a variable of style index keeps its first value.
    if (style == "index")
      variables_.emplace(row.word(1), row.word(3));
    else
      variables_[std::string(row.word(1))] = std::string(row.word(3));
  }

  void set_style(const TextRow& row) {
    row.require_columns(2, "pair_style STYLE");
    if (has_style_) throw InputError("pair_style is given twice", row.position(0), "give it once");
    has_style_ = true;
    std::size_t first = 1;
    is_overlay_ = row.word(1) == "hybrid/overlay";
    if (is_overlay_) first = 2;
    for (std::size_t n = first; n < row.columns(); ++n) {
      const std::string_view style = row.word(n);
      if (style == "snap") {
        has_snap_ = true;
        continue;
      }
      if (style != "zbl" || !is_overlay_)
        throw InputError("the pair style '" + std::string(style) + "' is not read here",
                         row.position(n), "write snap, or hybrid/overlay of snap and zbl");
      row.require_columns(n + 3, "zbl INNER OUTER");
      inner_ = row.real(n + 1, "the inner radius of zbl");
      outer_ = row.real(n + 2, "the outer radius of zbl");
      if (!(inner_ > 0) || !(outer_ > inner_))
        throw InputError("the radii of zbl are " + std::string(row.word(n + 1)) + " and " +
                             std::string(row.word(n + 2)),
                         row.position(n + 1), "write zbl INNER OUTER with 0 < INNER < OUTER");
      has_zbl_ = true;
      n += 2;
    }
  }

  static TypeRange range(const TextRow& row, std::size_t column) {
    const std::string_view word = row.word(column);
    const std::size_t star = word.find('*');
    const auto number = [&](std::string_view digits, Index otherwise) {
      if (digits.empty()) return otherwise;
      Index value = 0;
      const auto [stop, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (error != std::errc{} || stop != digits.data() + digits.size() || value < 1)
        throw InputError("'" + std::string(word) + "' is not a type", row.position(column),
                         "write a number from 1 on, or * for all");
      return value;
    };
    if (star == std::string_view::npos) {
      const Index type = number(word, 0);
      return {type, type, row.position(column)};
    }
    return {number(word.substr(0, star), 1), number(word.substr(star + 1), 0),
            row.position(column)};
  }

  void set_coefficients(const TextRow& row) {
    if (!has_style_)
      throw InputError("pair_coeff stands before pair_style", row.position(0),
                       "write pair_style first");
    row.require_columns(4, is_overlay_ ? "pair_coeff I J STYLE ..." : "pair_coeff * * ...");
    const std::size_t first = is_overlay_ ? 4 : 3;
    const std::string_view style = is_overlay_ ? row.word(3) : "snap";
    if (style == "snap" && has_snap_)
      set_snap(row, first);
    else if (style == "zbl" && has_zbl_)
      add_repulsion(row, first);
    else
      throw InputError("pair_coeff has the style '" + std::string(style) + "'", row.position(3),
                       "write one of the styles that pair_style names");
  }

  void set_snap(const TextRow& row, std::size_t first) {
    row.require_columns(first + 3, "pair_coeff * * snap COEFFICIENTS PARAMETERS ELEMENTS");
    if (snap_)
      throw InputError("pair_coeff of snap is given twice", row.position(0), "give it once");
    for (const std::size_t column : {1, 2})
      if (row.word(column) != "*")
        throw InputError("pair_coeff of snap names the type " + std::string(row.word(column)),
                         row.position(column), "write * *");
    // Before December 2018 the names of the elements also came before the file of parameters.
    const auto file = [](std::string_view word) {
      return word.ends_with(".snapcoeff") || word.ends_with(".snapparam");
    };
    for (std::size_t n = first + 2; n < row.columns(); ++n)
      if (file(row.word(n)) && !file(row.word(first + 1)))
        throw InputError("pair_coeff of snap has the form from before December 2018",
                         row.position(first + 1),
                         "write * * COEFFICIENTS PARAMETERS and then the names of the elements");
    LammpsPotential potential;
    potential.coefficients = found(row, first);
    potential.parameters = found(row, first + 1);
    for (std::size_t n = first + 2; n < row.columns(); ++n) {
      if (row.word(n) == "NULL")
        throw InputError(
            "type " + std::to_string(n - first - 1) + " is NULL, which is not an element",
            row.position(n), "name an element for every type");
      potential.elements.emplace_back(row.word(n));
    }
    snap_ = potential;
  }

  void add_repulsion(const TextRow& row, std::size_t first) {
    row.require_columns(first + 2, "pair_coeff I J zbl Z_I Z_J");
    const auto charge = [&](std::size_t column) {
      const double Z = row.real(column, "the charge of the nucleus");
      if (!(Z > 0))
        throw InputError("the charge of the nucleus is " + std::string(row.word(column)),
                         row.position(column), "give an atomic number");
      return Z;
    };
    repulsions_.push_back({range(row, 1), range(row, 2), charge(first), charge(first + 1)});
  }

  std::string found(const TextRow& row, std::size_t column) const {
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    return with_position(row.position(column), [&] {
      return require_input_file(potential_file(folder, std::string(row.word(column))));
    });
  }

  std::string path_;
  SourcePosition end_;
  std::map<std::string, std::string> variables_;
  bool has_style_ = false, is_overlay_ = false, has_snap_ = false, has_zbl_ = false;
  double inner_ = 0, outer_ = 0;
  std::vector<Repulsion> repulsions_;
  std::optional<LammpsPotential> snap_;
};

}  // namespace

std::string potential_file(const std::string& folder, const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path beside = fs::path(folder) / name;
  const char* of_lammps = std::getenv("LAMMPS_POTENTIALS");
  // A name that is too long is not that of a file.
  std::error_code failure;
  if (fs::exists(beside, failure)) return beside.string();
  if (of_lammps != nullptr)
    if (const fs::path there = fs::path(of_lammps) / name; fs::exists(there, failure))
      return there.string();
  throw InputError("there is no file '" + beside.string() + "'",
                   of_lammps == nullptr ? "write the path of the file, or name the folder of the "
                                          "file in the environment variable LAMMPS_POTENTIALS"
                                        : "write the path of the file; the folder that "
                                          "LAMMPS_POTENTIALS names does not contain this file: " +
                                              std::string(of_lammps));
}

LammpsPotential read_lammps_potential(const std::string& path) { return Script(path).potential(); }

}  // namespace larmor::io
