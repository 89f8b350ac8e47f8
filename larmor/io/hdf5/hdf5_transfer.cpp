#include "larmor/io/hdf5/hdf5_transfer.hpp"

#include <hdf5.h>

#include <new>
#include <stdexcept>

namespace larmor::io {
namespace {

std::int64_t predefined_type(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return H5T_NATIVE_DOUBLE;
    case ElementType::float32:
      return H5T_NATIVE_FLOAT;
    case ElementType::int64:
      return H5T_NATIVE_INT64;
    case ElementType::int32:
      return H5T_NATIVE_INT32;
    case ElementType::uint64:
      return H5T_NATIVE_UINT64;
    case ElementType::boolean:
      return H5T_NATIVE_UINT8;
    case ElementType::text:
      return H5T_C_S1;
    case ElementType::int8:
      return H5T_NATIVE_INT8;
  }
  throw InternalError("unknown element type");
}

ElementType integer_type(std::int64_t hdf5_type) {
  const bool is_signed = H5Tget_sign(hdf5_type) != H5T_SGN_NONE;
  switch (H5Tget_size(hdf5_type)) {
    case 1:
      return is_signed ? ElementType::int8 : ElementType::boolean;
    case 8:
      return is_signed ? ElementType::int64 : ElementType::uint64;
    case 4:
      return is_signed ? ElementType::int32 : ElementType::int64;
    default:
      return ElementType::int32;
  }
}

using Get = std::function<int(std::int64_t, void*)>;

template <class T>
DataArray read_numbers(ElementType type, const Shape& shape, const std::string& action,
                       const Get& get) {
  std::vector<T> values(static_cast<std::size_t>(element_count(shape)));
  if (!values.empty()) checked(get(hdf5_type(type).get(), values.data()), action);
  return {std::move(values), shape};
}

DataArray read_strings(const Shape& shape, const std::string& action, const Get& get) {
  const auto count = static_cast<std::size_t>(element_count(shape));
  std::vector<char*> pointers(count, nullptr);
  const int status = count == 0 ? 0 : get(hdf5_type(ElementType::text).get(), pointers.data());
  std::vector<std::string> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (pointers[i] == nullptr) continue;
    values[i] = pointers[i];
    H5free_memory(pointers[i]);
  }
  checked(status, action);
  return {std::move(values), shape};
}

}  // namespace

ElementType element_type(const DataArray& data) {
  return static_cast<ElementType>(data.elements().index());
}

std::optional<ElementType> element_type(std::int64_t hdf5_type) {
  switch (H5Tget_class(hdf5_type)) {
    case H5T_FLOAT:
      return H5Tget_size(hdf5_type) == 4 ? ElementType::float32 : ElementType::float64;
    case H5T_INTEGER:
      return integer_type(hdf5_type);
    case H5T_STRING:
      if (H5Tis_variable_str(hdf5_type) > 0) return ElementType::text;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

Hdf5Handle hdf5_type(ElementType type) {
  auto copy = checked(H5Tcopy(predefined_type(type)), H5Tclose, "make an HDF5 type");
  if (type == ElementType::text) {
    checked(H5Tset_size(copy.get(), H5T_VARIABLE), "make an HDF5 type");
    checked(H5Tset_cset(copy.get(), H5T_CSET_UTF8), "make an HDF5 type");
  }
  return copy;
}

std::size_t element_bytes(ElementType type) {
  constexpr std::size_t bytes_of_string_reference = 16;
  return type == ElementType::text ? bytes_of_string_reference : H5Tget_size(predefined_type(type));
}

Hdf5Handle dataspace(const Shape& shape, bool extendable) {
  if (shape.empty()) return checked(H5Screate(H5S_SCALAR), H5Sclose, "make an HDF5 dataspace");
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  std::vector<hsize_t> limits = extents;
  if (extendable) limits.front() = H5S_UNLIMITED;
  return checked(H5Screate_simple(static_cast<int>(shape.size()), extents.data(), limits.data()),
                 H5Sclose, "make an HDF5 dataspace of shape " + shape_text(shape));
}

Shape dataspace_shape(std::int64_t space) {
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return {0};
  const int rank = checked(H5Sget_simple_extent_ndims(space), "read an HDF5 dataspace");
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  checked(H5Sget_simple_extent_dims(space, extents.data(), nullptr), "read an HDF5 dataspace");
  return Shape(extents.begin(), extents.end());
}

void write_elements(const DataArray& data, const std::string& action,
                    const std::function<int(std::int64_t, const void*)>& put) {
  if (data.size() == 0) return;
  const Hdf5Handle type = hdf5_type(element_type(data));
  std::visit(
      [&](const auto& values) {
        using T = typename std::decay_t<decltype(values)>::value_type;
        if constexpr (std::same_as<T, std::string>) {
          std::vector<const char*> pointers;
          pointers.reserve(values.size());
          for (const auto& text : values) pointers.push_back(text.c_str());
          checked(put(type.get(), pointers.data()), action);
        } else {
          checked(put(type.get(), values.data()), action);
        }
      },
      data.elements());
}

DataArray read_elements(ElementType type, const Shape& shape, const std::string& action,
                        const Get& get) {
  try {
    switch (type) {
      case ElementType::float64:
        return read_numbers<double>(type, shape, action, get);
      case ElementType::float32:
        return read_numbers<float>(type, shape, action, get);
      case ElementType::int64:
        return read_numbers<std::int64_t>(type, shape, action, get);
      case ElementType::int32:
        return read_numbers<std::int32_t>(type, shape, action, get);
      case ElementType::uint64:
        return read_numbers<std::uint64_t>(type, shape, action, get);
      case ElementType::boolean:
        return read_numbers<std::uint8_t>(type, shape, action, get);
      case ElementType::text:
        return read_strings(shape, action, get);
      case ElementType::int8:
        return read_numbers<std::int8_t>(type, shape, action, get);
    }
  } catch (const std::bad_alloc&) {
    throw MachineError("cannot " + action + ": the shape " + shape_text(shape) +
                       " does not fit in memory");
  } catch (const std::length_error&) {
    throw MachineError("cannot " + action + ": the shape " + shape_text(shape) +
                       " does not fit in memory");
  }
  throw InternalError("unknown element type");
}

}  // namespace larmor::io
