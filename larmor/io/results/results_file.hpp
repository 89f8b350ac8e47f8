#pragma once
// Writing the results file of a run. Its groups and datasets are listed in docs/results-format.md.
//
// The file on disk is complete and valid at every instant, also for readers during a run. Changes
// are collected in memory. A commit applies them to a copy, which then gets the file's name. A
// large file is not copied. New data and the small objects are appended. The beginning of the file
// is written last, and gives their place (Hdf5File::Mode::append).

#include <memory>
#include <string>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/hdf5/data_array.hpp"
#include "larmor/io/hdf5/hdf5_copy.hpp"
#include "larmor/io/results/results_reader.hpp"

namespace larmor::io {

class ResultsFile {
 public:
  /// A new file. Nothing is written before the first commit. If the file replaces another one, the
  /// old file stays until then.
  /// @throws InputError if the output exists (and must not be replaced) or its path is wrong;
  /// MachineError if its folder cannot be written
  static ResultsFile create(const std::string& file_path, IfExists if_exists);
  /// Opens an existing file to continue it.
  /// @throws InputError if it is missing, not a results file or of an older format; MachineError if
  /// it is damaged or cannot be written
  static ResultsFile open(const std::string& file_path);

  ResultsFile(ResultsFile&&) noexcept;
  ResultsFile& operator=(ResultsFile&&) noexcept;
  ~ResultsFile();

  const std::string& path() const;
  /// Has there been a commit?
  bool is_on_disk() const;

  /// Writes a dataset, and replaces an existing one.
  void write(const std::string& path, DataArray data, Attributes attributes = {});
  /// Adds rows, shape [n, ...], to a series. The first rows begin the series.
  /// @param attributes set when the series begins
  /// @throws InternalError if the element type or the shape of a row is not that of the series
  void append(const std::string& path, DataArray rows, const Attributes& attributes = {});
  /// Sets an attribute of a dataset or a group. If there is no object, a group is created.
  void set_attribute(const std::string& path, const std::string& name, DataArray value);
  /// Makes the dataset `scale` the HDF5 dimension scale of one axis of a dataset.
  void attach_scale(const std::string& path, Index axis, const std::string& scale);
  /// At the commit, copies another results file into a new group. @param links contents that this
  /// file already has
  void copy_in(const std::string& file_path, const std::string& group, Links links = {});
  /// Keeps the first `length` rows of a series.
  /// @throws InternalError if there is no such series or it is shorter
  void truncate(const std::string& path, Index length);
  /// Removes a dataset, or a group with its contents; does nothing if there is none.
  void remove(const std::string& path);

  /// Number of rows of every series, including rows that are not yet committed.
  SeriesLengths series_lengths() const;
  /// Restores the earlier length of every series. Longer series are cut, and series that were begun
  /// later are removed.
  /// @throws InputError if a series is missing or shorter: the lengths belong to another file
  void restore_lengths(const SeriesLengths& lengths);

  /// Memory of the changes that are not committed.
  std::size_t buffered_bytes() const;
  /// Writes all changes to the disk and syncs. If there are no changes, it only ensures that the
  /// file exists. After a failure the old file is on the disk, and the changes are kept.
  /// @throws MachineError with the path, the reason, the bytes needed and the free bytes;
  /// InputError if another process has created the output since `create`
  void commit();

 private:
  struct State;
  explicit ResultsFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace larmor::io
