#include "larmor/io/hdf5/data_array.hpp"

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
      [this](const auto& values) -> double {
        using T = typename std::decay_t<decltype(values)>::value_type;
        if constexpr (std::is_arithmetic_v<T>) {
          if (values.size() == 1) return static_cast<double>(values.front());
        }
        refuse("is not one number");
      },
      elements_);
}

Index DataArray::integer() const {
  return std::visit(
      [this](const auto& values) -> Index {
        using T = typename std::decay_t<decltype(values)>::value_type;
        if constexpr (std::is_integral_v<T>) {
          if (values.size() == 1) return static_cast<Index>(values.front());
        }
        refuse("is not one whole number");
      },
      elements_);
}

const std::string& DataArray::text() const {
  const auto* const strings = std::get_if<std::vector<std::string>>(&elements_);
  if (strings == nullptr || strings->size() != 1) refuse("is not one text");
  return strings->front();
}

void DataArray::check_rows(const DataArray& rows) const {
  if (is_scalar() || rows.is_scalar() || !same_type(rows) ||
      row_shape(shape_) != row_shape(rows.shape_)) {
    const std::string words = "takes no rows of shape " + shape_text(rows.shape_) +
                              ": it has the shape " + shape_text(shape_) + " or another type";
    refuse(words.c_str());
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

template <Element T>
DataArray::DataArray(std::vector<T> elements)
    : shape_{static_cast<Index>(elements.size())}, elements_(std::move(elements)) {}

template <Element T>
DataArray::DataArray(std::vector<T> elements, Shape shape)
    : shape_(std::move(shape)), elements_(std::move(elements)) {
  check_shape();
}

DataArray::DataArray(const std::vector<bool>& elements)
    : DataArray(std::vector<std::uint8_t>(elements.begin(), elements.end())) {}

DataArray::DataArray(std::string text) : elements_(std::vector<std::string>{std::move(text)}) {}
DataArray::DataArray(const char* text) : DataArray(std::string(text)) {}
DataArray::DataArray(OneNumber, double number) : elements_(std::vector<double>{number}) {}
DataArray::DataArray(OneNumber, std::int64_t number)
    : elements_(std::vector<std::int64_t>{number}) {}
DataArray::DataArray(OneNumber, std::uint64_t number)
    : elements_(std::vector<std::uint64_t>{number}) {}
DataArray::DataArray(OneNumber, std::uint8_t number)
    : elements_(std::vector<std::uint8_t>{number}) {}

DataArray::DataArray(const DataArray& other) = default;
DataArray::DataArray(DataArray&& other) noexcept = default;
DataArray& DataArray::operator=(const DataArray& other) = default;
DataArray& DataArray::operator=(DataArray&& other) noexcept = default;
DataArray::~DataArray() = default;

template <Element T>
std::vector<T> DataArray::convert() && {
  return std::visit(
      [this](auto& values) -> std::vector<T> {
        using From = typename std::decay_t<decltype(values)>::value_type;
        if constexpr (std::same_as<From, T>) {
          return std::move(values);
        } else if constexpr (std::is_arithmetic_v<From> && std::is_arithmetic_v<T>) {
          return std::vector<T>(values.begin(), values.end());
        }
        refuse(std::is_arithmetic_v<T> ? "has no numbers" : "has no texts");
      },
      elements_);
}

void DataArray::refuse(const char* words) const {
  if (place_.empty()) throw InternalError(std::string("an array ") + words);
  throw MachineError(place_ + " " + words + ": the file is damaged, or another program changed it");
}

const DataArray& Attributes::at(const std::string& name) const {
  if (const auto found = find(name); found != end()) return found->second;
  if (object_.empty()) throw InternalError("there is no attribute '" + name + "'");
  throw MachineError(object_ + " has no attribute '" + name +
                     "' of a type that Larmor writes: the file is damaged, or another program "
                     "changed it");
}

#define LARMOR_ELEMENT(T)                                     \
  template DataArray::DataArray(std::vector<T> elements);     \
  template DataArray::DataArray(std::vector<T>, Shape shape); \
  template std::vector<T> DataArray::convert()&&;
LARMOR_ELEMENT(double)
LARMOR_ELEMENT(float)
LARMOR_ELEMENT(std::int64_t)
LARMOR_ELEMENT(std::int32_t)
LARMOR_ELEMENT(std::uint64_t)
LARMOR_ELEMENT(std::uint8_t)
LARMOR_ELEMENT(std::string)
LARMOR_ELEMENT(std::int8_t)
#undef LARMOR_ELEMENT

}  // namespace larmor::io
