#pragma once
// Field tables: a configurable type declares its keys once; from the table come reading with errors
// at file:line:column, the completed study, and what `explain` says.
//
//   struct CubicAnisotropy {
//     static constexpr const char* name = "cubic-anisotropy";
//     double K4 = 0;
//     SourcePosition where;  // optional, or TablePosition: set by read() to the place of the table
//     static FieldTable<CubicAnisotropy> fields() {
//       return FieldTable<CubicAnisotropy>()
//           .required("K4", &CubicAnisotropy::K4, Dimension::energy, "K4 > 0: easy axes");
//     }
//   };
//
// Members may be bool, int, Index, std::uint64_t, double, std::string, Vec3<double>, Mat3<double>,
// Value (left for the type's own code), structs with fields(), and std::array, std::vector,
// std::optional and OrAuto of those. In place of a list, one value counts as a list of one.

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "larmor/core/input/field_members.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/core/input/value.hpp"

namespace larmor {
namespace fields_detail {

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

std::vector<FieldInfo> describe_fields(const FieldList& list, const void* defaults);

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
      return write_member(*current, Writer{dimension, context});
    } else {
      return write_member(current, Writer{dimension, context});
    }
  };
  return field;
}

}  // namespace fields_detail

template <HasFields T>
std::vector<FieldInfo> describe();

/// The keys of `T`. The limits that follow a field hold for that field: for every element of a
/// list, every component of a vector, in inner units.
template <class T>
class FieldTable {
 public:
  template <class M, class Owner>
  FieldTable& required(std::string key, M Owner::*member, Dimension dimension, std::string doc) {
    return add<M>(std::move(key), member, dimension, std::move(doc), true);
  }
  /// Left out, the member keeps the value it has in a default-made `T`, which must lie within the
  /// limits: what may be "not given" is a std::optional, or a list or string that is `not_empty()`.
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
  /// For strings. @param docs what each stands for; none: the doc of the key tells
  FieldTable& one_of(std::vector<std::string> choices, std::vector<std::string> docs = {}) {
    list_.last().info.choices = std::move(choices);
    list_.last().info.choice_docs = std::move(docs);
    return *this;
  }

  /// For strings: which other keys there are depends on this one, see of_kinds().
  FieldTable& tells_kind() {
    list_.last().info.tells_kind = true;
    return *this;
  }
  /// The key belongs to tables of these kinds alone. @param kinds none: to all
  FieldTable& of_kinds(std::vector<std::string> kinds) {
    list_.last().info.kinds = std::move(kinds);
    return *this;
  }
  /// Of a Value that may be a table: its keys, for `explain`.
  template <HasFields Child>
  FieldTable& may_be() {
    list_.last().info.children = describe<Child>();
    return *this;
  }

  /// Of Values that the type's own code reads: how `explain` tells of them.
  FieldTable& told_as(std::string type, std::vector<FieldInfo> children) {
    list_.last().info.type = std::move(type);
    list_.last().info.children = std::move(children);
    return *this;
  }

  const fields_detail::FieldList& list() const { return list_; }

 private:
  template <class M>
  FieldTable& add(std::string key, M T::*member, Dimension dimension, std::string doc,
                  bool required) {
    FieldInfo info;
    info.key = std::move(key);
    info.type = type_words(fields_detail::Tag<M>{}).one;
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

/// Reads a `T` from a table. Sets `where`, if `T` has that member, to the place of the table (and,
/// of a TablePosition, of its keys).
/// @throws InputError at file:line:column: unknown or missing keys, wrong types, units, ranges, NaN
template <HasFields T>
T read(const Value& table, const ReadContext& context) {
  T object{};
  const fields_detail::Spec spec;
  fields_detail::read_member({spec, context}, table, object);
  return object;
}

/// The same, by a given table of keys.
template <class T>
T read(const FieldTable<T>& fields, const Value& table, const ReadContext& context) {
  T object{};
  fields_detail::read_fields(fields.list(), fields_detail::name_or<T>(""), table, context, &object);
  fields_detail::set_place(object, table);
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

template <class T>
Value complete(const FieldTable<T>& fields, const T& object, const ReadContext& context) {
  return fields_detail::write_fields(fields.list(), context, &object);
}

template <class T>
std::vector<FieldInfo> describe(const FieldTable<T>& fields) {
  const T defaults{};
  return fields_detail::describe_fields(fields.list(), &defaults);
}

/// The keys of `T`, in the order declared.
template <HasFields T>
std::vector<FieldInfo> describe() {
  const T defaults{};
  return fields_detail::describe_fields(fields_detail::field_list<T>(), &defaults);
}

}  // namespace larmor
