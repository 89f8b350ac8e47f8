#pragma once
// Writing the results file of a run. Its groups and datasets are listed in docs/architecture.md.
//
// What is on disk is a complete, valid file at every instant, also for those who read it meanwhile:
// changes gather in memory, and a commit applies them to a copy that then takes the file's name. Of
// a large file nothing is copied: what is new, and the small objects again, come behind what is
// there, and the beginning of the file, written last, says where (Hdf5File::Mode::append).

#include <memory>
#include <string>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/hdf5/data_array.hpp"
#include "larmor/io/hdf5/hdf5_copy.hpp"
#include "larmor/io/results/results_reader.hpp"

namespace larmor::io {

class ResultsFile {
 public:
  /// A new file; nothing is on disk before the first commit, and a file that is to be replaced
  /// stays as it is until then.
  /// @throws InputError if the output exists (and is not to be replaced) or its path is wrong;
  ///         MachineError if its folder cannot be written
  static ResultsFile create(const std::string& file_path, IfExists if_exists);
  /// A file to go on with.
  /// @throws InputError if it is missing, not a results file or of an older format; MachineError if
  ///         it is damaged or cannot be written
  static ResultsFile open(const std::string& file_path);

  ResultsFile(ResultsFile&&) noexcept;
  ResultsFile& operator=(ResultsFile&&) noexcept;
  ~ResultsFile();

  const std::string& path() const;
  /// Has there been a commit?
  bool is_on_disk() const;

  /// Writes a dataset in place of what is there.
  void write(const std::string& path, DataArray data, Attributes attributes = {});
  /// Adds rows, shape [n, ...], to a series, which begins with its first rows.
  /// @param attributes set when the series begins
  /// @throws InternalError if the element type or the shape of a row is not that of the series
  void append(const std::string& path, DataArray rows, const Attributes& attributes = {});
  /// On a dataset or a group; an object that does not exist is made as a group.
  void set_attribute(const std::string& path, const std::string& name, DataArray value);
  /// Makes the dataset `scale` the HDF5 dimension scale of one axis of a dataset.
  void attach_scale(const std::string& path, Index axis, const std::string& scale);
  /// Copies another results file, as it is when this is committed, into a group that is not there.
  /// @param links what of its contents is in this file already
  void take_in(const std::string& file_path, const std::string& group, Links links = {});
  /// Keeps the first `length` rows of a series.
  /// @throws InternalError if there is no such series or it is shorter
  void truncate(const std::string& path, Index length);
  /// Removes a dataset, or a group with all in it; harmless if there is none.
  void remove(const std::string& path);

  /// Rows of every series, those not yet committed included.
  SeriesLengths series_lengths() const;
  /// Takes every series back to a length it had: longer ones are cut, later ones removed.
  /// @throws InputError if a series is missing or shorter: the lengths are of another file
  void restore_lengths(const SeriesLengths& lengths);

  /// Memory that waiting changes hold.
  std::size_t buffered_bytes() const;
  /// Puts all changes on disk, synced; without changes only makes sure that the file exists.
  /// After a failure the file on disk is the one before and the changes still wait.
  /// @throws MachineError naming the path, the reason, the bytes needed and free;
  ///         InputError if the output has come into being since `create`
  void commit();

 private:
  struct State;
  explicit ResultsFile(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace larmor::io
