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
  bool chunked = false;     ///< stored in pieces
  std::uint64_t bytes = 0;  ///< that it takes in the file, without what describes it
};

/// One open file. Paths are absolute: "/stages/01-anneal/temperature"; groups on the way to a new
/// object are made. Threads have files of their own, and
/// take turns. Every call throws MachineError with path and
/// reason if HDF5 fails or an object is missing. A write that the disk refuses is only noted: see
/// `write_error` and `close`.
class Hdf5File {
 public:
  /// `create` empties a file that exists. `append` begins an empty tree of objects behind all that
  /// a file holds, which stays as it is, for those who read it too, until `close` puts the new tree
  /// in its place: at no moment is there neither of the two.
  enum class Mode { create, modify, append, read };

  /// @throws DiskError if the system cannot open it, MachineError if it is not sound HDF5
  Hdf5File(const std::string& file_path, Mode mode);
  Hdf5File(Hdf5File&&) noexcept;
  /// Closes; a failed write goes unnoticed here.
  ~Hdf5File();

  /// Writes all that is buffered, syncs (unless opened to read), closes.
  /// @throws DiskError if anything could not be written: then the file is worthless, or, in mode
  /// `append`, as it was
  void close();
  /// Was it opened in mode `append`?
  bool appends() const;
  /// errno of the first write that failed, else 0.
  int write_error() const;

  /// Writes a dataset of fixed shape in place of what is there. 1 MiB and more is compressed.
  void write(const std::string& path, const DataArray& data);
  /// Adds rows to a series (first axis), making it first if needed.
  /// @throws InternalError if the shape of the rows differs
  void append(const std::string& path, const DataArray& rows);
  /// Keeps the first `length` rows of a series. @throws MachineError if there are fewer
  void truncate(const std::string& path, Index length);
  /// Gives a dataset or group a second path, at no cost.
  void link(const std::string& existing, const std::string& path);
  /// Unlinks a dataset or a group with all in it.
  void remove(const std::string& path);
  void require_group(const std::string& path);
  /// On a dataset or group, in place of an attribute of that name.
  void set_attribute(const std::string& path, const std::string& name, const DataArray& value);
  /// Makes the dataset `scale` the dimension scale of one axis; harmless to repeat.
  void attach_scale(const std::string& path, Index axis, const std::string& scale);

  /// Copies a dataset of another file, as it is stored there, without its attributes.
  void copy_dataset(const Hdf5File& from, const std::string& path, const std::string& to);

  /// In mode `append`: takes over a dataset in chunks from the tree of the same file that `from`
  /// reads, without its attributes. Chunks stay where they are on the disk, but for that of the
  /// last rows of a series, which may still grow.
  /// @param rows of a series; of other datasets all that there are
  void adopt_dataset(const Hdf5File& from, const std::string& path, Index rows);

  /// Path of the dimension scale of an axis; empty if it has none.
  std::string scale(const std::string& path, Index axis) const;
  bool exists(const std::string& path) const;
  bool is_group(const std::string& path) const;
  /// The same number for all paths of a dataset or group that has several; nothing if it has one.
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
