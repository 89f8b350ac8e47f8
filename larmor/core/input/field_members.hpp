#pragma once
// Reading, writing and description of one member of a configured type, for every type that a member
// may have. `core/input/fields.hpp` builds tables from it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "larmor/core/input/units.hpp"
#include "larmor/core/input/value.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

template <class T>
class FieldTable;

/// A value that a user gives, or leaves to the program with the word "auto".
template <class M>
struct OrAuto {
  std::optional<M> given;  ///< empty for "auto"

  friend bool operator==(const OrAuto&, const OrAuto&) = default;
};

template <class T>
concept HasFields = requires {
  T::fields();
};

/// Description of a key for `explain` and the reference pages.
struct FieldInfo {
  std::string key;
  std::string type;  ///< as words: "number", "list of 3 whole numbers", "table"
  Dimension dimension = Dimension::none;
  bool required = false;
  std::string default_text;  ///< as TOML, with numbers in inner units; "" if there is none
  std::string doc;
  std::vector<std::string> choices;      ///< the allowed strings; empty if any string is allowed
  std::vector<std::string> choice_docs;  ///< meaning of each choice; empty if `doc` has them all
  std::vector<std::string> limits;       ///< "positive", "at most 1", ...
  std::vector<FieldInfo> children;       ///< keys of the table, if the value is a table
  bool selects_keys = false;       ///< does the value of this key determine which other keys exist?
  std::vector<std::string> kinds;  ///< the values of the kind key for which this key exists;
                                   ///< empty for all

  friend bool operator==(const FieldInfo&, const FieldInfo&) = default;
};

/// Does this key exist in tables whose kind key has this value?
bool is_key_of(const FieldInfo& info, const std::string& kind);

namespace fields_detail {

struct Limits {
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  bool positive = false;
  bool not_zero = false;
  bool not_empty = false;
};

struct Spec {
  FieldInfo info;
  Limits limits;
};

/// The context for reading one value.
struct Reader {
  const Spec& spec;
  const ReadContext& context;
  Index element = 0;  ///< place in the outermost list around the value, from 1; 0 outside lists

