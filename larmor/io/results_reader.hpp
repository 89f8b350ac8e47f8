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
/// FORMAT: of the groups and datasets, and what they hold; tests/reliability/test_layouts.py
/// notices a change.
constexpr Index results_format_version = 10;

/// What is in a results file, as of its last commit; a run may go on writing meanwhile. Paths are
/// absolute. Every call throws MachineError if the object is missing or cannot be read.
class ResultsReader {
 public:
  /// @throws InputError if there is no such file or it is not a results file this version reads;
  ///         MachineError for lack of permission or a damaged file
  explicit ResultsReader(const std::string& file_path) : ResultsReader(file_path, "") {}
  /// @param group whose contents stand for the whole file: one of the points of a scan
  ResultsReader(const std::string& file_path, std::string group);

  bool exists(const std::string& path) const { return file_.exists(at(path)); }
  bool is_group(const std::string& path) const { return file_.is_group(at(path)); }
  /// Names in a group, sorted.
  std::vector<std::string> list(const std::string& path) const { return file_.children(at(path)); }
  DatasetInfo info(const std::string& path) const { return file_.info(at(path)); }
  Shape shape(const std::string& path) const { return info(path).shape; }
  Attributes attributes(const std::string& path) const { return file_.attributes(at(path)); }

  /// The attribute `unit`; empty: it has none.
  std::string unit_of(const std::string& path) const;

  /// A dataset with elements of the stored type.
  DataArray read(const std::string& path) const { return file_.read(at(path)); }
  /// The elements of a dataset, row-major, as T. @throws InternalError between numbers and strings
  template <Element T>
  std::vector<T> read(const std::string& path) const {
    return read(path).convert<T>();
  }
  /// Rows [first, first + count) of the first axis.
  DataArray read_rows(const std::string& path, Index first, Index count) const {
    return file_.read_rows(at(path), first, count);
  }
  template <Element T>
  std::vector<T> read_rows(const std::string& path, Index first, Index count) const {
    return read_rows(path, first, count).convert<T>();
  }
  SeriesLengths series_lengths() const;
  /// For whoever goes on with the file. @throws InputError for a file of an older format
  void require_this_format() const;

 private:
  std::string at(const std::string& path) const {
    return path == "/" && !group_.empty() ? group_ : group_ + path;
  }

  std::string file_path_;
  Hdf5File file_;
  std::string group_;  ///< empty: the whole file
};

}  // namespace larmor::io
