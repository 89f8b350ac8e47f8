#pragma once
// A configuration as a tree of values that remember where in the user's file they stood.
// Independent of the file format: `io/files/toml.hpp` makes one, field tables
// (`core/input/fields.hpp`) read it.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "larmor/core/error.hpp"

namespace larmor {

/// The text that values were read from, shared by all of them.
struct SourceText {
  std::string file;
  std::vector<std::string> lines;
};

/// A place in a `SourceText`; the default is "nowhere" (a value made by the program).
struct SourceMark {
  std::shared_ptr<const SourceText> text;
  int line = 0;
  int column = 0;

  SourcePosition position() const;
};

class Value {
 public:
  enum class Kind { boolean, integer, real, string, array, table };
  struct Entry;
  using Array = std::vector<Value>;
  using Table = std::vector<Entry>;  ///< in the order of the file

  /// An empty table.
  Value() : data_(Table{}) {}
  Value(bool value) : data_(value) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Value(Integer value)
      : data_(static_cast<std::int64_t>(value)) {}
  Value(double value) : data_(value) {}
  Value(const char* value) : data_(std::string(value)) {}
  Value(std::string value) : data_(std::move(value)) {}
  Value(Array values) : data_(std::move(values)) {}
  /// A table of these entries, whose keys must differ.
  Value(Table entries) : data_(std::move(entries)) {}

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is_number() const { return kind() == Kind::integer || kind() == Kind::real; }
  bool is_string() const { return kind() == Kind::string; }
  bool is_array() const { return kind() == Kind::array; }
  bool is_table() const { return kind() == Kind::table; }

  /// "a number", "a string", ...: for messages.
  const char* kind_words() const;

  /// The contents. @throws InputError at this value's place if it is of another kind
  bool as_boolean() const;
  std::int64_t as_integer() const;
  double as_number() const;  ///< an integer too
  const std::string& as_string() const;
  const Array& as_array() const;
  const Table& as_table() const;

  /// The value of a key; null if the table lacks it. @throws InputError if this is no table
  const Value* find(std::string_view key) const;

  /// Puts a key last, or replaces its value. @throws InputError if this is no table
  void set(std::string key, Value value, SourceMark key_mark = {});

  /// Where the value stood; an empty position if the program made it.
  SourcePosition where() const { return mark_.position(); }
  const SourceMark& source_mark() const { return mark_; }
  void mark(SourceMark mark) { mark_ = std::move(mark); }

 private:
  std::variant<bool, std::int64_t, double, std::string, Array, Table> data_;
  SourceMark mark_;
};

struct Value::Entry {
  std::string key;
  Value value;
  SourceMark key_mark;
};

/// Where a table stood, and the value of each of its keys: for messages about one of them.
class TablePosition : public SourcePosition {
 public:
  TablePosition() = default;
  explicit TablePosition(const Value& table);

  /// Of the key's value; of the table where it lacks the key.
  SourcePosition of(std::string_view key) const { return of({key}); }
  /// Of the first key that the table has.
  SourcePosition of(std::initializer_list<std::string_view> keys) const;

 private:
  std::map<std::string, SourceMark, std::less<>> mark_of_key_;
};

/// A table as a TOML document: numbers read back to the same bits, sub-tables after the plain keys.
/// @throws InputError if `table` is no table
std::string to_toml(const Value& table);

/// One value as it stands after "key = "; tables inline.
std::string to_toml_value(const Value& value);

}  // namespace larmor
