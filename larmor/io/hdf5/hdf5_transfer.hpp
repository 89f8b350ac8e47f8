#pragma once
// Conversion of arrays to and from HDF5 types, dataspaces and buffers. Only for the files
// io/hdf5/hdf5_file*.

#include <functional>
#include <optional>

#include "larmor/io/hdf5/data_array.hpp"
#include "larmor/io/hdf5/hdf5_handle.hpp"

namespace larmor::io {

/// The alternatives of `Elements`, in their order.
enum class ElementType { float64, float32, int64, int32, uint64, boolean, text, int8 };

ElementType element_type(const DataArray& data);

/// The element type for an HDF5 type; nothing for types that Larmor does not write.
std::optional<ElementType> element_type(std::int64_t hdf5_type);

/// The HDF5 type of elements, in memory and in the file. Strings are UTF-8 of variable length.
Hdf5Handle hdf5_type(ElementType type);

/// Bytes of one element in a file.
std::size_t element_bytes(ElementType type);

/// A dataspace of this shape. @param extendable may the first axis grow without limit?
Hdf5Handle dataspace(const Shape& shape, bool extendable = false);

/// Extents of a dataspace. @throws MachineError
Shape dataspace_shape(std::int64_t space);

/// Calls `put(type, buffer)`, which must call H5Dwrite or H5Awrite.
/// @throws MachineError "cannot ACTION: ..." if it returns a negative number
void write_elements(const DataArray& data, const std::string& action,
                    const std::function<int(std::int64_t, const void*)>& put);

/// Calls `get(type, buffer)`, which must call H5Dread or H5Aread. The buffer has the size of
/// `shape`.
/// @throws MachineError "cannot ACTION: ...", also if the array does not fit in memory
DataArray read_elements(ElementType type, const Shape& shape, const std::string& action,
                        const std::function<int(std::int64_t, void*)>& get);

}  // namespace larmor::io
