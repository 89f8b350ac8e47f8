#pragma once
// The keywords of Vampire's files `input` and `.mat`: lines `prefix:word = value !unit`, and
// `material[1]:word[2] = value !unit`. A # begins a comment.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/units.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/imports/text_lines.hpp"

namespace larmor::imports::vampire {

/// A line with a keyword.
struct Keyword {
  std::string name;             ///< without brackets: "material:exchange-matrix"
  std::optional<Index> first;   ///< the number behind the prefix, counted from 1
  std::optional<Index> second;  ///< the number behind the word, counted from 1
  std::string value;            ///< without quotation marks; empty: a flag
  std::string unit;             ///< behind !; empty: the usual unit
  SourceMark where, value_mark;
};

/// A number with its unit as a study writes it, and in inner units.
struct Quantity {
  std::string text;
  double inner;
};

/// All keywords of a file, in its order. @throws InputError for other lines
std::vector<Keyword> read_keywords(const std::string& path);

/// Is a line of this form? For the recognition of files.
bool is_keyword_line(const std::string& text);

/// A finite number without a unit. @throws InputError at the value
double number_of(const Keyword& keyword);
/// A whole number from `least`. @throws InputError at the value
Index count_of(const Keyword& keyword, Index least);
/// Three numbers with commas between them. @throws InputError at the value
Vec3<double> direction_of(const Keyword& keyword);
/// @param usual the unit of a value without a unit
/// @throws InputError at the value for no number and for a unit of another dimension
Quantity quantity_of(const Keyword& keyword, Dimension dimension, const std::string& usual);

/// The keywords of one file. The last line with a keyword counts, as in Vampire.
class Keywords {
 public:
  Keywords() = default;
  /// @throws InputError for a keyword that Larmor does not know, or cannot follow
  /// @param notes receives the keywords that are not needed
  Keywords(std::vector<Keyword> all, std::vector<std::string>& notes);

  /// The last line with this name; null if there is none.
  const Keyword* find(const std::string& name) const;
  /// The last line with this name and these numbers.
  const Keyword* find(const std::string& name, std::optional<Index> first,
                      std::optional<Index> second = {}) const;
  const std::vector<Keyword>& all() const { return all_; }

 private:
  std::vector<Keyword> all_;
};

}  // namespace larmor::imports::vampire
