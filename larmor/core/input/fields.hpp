#pragma once
// Field tables: a configurable type declares its keys once. The table serves to read the keys, with
// errors at file:line:column, to write the completed study, and to write the text of `explain`.
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
// structs with fields(), or Value, which the type's own code reads. They may also be std::array,
// std::vector, std::optional and OrAuto of these types. A single value counts as a list of one.

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "larmor/core/input/field_members.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/core/input/value.hpp"

namespace larmor {

template <HasFields T>
std::vector<FieldInfo> describe();

namespace fields_detail {

/// Functions to read, write and describe members of one type.
struct MemberType {
  void (*read)(const Reader&, const Value&, void* member);
  /// Returns no value if the member is an empty std::optional.
  std::optional<Value> (*write)(const void* member, const Writer&);
  TypeName (*description)();
  std::vector<FieldInfo> (*children)();  ///< null if the type holds no table
};

template <class M>
void read_as(const Reader& reader, const Value& value, void* member) {
  read_member(reader, value, *static_cast<M*>(member));
}

template <class M>
std::optional<Value> write_as(const void* member, const Writer& writer) {
  const M& current = *static_cast<const M*>(member);
  if constexpr (is_optional<M>) {
    if (!current) return std::nullopt;
    return write_member(*current, writer);
  } else {
    return write_member(current, writer);
  }
}

template <class M>
TypeName name_as() {
  return type_name(Tag<M>{});
}

template <class M>
constexpr MemberType make_member_type() {
  using Child = typename StructIn<M>::type;
  MemberType type{read_as<M>, write_as<M>, name_as<M>, nullptr};
  if constexpr (!std::is_void_v<Child>) type.children = describe<Child>;
  return type;
}

template <class M>
inline constexpr MemberType member_type = make_member_type<M>();

struct Field {
  Spec spec;
  std::ptrdiff_t offset;  ///< offset of the member in its object, in bytes
  const MemberType* type;
};

/// The part of a FieldTable that does not depend on the type. Its functions are compiled once,
/// since many sources have tables.
class FieldList {
 public:
  FieldList();
  FieldList(const FieldList& other);
  FieldList(FieldList&& other) noexcept;
  FieldList& operator=(const FieldList&) = delete;
  ~FieldList();

  const std::vector<Field>& fields() const { return fields_; }
  /// @throws InternalError if the key exists already
  void add(std::string_view key, std::ptrdiff_t offset, const MemberType& type, Dimension dimension,
           std::string_view doc, bool required);

  // These limits apply to the last added field. @throws InternalError if there is no field
  void positive();
  void at_least(double lowest);
  void at_most(double highest);
  void not_zero();
  void not_empty();
  void one_of(std::initializer_list<const char*> choices, std::initializer_list<const char*> docs);
  FieldInfo& last_info();

 private:
  Spec& last();

  std::vector<Field> fields_;
};

std::vector<FieldInfo> describe_fields(const FieldList& list, const void* defaults);

template <class T>
const T& made_by_default() {
  static const T object{};
  return object;
}

/// @param member a member of T or of a base class
template <class T, class M>
std::ptrdiff_t offset_of(M T::*member) {
  const T& object = made_by_default<T>();
  return reinterpret_cast<const char*>(&(object.*member)) - reinterpret_cast<const char*>(&object);
}

}  // namespace fields_detail

/// The keys of `T`. A limit follows its field, is in inner units, and holds for every element of a
/// list and every component of a vector.
template <class T>
class FieldTable {
 public:
  template <class M, class Owner>
  FieldTable& required(std::string_view key, M Owner::*member, Dimension dimension,
                       std::string_view doc) {
    return add<M>(key, member, dimension, doc, true);
  }
  /// If the key is left out, the member keeps its value in a default-constructed `T`, which must be
  /// within the limits. A member that may be "not given" is a std::optional, or a list or string
  /// with `not_empty()`.
  template <class M, class Owner>
  FieldTable& optional(std::string_view key, M Owner::*member, Dimension dimension,
                       std::string_view doc) {
    return add<M>(key, member, dimension, doc, false);
  }

  FieldTable& positive() {
    list_.positive();
    return *this;
  }
  FieldTable& at_least(double lowest) {
    list_.at_least(lowest);
    return *this;
  }
  FieldTable& at_most(double highest) {
    list_.at_most(highest);
    return *this;
  }
  /// For a vector: not all components are zero.
  FieldTable& not_zero() {
    list_.not_zero();
    return *this;
  }
  /// For lists and strings: not without elements or characters.
  FieldTable& not_empty() {
    list_.not_empty();
    return *this;
  }
  /// For strings. @param docs meaning of each choice; empty if the doc of the key explains them
  FieldTable& one_of(std::initializer_list<const char*> choices,
                     std::initializer_list<const char*> docs = {}) {
    list_.one_of(choices, docs);
    return *this;
  }
  FieldTable& one_of(std::vector<std::string> choices, std::vector<std::string> docs = {}) {
    list_.last_info().choices = std::move(choices);
    list_.last_info().choice_docs = std::move(docs);
    return *this;
  }

  /// For strings: this key determines which other keys exist, see of_kinds().
  FieldTable& selects_keys() {
    list_.last_info().selects_keys = true;
    return *this;
  }
  /// This key exists only in tables of these kinds. @param kinds empty for all
  FieldTable& of_kinds(std::vector<std::string> kinds) {
    list_.last_info().kinds = std::move(kinds);
    return *this;
  }
  /// For a Value that may be a table: its keys, for `explain`.
  template <HasFields Child>
  FieldTable& with_child() {
    list_.last_info().children = describe<Child>();
    return *this;
  }

  /// For Values that the type's own code reads: their description in `explain`.
  FieldTable& described_as(std::string type, std::vector<FieldInfo> children) {
    list_.last_info().type = std::move(type);
    list_.last_info().children = std::move(children);
    return *this;
  }

  const fields_detail::FieldList& list() const { return list_; }

 private:
  template <class M>
  FieldTable& add(std::string_view key, M T::*member, Dimension dimension, std::string_view doc,
                  bool required) {
    list_.add(key, fields_detail::offset_of(member), fields_detail::member_type<M>, dimension, doc,
              required);
    return *this;
  }

  fields_detail::FieldList list_;
};

/// Reads a `T` from a table. If `T` has a member `where`, sets it to the place of the table. A
/// TablePosition also holds the places of the keys.
/// @throws InputError at file:line:column: unknown or missing keys, wrong types, units, ranges, NaN
template <HasFields T>
T read(const Value& table, const ReadContext& context) {
  T object{};
  const fields_detail::Spec spec;
  fields_detail::read_member({spec, context}, table, object);
  return object;
}

/// Reads a `T` with a given table of keys.
template <class T>
T read(const FieldTable<T>& fields, const Value& table, const ReadContext& context) {
  T object{};
  fields_detail::read_fields(fields.list(), fields_detail::name_or<T>(""), table, context, &object);
  fields_detail::set_place(object, table);
  return object;
}

/// Reads one value of any type a field may have, for code that reads a `Value` member itself.
/// @param key name of the value in messages @throws InputError as `read`
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

/// A table of every key with its current value and unit. `read` of this table gives an equal
/// object.
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
  return fields_detail::describe_fields(fields.list(), &fields_detail::made_by_default<T>());
}

/// The keys of `T`, in the order of declaration.
template <HasFields T>
std::vector<FieldInfo> describe() {
  return fields_detail::describe_fields(fields_detail::field_list<T>(),
                                        &fields_detail::made_by_default<T>());
}

}  // namespace larmor
