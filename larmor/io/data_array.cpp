#include "larmor/io/data_array.hpp"

#include <limits>

namespace larmor::io {

Index element_count(const Shape& shape) {
  Index count = 1;
  for (const Index extent : shape) {
    if (extent < 0) throw InternalError("negative extent in the shape " + shape_text(shape));
    if (extent > 0 && count > std::numeric_limits<Index>::max() / extent) {
      throw InternalError("the shape " + shape_text(shape) + " is too large");
    }
    count *= extent;
  }
  return count;
}

std::string shape_text(const Shape& shape) {
  std::string text = "[";
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text + "]";
}

Shape row_shape(const Shape& shape) {
  return shape.empty() ? Shape{} : Shape(shape.begin() + 1, shape.end());
}

Index DataArray::size() const {
  return std::visit([](const auto& values) { return static_cast<Index>(values.size()); },
                    elements_);
}

std::size_t DataArray::bytes() const {
  if (const auto* strings = std::get_if<std::vector<std::string>>(&elements_)) {
    std::size_t total = 0;
    for (const auto& text : *strings) total += sizeof(std::string) + text.size();
    return total;
  }
  return std::visit(
      [](const auto& values) {
        return values.size() * sizeof(typename std::decay_t<decltype(values)>::value_type);
      },
      elements_);
}

double DataArray::number() const {
  return std::visit(
      [](const auto& values) -> double {
        using T = typename std::decay_t<decltype(values)>::value_type;
        if constexpr (std::is_arithmetic_v<T>) {
          if (values.size() == 1) return static_cast<double>(values.front());
        }
        throw InternalError("the array is not one number");
      },
      elements_);
}

Index DataArray::integer() const {
  return std::visit(
      [](const auto& values) -> Index {
        using T = typename std::decay_t<decltype(values)>::value_type;
        if constexpr (std::is_integral_v<T>) {
          if (values.size() == 1) return static_cast<Index>(values.front());
        }
        throw InternalError("the array is not one integer");
      },
      elements_);
}

const std::string& DataArray::text() const {
  const auto& strings = as<std::string>();
  if (strings.size() != 1) throw InternalError("the array is not one string");
  return strings.front();
}

void DataArray::check_rows(const DataArray& rows) const {
  if (is_scalar() || rows.is_scalar() || !same_type(rows) ||
      row_shape(shape_) != row_shape(rows.shape_)) {
    throw InternalError("rows of shape " + shape_text(rows.shape_) +
                        " cannot follow an array of shape " + shape_text(shape_) +
                        " or have another type");
  }
}

void DataArray::append(const DataArray& rows) {
  check_rows(rows);
  std::visit(
      [&](auto& values) {
        const auto& more = std::get<std::decay_t<decltype(values)>>(rows.elements_);
        values.insert(values.end(), more.begin(), more.end());
      },
      elements_);
  shape_.front() += rows.shape_.front();
}

void DataArray::check_shape() const {
  if (element_count(shape_) != size()) {
    throw InternalError(std::to_string(size()) + " elements do not fill the shape " +
                        shape_text(shape_));
  }
}

}  // namespace larmor::io