  Reader at(std::size_t i) const {
    return {spec, context, element == 0 ? static_cast<Index>(i) + 1 : element};
  }
};

/// The context for writing one value.
struct Writer {
  Dimension dimension;
  const ReadContext& context;
};

// Conversions of the basic types, in field_members.cpp.
void read_member(const Reader& reader, const Value& value, bool& out);
void read_member(const Reader& reader, const Value& value, int& out);
void read_member(const Reader& reader, const Value& value, Index& out);
void read_member(const Reader& reader, const Value& value, std::uint64_t& out);
void read_member(const Reader& reader, const Value& value, double& out);
void read_member(const Reader& reader, const Value& value, std::string& out);
void read_member(const Reader& reader, const Value& value, Vec3<double>& out);
void read_member(const Reader& reader, const Value& value, Mat3<double>& out);
void read_member(const Reader& reader, const Value& value, Value& out);

Value write_member(bool member, const Writer& writer);
Value write_member(int member, const Writer& writer);
Value write_member(Index member, const Writer& writer);
Value write_member(std::uint64_t member, const Writer& writer);
Value write_member(double member, const Writer& writer);
Value write_member(const std::string& member, const Writer& writer);
Value write_member(const Vec3<double>& member, const Writer& writer);
Value write_member(const Mat3<double>& member, const Writer& writer);
Value write_member(const Value& member, const Writer& writer);

/// Selects an overload by type.
template <class M>
struct Tag {};

struct TypeName {
  std::string one;
  std::string many;
};

TypeName type_name(Tag<bool>);
TypeName type_name(Tag<int>);
TypeName type_name(Tag<Index>);
TypeName type_name(Tag<std::uint64_t>);
TypeName type_name(Tag<double>);
TypeName type_name(Tag<std::string>);
TypeName type_name(Tag<Vec3<double>>);
TypeName type_name(Tag<Mat3<double>>);
TypeName type_name(Tag<Value>);
TypeName table_name();
TypeName list_name(const std::string& elements);

template <HasFields M>
TypeName type_name(Tag<M>) {
  return table_name();
}
template <class M>
TypeName type_name(Tag<std::vector<M>>) {
  return list_name(type_name(Tag<M>{}).many);
}
template <class M, std::size_t N>
TypeName type_name(Tag<std::array<M, N>>) {
  return list_name(std::to_string(N) + " " + type_name(Tag<M>{}).many);
}
template <class M>
TypeName type_name(Tag<std::optional<M>>) {
  return type_name(Tag<M>{});
}
template <class M>
TypeName type_name(Tag<OrAuto<M>>) {
  return {type_name(Tag<M>{}).one + " or \"auto\"", type_name(Tag<M>{}).many + " or \"auto\""};
}

/// The struct inside a member's lists and optionals; void if there is none.
template <class M>
struct StructIn {
  using type = std::conditional_t<HasFields<M>, M, void>;
};
template <class M>
struct StructIn<std::vector<M>> : StructIn<M> {};
template <class M, std::size_t N>
struct StructIn<std::array<M, N>> : StructIn<M> {};
template <class M>
struct StructIn<std::optional<M>> : StructIn<M> {};

class FieldList;

template <HasFields T>
const FieldList& field_list() {
  static const FieldTable<T> table = T::fields();
  return table.list();
}

template <class T>
std::string name_or(const std::string& otherwise) {
  if constexpr (requires { std::string(T::name); }) {
    return T::name;
  } else {
    return otherwise;
  }
}

/// Reads every key of a table into `object`. @param name name of the table in messages; may be ""
void read_fields(const FieldList& list, const std::string& name, const Value& table,
                 const ReadContext& context, void* object);
Value write_fields(const FieldList& list, const ReadContext& context, const void* object);

/// The elements of a list. A value that is not a list counts as a list of one, unless the elements
/// must be lists. The result points into `value`.
std::vector<const Value*> list_elements(const Reader& reader, const Value& value,
                                        bool elements_are_lists);
/// The elements of a list of exactly `size` elements.
const Value::Array& fixed_list(const Reader& reader, const Value& value, std::size_t size);

template <class M>
inline constexpr bool is_list = std::is_same_v<M, Vec3<double>> || std::is_same_v<M, Mat3<double>>;
template <class M>
inline constexpr bool is_list<std::vector<M>> = true;
template <class M, std::size_t N>
inline constexpr bool is_list<std::array<M, N>> = true;

template <class M>
inline constexpr bool is_optional = false;
template <class M>
inline constexpr bool is_optional<std::optional<M>> = true;

/// Stores the position of a table, if `out` has a member for the position.
template <class T>
void set_place(T& out, const Value& value) {
  if constexpr (requires { out.where.of(""); })
    out.where = TablePosition(value);
  else if constexpr (requires { out.where = value.where(); })
    out.where = value.where();
}

template <HasFields T>
void read_member(const Reader& reader, const Value& value, T& out) {
  read_fields(field_list<T>(), name_or<T>(reader.spec.info.key), value, reader.context, &out);
  set_place(out, value);
}

template <class M>
void read_member(const Reader& reader, const Value& value, std::vector<M>& out) {
  out.clear();
  const auto elements = list_elements(reader, value, is_list<M>);
  out.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    M element{};
    read_member(reader.at(i), *elements[i], element);
    out.push_back(std::move(element));
  }
}

template <class M, std::size_t N>
void read_member(const Reader& reader, const Value& value, std::array<M, N>& out) {
  const auto& elements = fixed_list(reader, value, N);
  for (std::size_t i = 0; i < N; ++i) read_member(reader.at(i), elements[i], out[i]);
}

template <class M>
void read_member(const Reader& reader, const Value& value, std::optional<M>& out) {
  read_member(reader, value, out.emplace());
}

template <class M>
void read_member(const Reader& reader, const Value& value, OrAuto<M>& out) {
  out.given.reset();
  if (value.is_string() && value.as_string() == "auto") return;
  try {
    read_member(reader, value, out.given.emplace());
  } catch (const InputError& error) {
    throw InputError(error.problem(), value.where(), error.remedy() + ", or \"auto\"");
  }
}

template <HasFields T>
Value write_member(const T& member, const Writer& writer) {
  return write_fields(field_list<T>(), writer.context, &member);
}

template <class M>
Value write_member(const OrAuto<M>& member, const Writer& writer) {
  return member.given ? write_member(*member.given, writer) : Value("auto");
}

template <class M>
Value write_member(const std::vector<M>& member, const Writer& writer) {
  Value::Array elements;
  for (const M& element : member) elements.push_back(write_member(element, writer));
  return Value(std::move(elements));
}

template <class M, std::size_t N>
Value write_member(const std::array<M, N>& member, const Writer& writer) {
  Value::Array elements;
  for (const M& element : member) elements.push_back(write_member(element, writer));
  return Value(std::move(elements));
}

}  // namespace fields_detail
}  // namespace larmor
