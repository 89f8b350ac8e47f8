#pragma once
// Reading a results file. Its groups and datasets are listed in docs/architecture.md.

#include <map>
#include <string>
#include <vector>

#include "larmor/io/hdf5.hpp"

namespace larmor::io {

/// Rows of every series, by path.
using SeriesLengths = std::map<std::string, Index>;

constexpr const char* results_format = "larmor-results";
constexpr Index results_format_version = 1;

/// What is in a results file, as of its last commit; a run may go on writing meanwhile. Paths are
/// absolute. Every call throws MachineError if the object is missing or cannot be read.
class ResultsReader {
 public:
  /// @throws InputError if there is no such file or it is not a results file this version reads;
  ///         MachineError for lack of permission or a damaged file
  explicit ResultsReader(const std::string& file_path);

  bool exists(const std::string& path) const { return file_.exists(path); }
  bool is_group(const std::string& path) const { return file_.is_group(path); }
  /// Names in a group, sorted.
  std::vector<std::string> list(const std::string& path) const { return file_.children(path); }
  DatasetInfo info(const std::string& path) const { return file_.info(path); }
  Shape shape(const std::string& path) const { return info(path).shape; }
  Attributes attributes(const std::string& path) const { return file_.attributes(path); }

  /// A dataset with elements of the stored type.
  DataArray read(const std::string& path) const { return file_.read(path); }
  /// The elements of a dataset, row-major, as T. @throws InternalError between numbers and strings
  template <Element T>
  std::vector<T> read(const std::string& path) const {
    return file_.read(path).convert<T>();
  }
  /// Rows [first, first + count) of the first axis.
  DataArray read_rows(const std::string& path, Index first, Index count) const {
    return file_.read_rows(path, first, count);
  }
  template <Element T>
  std::vector<T> read_rows(const std::string& path, Index first, Index count) const {
    return file_.read_rows(path, first, count).convert<T>();
  }
  SeriesLengths series_lengths() const;

 private:
  Hdf5File file_;
};

}  // namespace larmor::io
