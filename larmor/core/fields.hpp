#pragma once
// Field tables: a configurable type declares its keys once; from the table come reading with errors
// at file:line:column, the completed study, and what `explain` says.
//
//   struct UniaxialAnisotropy {
//     static constexpr const char* name = "anisotropy";
//     double K = 0;
//     SourcePosition where;  // optional: set by read() to the place of the table
//     static FieldTable<UniaxialAnisotropy> fields() {
//       return FieldTable<UniaxialAnisotropy>()
//           .required("K", &UniaxialAnisotropy::K, Dimension::energy, "strength; K > 0: easy axis");
//     }
//   };
//
// Members may be bool, int, Index, std::uint64_t, double, std::string, Vec3<double>, Mat3<double>,
// Value (left for the type's own code), structs with fields(), and std::array, std::vector and
// std::optional of those. Where a list is wanted, a single value counts as a list of one.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/types.hpp"
#include "larmor/core/units.hpp"
#include "larmor/core/value.hpp"
#include "larmor/core/vec3.hpp"

namespace larmor {

template <class T>
class FieldTable;

template <class T>
concept HasFields = requires { T::fields(); };

/// One key, as `explain` and the reference pages show it.
struct FieldInfo {
  std::string key;
  std::string type;  ///< in words: "number", "list of 3 whole numbers", "table"
  Dimension dimension = Dimension::none;
  bool required = false;
  std::string default_text;  ///< as TOML, numbers in inner units; "" if there is none
  std::string doc;
  std::vector<std::string> choices;  ///< the strings allowed; empty: any
  std::vector<std::string> limits;   ///< "positive", "at most 1", ...
  std::vector<FieldInfo> children;   ///< keys of the table, where the value is one
};

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

/// What reading one value needs to know.
struct Reader {
  const Spec& spec;
  const ReadContext& context;
  Index element = 0;  ///< place in the list around the value, from 1; 0: not in a list

  Reader at(std::size_t i) const { return {spec, context, static_cast<Index>(i) + 1}; }
};

struct TypeWords {
  std::string one;
  std::string many;
};

struct Field {
  Spec spec;
  std::function<void(const Reader&, const Value&, void* object)> read;
  /// Nothing if the member is an empty std::optional.
  std::function<std::optional<Value>(const void* object, const ReadContext&)> write;
};

/// The part of a FieldTable that does not depend on the type.
struct FieldList {
  std::vector<Field> fields;

  void add(Field field);  ///< @throws InternalError if the key is there already
  Spec& last();           ///< @throws InternalError if there is none
};

// Leaves: the conversions proper, in fields.cpp.
void read_member(const Reader& reader, const Value& value, bool& out);
void read_member(const Reader& reader, const Value& value, int& out);
void read_member(const Reader& reader, const Value& value, Index& out);
void read_member(const Reader& reader, const Value& value, std::uint64_t& out);
void read_member(const Reader& reader, const Value& value, double& out);
void read_member(const Reader& reader, const Value& value, std::string& out);
void read_member(const Reader& reader, const Value& value, Vec3<double>& out);
void read_member(const Reader& reader, const Value& value, Mat3<double>& out);
void read_member(const Reader& reader, const Value& value, Value& out);

Value write_member(bool member, Dimension dimension, const ReadContext& context);
Value write_member(int member, Dimension dimension, const ReadContext& context);
Value write_member(Index member, Dimension dimension, const ReadContext& context);
Value write_member(std::uint64_t member, Dimension dimension, const ReadContext& context);
Value write_member(double member, Dimension dimension, const ReadContext& context);
Value write_member(const std::string& member, Dimension dimension, const ReadContext& context);
Value write_member(const Vec3<double>& member, Dimension dimension, const ReadContext& context);
Value write_member(const Mat3<double>& member, Dimension dimension, const ReadContext& context);
Value write_member(const Value& member, Dimension dimension, const ReadContext& context);

template <class M>
struct TypeOf;
// clang-format off
template <> struct TypeOf<bool> { static TypeWords words() { return {"true or false", "true or false"}; } };
template <> struct TypeOf<int> { static TypeWords words() { return {"whole number", "whole numbers"}; } };
template <> struct TypeOf<Index> : TypeOf<int> {};
template <> struct TypeOf<std::uint64_t> : TypeOf<int> {};
template <> struct TypeOf<double> { static TypeWords words() { return {"number", "numbers"}; } };
template <> struct TypeOf<std::string> { static TypeWords words() { return {"string", "strings"}; } };
template <> struct TypeOf<Value> { static TypeWords words() { return {"any value", "any values"}; } };
template <> struct TypeOf<Vec3<double>> {
  static TypeWords words() { return {"list of 3 numbers", "lists of 3 numbers"}; }
};
template <> struct TypeOf<Mat3<double>> {
  static TypeWords words() { return {"3 lists of 3 numbers", "3x3 matrices"}; }
};
// clang-format on
template <HasFields M>
struct TypeOf<M> {
  static TypeWords words() { return {"table", "tables"}; }
};
template <class M>
struct TypeOf<std::vector<M>> {
  static TypeWords words() {
    const std::string rest = "of " + TypeOf<M>::words().many;
    return {"list " + rest, "lists " + rest};
  }
};
template <class M, std::size_t N>
struct TypeOf<std::array<M, N>> {
  static TypeWords words() {
    const std::string rest = "of " + std::to_string(N) + " " + TypeOf<M>::words().many;
    return {"list " + rest, "lists " + rest};
  }
};
template <class M>
struct TypeOf<std::optional<M>> : TypeOf<M> {};

/// The struct inside a member's lists and optionals; void if it holds none.
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

/// Reads every key of a table into `object`. @param name what messages call the table; may be ""
void read_fields(const FieldList& list, const std::string& name, const Value& table,
                 const ReadContext& context, void* object);
Value write_fields(const FieldList& list, const ReadContext& context, const void* object);
std::vector<FieldInfo> describe_fields(const FieldList& list, const void* defaults);

/// The elements of a list; a value that is no list counts as a list of one, unless lists are wanted
/// inside. The result points into `value`.
std::vector<const Value*> list_elements(const Reader& reader, const Value& value,
                                        bool elements_are_lists);
/// The elements of a list of exactly `size`.
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

template <HasFields T>
void read_member(const Reader& reader, const Value& value, T& out) {
  read_fields(field_list<T>(), name_or<T>(reader.spec.info.key), value, reader.context, &out);
  if constexpr (requires { out.where = value.where(); }) out.where = value.where();
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

template <HasFields T>
Value write_member(const T& member, Dimension, const ReadContext& context) {
  return write_fields(field_list<T>(), context, &member);
}

template <class M>
Value write_member(const std::vector<M>& member, Dimension dimension, const ReadContext& context) {
  Value::Array elements;
  for (const M& element : member) elements.push_back(write_member(element, dimension, context));
  return Value(std::move(elements));
}

template <class M, std::size_t N>
Value write_member(const std::array<M, N>& member, Dimension dimension,
                   const ReadContext& context) {
  Value::Array elements;
  for (const M& element : member) elements.push_back(write_member(element, dimension, context));
  return Value(std::move(elements));
}

template <class T, class M>
Field make_field(M T::*member, FieldInfo info) {
  Field field;
  const Dimension dimension = info.dimension;
  field.spec.info = std::move(info);
  field.read = [member](const Reader& reader, const Value& value, void* object) {
    read_member(reader, value, static_cast<T*>(object)->*member);
  };
  field.write = [member, dimension](const void* object,
                                    const ReadContext& context) -> std::optional<Value> {
    const M& current = static_cast<const T*>(object)->*member;
    if constexpr (is_optional<M>) {
      if (!current) return std::nullopt;
      return write_member(*current, dimension, context);
    } else {
      return write_member(current, dimension, context);
    }
  };
  return field;
}

}  // namespace fields_detail

template <HasFields T>
std::vector<FieldInfo> describe();

/// The keys of `T`. The limits that follow a field hold for that field: for every element of a list,
/// every component of a vector, in inner units.
template <class T>
class FieldTable {
 public:
  template <class M, class Owner>
  FieldTable& required(std::string key, M Owner::*member, Dimension dimension, std::string doc) {
    return add<M>(std::move(key), member, dimension, std::move(doc), true);
  }
  /// Left out, the member keeps the value it has in a default-made `T`.
  template <class M, class Owner>
  FieldTable& optional(std::string key, M Owner::*member, Dimension dimension, std::string doc) {
    return add<M>(std::move(key), member, dimension, std::move(doc), false);
  }

