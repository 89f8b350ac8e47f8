#pragma once
// An HDF5 file: groups, datasets, attributes, dimension scales.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/io/hdf5/data_array.hpp"

namespace larmor::io {

/// A dataset as the file describes it.
struct DatasetInfo {
  std::string type;  ///< "float64", "float32", "int64", "int32", "uint64", "boolean", "text"
  Shape shape;
  bool extendable = false;  ///< a series: the first axis grows
  bool chunked = false;     ///< stored in HDF5 chunks
  std::uint64_t bytes = 0;  ///< size of its data in the file, without metadata
};

/// One open file. Paths are absolute: "/stages/01-anneal/temperature". Parent groups of a new
/// object are created. Each thread needs its own file, and threads wait for one another. Every call
/// throws MachineError with path and reason if HDF5 fails or an object is missing. If the disk
/// refuses a write, this is only recorded: see `write_error` and `close`.
class Hdf5File {
 public:
  /// `create` empties an existing file. `append` begins an empty tree of objects behind the
  /// contents of a file. Readers still see the old contents until `close` switches to the new tree.
  /// At every moment the file has one valid tree.
  enum class Mode { create, modify, append, read };

  /// @throws DiskError if the system cannot open the file, MachineError if it is not valid HDF5
  Hdf5File(const std::string& file_path, Mode mode);
  Hdf5File(Hdf5File&&) noexcept;
  /// Closes the file; a failed write is not reported here.
  ~Hdf5File();

  /// Writes all buffers, syncs (unless the file was opened to read), and closes the file.
  /// @throws DiskError if a write failed. Then the file is useless, or unchanged in mode `append`
  void close();
  /// Was the file opened in mode `append`?
  bool appends() const;
  /// errno of the first write that failed, else 0.
  int write_error() const;

  /// Writes a dataset of fixed shape, and replaces an existing one. Data of 1 MiB and more are
  /// compressed.
  void write(const std::string& path, const DataArray& data);
  /// Adds rows to a series (first axis), creating it if needed.
  /// @throws InternalError if the shape of the rows differs
  void append(const std::string& path, const DataArray& rows);
  /// Keeps the first `length` rows of a series. @throws MachineError if it has fewer rows
  void truncate(const std::string& path, Index length);
  /// Gives a dataset or group a second path, at no cost.
  void link(const std::string& existing, const std::string& path);
  /// Unlinks a dataset, or a group with its contents.
  void remove(const std::string& path);
  void require_group(const std::string& path);
  /// Sets an attribute of a dataset or group, and replaces an attribute of that name.
  void set_attribute(const std::string& path, const std::string& name, const DataArray& value);
  /// Makes the dataset `scale` the dimension scale of one axis. May be repeated.
  void attach_scale(const std::string& path, Index axis, const std::string& scale);

  /// Copies a dataset of another file in its stored form, without its attributes.
  void copy_dataset(const Hdf5File& from, const std::string& path, const std::string& to);

  /// In mode `append`: takes over a chunked dataset from the old tree of this file. `from` reads
  /// this tree. Attributes are not copied. Chunks stay in place on the disk, except for the chunk
  /// of the last rows of a series, which may still grow.
  /// @param rows number of rows to take over from a series; for other datasets, all rows
  void adopt_dataset(const Hdf5File& from, const std::string& path, Index rows);

  /// Path of the dimension scale of an axis; empty if the axis has none.
  std::string scale(const std::string& path, Index axis) const;
  bool exists(const std::string& path) const;
  bool is_group(const std::string& path) const;
  /// The number of a dataset or group that has several paths, equal for all of its paths. Nothing
  /// if the object has only one path.
  std::optional<std::uint64_t> shared_object(const std::string& path) const;
  /// Names in a group, sorted.
  std::vector<std::string> children(const std::string& path) const;
  DatasetInfo info(const std::string& path) const;
  DataArray read(const std::string& path) const;
  /// Rows [first, first + count) of the first axis.
  DataArray read_rows(const std::string& path, Index first, Index count) const;
  /// All attributes of types that Larmor writes.
  Attributes attributes(const std::string& path) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace larmor::io
