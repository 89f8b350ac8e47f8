#include "larmor/io/hdf5/hdf5_adopt.hpp"

#include <hdf5.h>

#include <utility>
#include <vector>

namespace larmor::io {
namespace {

/// Calls body(first element) for the chunks of a shape, the last axis fastest.
template <class Body>
void for_each_chunk(const Shape& shape, const Shape& chunk, const Body& body) {
  if (element_count(shape) == 0) return;
  std::vector<hsize_t> first(shape.size(), 0);
  for (std::size_t axis = shape.size(); axis > 0;) {
    body(first);
    for (axis = shape.size(); axis > 0; --axis) {
      first[axis - 1] += static_cast<hsize_t>(chunk[axis - 1]);
      if (first[axis - 1] < static_cast<hsize_t>(shape[axis - 1])) break;
      first[axis - 1] = 0;
    }
  }
}

/// HDF5 calls the driver to read the chunk, so the driver learns the place of the chunk. Then HDF5
/// calls the driver to write the chunk, and the driver gives it this place. No data are moved.
void adopt_chunk(const ChunkedDataset& source, const std::vector<hsize_t>& first,
                 std::int64_t target, Appending& appending, const std::string& action) {
  hsize_t bytes = 0;
  checked(H5Dget_chunk_storage_size(source.id, first.data(), &bytes), action);
  if (bytes == 0) return;  // never written
  std::byte untouched{};
  std::uint32_t filters = 0;
  source.file.located = ByteRange{};
  checked(H5Dread_chunk(source.id, H5P_DEFAULT, first.data(), &filters, &untouched), action);
  appending.adopted = *std::exchange(source.file.located, std::nullopt);
  if (appending.adopted.bytes != bytes)
    throw InternalError("cannot " + action + ": HDF5 did not read a chunk of it");
  checked(H5Dwrite_chunk(target, H5P_DEFAULT, filters, first.data(), bytes, &untouched), action);
  appending.adopted = {};
}

}  // namespace

void adopt_chunks(const ChunkedDataset& source, const Shape& shape, const Shape& chunk,
                  std::int64_t target, Appending& appending, const std::string& action) {
  for_each_chunk(shape, chunk, [&](const std::vector<hsize_t>& first) {
    adopt_chunk(source, first, target, appending, action);
  });
}

}  // namespace larmor::io
