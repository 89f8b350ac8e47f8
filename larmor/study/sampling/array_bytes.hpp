#pragma once
// Copies numbers of any type to bytes and back, for ranks and checkpoints.

#include <cstddef>
#include <vector>

#include "larmor/io/hdf5/data_array.hpp"

namespace larmor::study {

std::vector<std::byte> bytes_of(const io::DataArray& array);

/// An array of the type of another one. @param bytes as many as the shape holds
io::DataArray array_of(const std::vector<std::byte>& bytes, const io::DataArray& like,
                       io::Shape shape);

}  // namespace larmor::study