  FieldTable& positive() {
    list_.last().limits.positive = true;
    return limited("positive");
  }
  FieldTable& at_least(double lowest) {
    list_.last().limits.lowest = lowest;
    return limited("at least " + number_text(lowest));
  }
  FieldTable& at_most(double highest) {
    list_.last().limits.highest = highest;
    return limited("at most " + number_text(highest));
  }
  /// Of a vector: not all components zero.
  FieldTable& not_zero() {
    list_.last().limits.not_zero = true;
    return limited("not zero");
  }
  /// For lists and strings.
  FieldTable& not_empty() {
    list_.last().limits.not_empty = true;
    return limited("not empty");
  }
  /// For strings.
  FieldTable& one_of(std::vector<std::string> choices) {
    list_.last().info.choices = std::move(choices);
    return *this;
  }

  const fields_detail::FieldList& list() const { return list_; }

 private:
  template <class M>
  FieldTable& add(std::string key, M T::*member, Dimension dimension, std::string doc,
                  bool required) {
    FieldInfo info;
    info.key = std::move(key);
    info.type = fields_detail::TypeOf<M>::words().one;
    info.dimension = dimension;
    info.required = required;
    info.doc = std::move(doc);
    using Child = typename fields_detail::StructIn<M>::type;
    if constexpr (!std::is_void_v<Child>) info.children = describe<Child>();
    list_.add(fields_detail::make_field<T, M>(member, std::move(info)));
    return *this;
  }

  FieldTable& limited(std::string words) {
    list_.last().info.limits.push_back(std::move(words));
    return *this;
  }

  fields_detail::FieldList list_;
};

/// Reads a `T` from a table. Sets `where`, if `T` has that member, to the place of the table.
/// @throws InputError at file:line:column: unknown or missing keys, wrong types, units, ranges, NaN
template <HasFields T>
T read(const Value& table, const ReadContext& context) {
  T object{};
  const fields_detail::Spec spec;
  fields_detail::read_member({spec, context}, table, object);
  return object;
}

/// Reads one value of any type a field may have, for code that reads a `Value` member itself.
/// @param key what messages call it @throws InputError as `read`
template <class M>
M read_value(const Value& value, const std::string& key, Dimension dimension,
             const ReadContext& context) {
  M out{};
  fields_detail::Spec spec;
  spec.info.key = key;
  spec.info.dimension = dimension;
  fields_detail::read_member({spec, context}, value, out);
  return out;
}

/// Every key with its current value, units included: read back, it gives an equal object.
template <HasFields T>
Value complete(const T& object, const ReadContext& context) {
  return fields_detail::write_fields(fields_detail::field_list<T>(), context, &object);
}

/// The keys of `T`, in the order declared.
template <HasFields T>
std::vector<FieldInfo> describe() {
  const T defaults{};
  return fields_detail::describe_fields(fields_detail::field_list<T>(), &defaults);
}

}  // namespace larmor
