#pragma once
// Lets a dataset take over the chunks of another dataset of the file, without moving a byte.

#include <cstdint>
#include <string>

#include "larmor/io/hdf5/data_array.hpp"
#include "larmor/io/hdf5/hdf5_driver.hpp"

namespace larmor::io {

struct ChunkedDataset {
  std::int64_t id;   ///< HDF5 identifier
  DrivenFile& file;  ///< the file from which it is read
};

/// Gives `target` the chunks of `source` with the elements of `shape`. `target` is an empty
/// dataset, and its chunks have the shape of those of `source`.
/// @param appending state of the file of `target`
/// @throws MachineError if HDF5 fails
void adopt_chunks(const ChunkedDataset& source, const Shape& shape, const Shape& chunk,
                  std::int64_t target, Appending& appending, const std::string& action);

}  // namespace larmor::io
