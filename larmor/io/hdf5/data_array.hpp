#pragma once
// A dense array of numbers or strings with its shape, for reading and writing files.

#include <concepts>
#include <cstddef>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/types.hpp"

namespace larmor::io {

/// Extents, slowest axis first. An empty shape means a scalar.
using Shape = std::vector<Index>;

/// Elements in row-major order; uint8 holds booleans.
using Elements =
    std::variant<std::vector<double>, std::vector<float>, std::vector<std::int64_t>,
                 std::vector<std::int32_t>, std::vector<std::uint64_t>, std::vector<std::uint8_t>,
                 std::vector<std::string>, std::vector<std::int8_t>>;

template <class T>
concept Element = std::is_constructible_v<Elements, std::in_place_type_t<std::vector<T>>>;

/// Numbers or texts with their shape. An array that was read from a file stores its place in the
/// file. Errors name this place if a caller requests another type or shape.
class DataArray {
 public:
  /// Makes an array with one axis of `elements.size()`.
  template <Element T>
  DataArray(std::vector<T> elements);
  /// @throws InternalError if the shape does not hold exactly `elements.size()` elements
  template <Element T>
  DataArray(std::vector<T> elements, Shape shape);
  DataArray(const std::vector<bool>& elements);

  // Scalars.
  DataArray(std::string text);
  DataArray(const char* text);
  template <std::floating_point T>
  DataArray(T number) : DataArray(OneNumber{}, static_cast<double>(number)) {}
  template <std::integral T>
  DataArray(T number)
      : DataArray(
            OneNumber{},
            static_cast<std::conditional_t<
                std::same_as<T, bool>, std::uint8_t,
                std::conditional_t<std::same_as<T, std::uint64_t>, T, std::int64_t>>>(number)) {}

  // These functions are compiled only once, in data_array.cpp, because many files call them.
  DataArray(const DataArray& other);
  DataArray(DataArray&& other) noexcept;
  DataArray& operator=(const DataArray& other);
  DataArray& operator=(DataArray&& other) noexcept;
  ~DataArray();

  const Shape& shape() const { return shape_; }
  const Elements& elements() const { return elements_; }
  bool is_scalar() const { return shape_.empty(); }
  Index size() const;
  /// Do both arrays have elements of one type?
  bool same_type(const DataArray& other) const {
    return elements_.index() == other.elements_.index();
  }
  /// Memory held by the elements.
  std::size_t bytes() const;

  /// Stores the place from which the array was read, such as "the attribute 'unit' of '/a/b' of
  /// 'results.h5'".
  void read_from(std::string place) { place_ = std::move(place); }
  const std::string& place() const { return place_; }

  // The next functions throw MachineError if the array was read from a file, otherwise
  // InternalError.
  /// @throws if the elements are of another type
  template <Element T>
  const std::vector<T>& as() const {
    if (const auto* found = std::get_if<std::vector<T>>(&elements_)) return *found;
    refuse("has elements of another type");
  }
  /// The only element, of type T. @throws if there is not exactly one element, or if its type
  /// differs
  template <Element T>
  const T& one() const {
    const std::vector<T>& values = as<T>();
    if (values.size() != 1) refuse("does not have exactly one element");
    return values.front();
  }
  /// The only element, as a number. @throws if there is not exactly one number
  double number() const;
  /// The only element, as an integer. @throws if there is not exactly one integer
  Index integer() const;
  /// The only element, as text. @throws if there is not exactly one string
  const std::string& text() const;

  /// The elements as numbers of type T. They are moved if they have this type.
  /// @throws for a conversion between numbers and strings
  template <Element T>
  std::vector<T> convert() &&;

  /// Gives these elements another shape.
  /// @throws InternalError if the shape does not hold exactly as many elements
  DataArray reshaped(Shape shape) && {
    shape_ = std::move(shape);
    check_shape();
    return std::move(*this);
  }

  /// Checks that `rows` can follow along the first axis.
  /// @throws if the type or the shape of a row differs, or for scalars
  void check_rows(const DataArray& rows) const;
  /// Adds rows along the first axis. @throws InternalError if `check_rows` would throw
  void append(const DataArray& rows);

 private:
  struct OneNumber {};
  DataArray(OneNumber, double number);
  DataArray(OneNumber, std::int64_t number);
  DataArray(OneNumber, std::uint64_t number);
  DataArray(OneNumber, std::uint8_t number);
  void check_shape() const;
  [[noreturn]] void refuse(const char* words) const;

  Shape shape_;
  Elements elements_;
  std::string place_;  ///< empty if it was not read from a file
};

/// Attributes of a dataset or a group, by name.
class Attributes : public std::map<std::string, DataArray> {
 public:
  using std::map<std::string, DataArray>::map;

  /// @param object "'/a/b' of 'results.h5'"
  void read_from(std::string object) { object_ = std::move(object); }
  /// @throws MachineError with object and file, if they were read from one and lack this attribute
  const DataArray& at(const std::string& name) const;

 private:
  std::string object_;
};

/// Product of the extents; 1 for a scalar.
/// @throws InternalError if an extent is negative or the product does not fit
Index element_count(const Shape& shape);

/// "[3, 4]", for messages.
std::string shape_text(const Shape& shape);

/// Extents of one row: all except the first extent.
Shape row_shape(const Shape& shape);

}  // namespace larmor::io
