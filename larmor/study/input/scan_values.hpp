#pragma once
// The [[scan]] tables of a study: the keys that the tables vary, and the values of each key.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

/// A key that varies together with the scanned key of its [[scan]] table.
struct ScanWithTable {
  static constexpr const char* name = "with";
  std::string key;
  std::optional<Value> values;
  static FieldTable<ScanWithTable> fields();
};

struct ScanTable {
  static constexpr const char* name = "scan";
  static constexpr const char* doc =
      "a key of the study that takes several values; every combination of the values of several "
      "tables is a separate study";
  std::string key;
  Value values;
  std::vector<ScanWithTable> with;
  SourcePosition where;
  static FieldTable<ScanTable> fields();
};

/// The values of one scanned key, as the user wrote them.
struct ScannedKey {
  std::string key;
  SourceMark mark;  ///< of the key
  std::vector<Value> values;
  /// For a range with whole ends and other values that are not whole: the number of points that
  /// would make all values whole. 0 for any other range.
  Index whole_points = 0;
};

/// The keys that one [[scan]] table varies: the key of the table, and the keys that change with it
/// value by value.
struct ScanAxis {
  std::vector<ScannedKey> keys;  ///< all keys have equal numbers of values
  Index size() const { return static_cast<Index>(keys.front().values.size()); }
};

/// The keys that the [[scan]] tables of a study vary.
/// @throws InputError with the position of the mistake
std::vector<ScanAxis> read_axes(const Value& tables);

/// Values as numbers, with the unit in which all of them are written.
struct ScannedNumbers {
  std::vector<double> values;
  std::string unit;  ///< empty: none
};
/// Nothing if a value is not a number or if units differ.
std::optional<ScannedNumbers> numbers_of(const std::vector<Value>& values);

/// Values that are lists of numbers, all of one length and unit, such as sizes of a lattice.
struct ScannedLists {
  std::vector<double> numbers;  ///< [values, length]
  Index length;
  std::string unit;  ///< empty: none
};
std::optional<ScannedLists> lists_of(const std::vector<Value>& values);

}  // namespace larmor::study
