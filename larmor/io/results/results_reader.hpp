#pragma once
// Reading a results file. Its groups and datasets are listed in docs/results-format.md.

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "larmor/io/hdf5/hdf5_file.hpp"

namespace larmor::io {

/// @throws MachineError
[[noreturn]] void refuse_count(const std::string& place, std::size_t count, std::size_t needed);

/// The elements of a dataset, or the extents of its axes, from a file that may be damaged.
template <class T>
class StoredValues : public std::vector<T> {
 public:
  /// @param place "'/a/b' of 'results.h5'"
  StoredValues(std::vector<T> values, std::string place)
      : std::vector<T>(std::move(values)), place_(std::move(place)) {}

  /// The element number n. @throws MachineError, which names the dataset, if it has fewer elements.
  /// The other functions throw this error too
  const T& operator[](std::size_t n) const {
    if (n >= this->size()) refuse(n + 1);
    return std::vector<T>::operator[](n);
  }
  const T& front() const { return (*this)[0]; }
  const T& back() const { return (*this)[std::max<std::size_t>(this->size(), 1) - 1]; }
  // The next functions return this object after a check of its size.
  const StoredValues& require(std::size_t count) const {
    if (this->size() != count) refuse(count);
    return *this;
  }
  const StoredValues& require_at_least(std::size_t count) const {
    if (this->size() < count) refuse(count);
    return *this;
  }

 private:
  [[noreturn]] void refuse(std::size_t count) const { refuse_count(place_, this->size(), count); }

  std::string place_;
};

/// The number at the beginning of a group's name, such as that of a stage: "01-anneal" is 1.
/// @param place path of the group @throws MachineError if there is no number
Index number_of_group(const std::string& name, const std::string& place);

/// Rows of every series, by path.
using SeriesLengths = std::map<std::string, Index>;

constexpr const char* results_format = "larmor-results";
/// FORMAT: version of the groups and datasets and their contents. tests/reliability/test_layouts.py
/// detects a change.
constexpr Index results_format_version = 11;

/// Reads a results file in the state of its last commit; the run may continue meanwhile. Paths are
/// absolute. Every call throws MachineError if the object is missing or cannot be read.
class ResultsReader {
 public:
  /// @throws InputError if there is no such file or it is not a results file of a known format;
  /// MachineError for lack of permission or a damaged file
  explicit ResultsReader(const std::string& file_path) : ResultsReader(file_path, "") {}
  /// @param group the group that counts as the whole file, such as a point of a scan
  ResultsReader(const std::string& file_path, std::string group);

  bool exists(const std::string& path) const { return file_.exists(at(path)); }
  bool is_group(const std::string& path) const { return file_.is_group(at(path)); }
  /// Names in a group, sorted.
  std::vector<std::string> list(const std::string& path) const { return file_.children(at(path)); }
  DatasetInfo info(const std::string& path) const { return file_.info(at(path)); }
  StoredValues<Index> shape(const std::string& path) const {
    return {info(path).shape, "the shape of " + place(path)};
  }
  Attributes attributes(const std::string& path) const { return file_.attributes(at(path)); }

  /// "'/a/b' of 'results.h5'", for messages.
  std::string place(const std::string& path) const {
    return "'" + at(path) + "' of '" + file_path_ + "'";
  }

  /// The attribute `unit`; empty if there is none.
  std::string unit_of(const std::string& path) const;

  /// A dataset with elements of the stored type.
  DataArray read(const std::string& path) const { return file_.read(at(path)); }
  /// The elements of a dataset, row-major, as T.
  template <Element T>
  StoredValues<T> read(const std::string& path) const {
    return {read(path).convert<T>(), place(path)};
  }
  /// Rows [first, first + count) of the first axis.
  DataArray read_rows(const std::string& path, Index first, Index count) const {
    return file_.read_rows(at(path), first, count);
  }
  template <Element T>
  StoredValues<T> read_rows(const std::string& path, Index first, Index count) const {
    return {read_rows(path, first, count).convert<T>(), place(path)};
  }
  SeriesLengths series_lengths() const;
  /// Must be called before a run continues the file. @throws InputError for a file of an older
  /// format
  void require_this_format() const;

 private:
  std::string at(const std::string& path) const {
    return path == "/" && !group_.empty() ? group_ : group_ + path;
  }

  std::string file_path_;
  Hdf5File file_;
  std::string group_;  ///< empty for the whole file
};

}  // namespace larmor::io
