#include "larmor/io/results/results_reader.hpp"

#include <fcntl.h>

#include <charconv>
#include <filesystem>
#include <system_error>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/files/input_file.hpp"

namespace larmor::io {
namespace {

namespace fs = std::filesystem;

constexpr const char* remedy = "name the .h5 file that 'larmor run' wrote";

void check_signature(const std::string& file_path) {
  const FileHandle file(file_path, O_RDONLY);
  std::string signature(hdf5_signature.size(), '\0');
  if (file.size() >= signature.size()) file.read_at(0, signature.data(), signature.size());
  if (signature != hdf5_signature)
    throw InputError("'" + file_path + "' is not an HDF5 file", remedy);
}

void check_format(const Hdf5File& file, const std::string& file_path) {
  const Attributes attributes = file.attributes("/");
  const auto format = attributes.find("format");
  const auto version = attributes.find("format_version");
  const auto says_format = [](const DataArray& value) {
    return value.same_type("") && value.size() == 1 && value.text() == results_format;
  };
  if (format == attributes.end() || version == attributes.end() || !says_format(format->second)) {
    throw InputError("'" + file_path + "' is an HDF5 file, but not a results file of Larmor",
                     remedy);
  }
  if (version->second.integer() > results_format_version) {
    throw InputError(
        "'" + file_path + "' has the results format " + std::to_string(version->second.integer()) +
            ", and this version reads formats up to " + std::to_string(results_format_version),
        "use the version of Larmor that wrote the file, or a newer version");
  }
}

Hdf5File open_checked(const std::string& file_path) {
  const fs::file_status status = fs::status(file_path);
  if (!fs::exists(status)) {
    throw InputError("there is no results file '" + file_path + "'", remedy);
  }
  if (!fs::is_regular_file(status)) {
    throw InputError("'" + file_path + "' is not a regular file", remedy);
  }
  check_signature(file_path);
  Hdf5File file(file_path, Hdf5File::Mode::read);
  check_format(file, file_path);
  return file;
}

void collect_lengths(const Hdf5File& file, const std::string& group, SeriesLengths& lengths) {
  for (const auto& name : file.children(group)) {
    const std::string path = (group == "/" ? "" : group) + "/" + name;
    if (file.is_group(path)) {
      collect_lengths(file, path, lengths);
    } else if (const DatasetInfo info = file.info(path); info.extendable) {
      lengths[path] = info.shape.front();
    }
  }
}

}  // namespace

void refuse_count(const std::string& place, std::size_t count, std::size_t needed) {
  throw MachineError(place + " has " + std::to_string(count) + " of " + std::to_string(needed) +
                     " numbers or texts: the file is damaged, or another program changed it");
}

Index number_of_group(const std::string& name, const std::string& place) {
  Index number = 0;
  const auto [stop, failure] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (failure != std::errc{})
    throw MachineError(place +
                       " has no number: the file is damaged, or another program changed it");
  return number;
}

ResultsReader::ResultsReader(const std::string& file_path, std::string group)
    : file_path_(file_path), file_(open_checked(file_path)), group_(std::move(group)) {}

std::string ResultsReader::unit_of(const std::string& path) const {
  const Attributes found = attributes(path);
  const auto unit = found.find("unit");
  return unit == found.end() ? "" : unit->second.text();
}

SeriesLengths ResultsReader::series_lengths() const {
  SeriesLengths lengths;
  collect_lengths(file_, at("/"), lengths);
  return lengths;
}

void ResultsReader::require_this_format() const {
  const Index format = file_.attributes("/").at("format_version").integer();
  if (format == results_format_version) return;
  // Old files can be read, but a continued run would mix two formats.
  throw InputError("'" + file_path_ + "' has the results format " + std::to_string(format) +
                       ", and this version continues runs of the format " +
                       std::to_string(results_format_version),
                   "resume with the version of Larmor that began the run, or run the study again");
}

}  // namespace larmor::io
