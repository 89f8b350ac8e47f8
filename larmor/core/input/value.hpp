#pragma once
// A configuration as a tree of values with their positions in the user's file. The tree is
// independent of the file format: `io/files/toml.hpp` creates it, and field tables
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

/// The text of the file, shared by all values from it.
struct SourceText {
  std::string file;
  std::vector<std::string> lines;
};

/// A place in a `SourceText`. The default is "nowhere", for a value from the program.
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
  Value();
  Value(bool value);
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Value(Integer value);
  Value(double value);
  Value(const char* value);
  Value(std::string value);
  Value(Array values);
  /// A table of these entries, whose keys must differ.
  Value(Table entries);

  Kind kind() const { return static_cast<Kind>(data_.index()); }
  bool is_number() const { return kind() == Kind::integer || kind() == Kind::real; }
  bool is_string() const { return kind() == Kind::string; }
  bool is_array() const { return kind() == Kind::array; }
  bool is_table() const { return kind() == Kind::table; }

  /// "a number", "a string", ..., for messages.
  const char* kind_text() const;

  /// The contents. @throws InputError at this value's place if it is of another kind
  bool as_boolean() const;
  std::int64_t as_integer() const;
  double as_number() const;  ///< also for an integer
  const std::string& as_string() const;
  const Array& as_array() const;
  const Table& as_table() const;

  /// The value of a key; null if the table lacks it. @throws InputError if this is not a table
  const Value* find(std::string_view key) const;

  /// Adds a key at the end, or replaces its value. @throws InputError if this is not a table
  void set(std::string key, Value value, SourceMark key_mark = {});

  /// The place of the value in the file; empty if the value is from the program.
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

// The constructors need the complete type of an entry.
inline Value::Value() : data_(Table{}) {}
inline Value::Value(bool value) : data_(value) {}
template <std::integral Integer>
requires(!std::same_as<Integer, bool>) Value::Value(Integer value)
    : data_(static_cast<std::int64_t>(value)) {}
inline Value::Value(double value) : data_(value) {}
inline Value::Value(const char* value) : data_(std::string(value)) {}
inline Value::Value(std::string value) : data_(std::move(value)) {}
inline Value::Value(Array values) : data_(std::move(values)) {}
inline Value::Value(Table entries) : data_(std::move(entries)) {}

/// The places of a table and of the values of its keys, for messages about a key.
class TablePosition : public SourcePosition {
 public:
  TablePosition() = default;
  explicit TablePosition(const Value& table);

  bool has(std::string_view key) const { return mark_of_key_.contains(key); }
  /// Place of the key's value, or of the table if it lacks the key.
  SourcePosition of(std::string_view key) const { return of({key}); }
  /// Place of the first of these keys that the table has.
  SourcePosition of(std::initializer_list<std::string_view> keys) const;

 private:
  std::map<std::string, SourceMark, std::less<>> mark_of_key_;
};

/// The comment behind an entry that is written on one line; empty: none.
using CommentOf = std::function<std::string(const Value::Entry&)>;

/// A table as a TOML document. Numbers reproduce their bits when read; sub-tables follow the plain
/// keys.
/// @throws InputError if `table` is not a table
std::string to_toml(const Value& table, const CommentOf& comment_of = {});

/// One value as written after "key = "; tables are inline.
std::string to_toml_value(const Value& value);

}  // namespace larmor
