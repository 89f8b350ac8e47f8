#include "larmor/study/parsplice/segments_of_run.hpp"

#include <filesystem>

#include "larmor/core/error.hpp"
#include "larmor/io/files/durable_file.hpp"
#include "larmor/parsplice/segment_file.hpp"

namespace larmor::study {

std::string segments_path(const std::string& results) {
  return io::file_behind(results) + ".segments";
}

bool has_segments(const std::string& file) {
  return parsplice::owner_of_segments(file).has_value();
}

bool has_segments_of(const std::string& file, std::uint64_t run) {
  return parsplice::owner_of_segments(file) == run;
}

void require_no_segments(const std::string& results, const std::optional<std::uint64_t>& replaced) {
  const std::string path = segments_path(results);
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown) || (replaced && has_segments_of(path, *replaced)))
    return;
  if (has_segments(path))
    throw InputError(
        "'" + path + "' has the segments of another run",
        "move this file to the results of that run, remove it, or choose another --output");
  throw InputError("'" + path + "' exists and has no segments of Larmor",
                   "move this file, or choose another --output");
}

void remove_segments_of(const std::string& results, std::uint64_t run) {
  const std::string path = segments_path(results);
  if (has_segments_of(path, run)) remove_with_journals(path);
}

void remove_with_journals(const std::string& file) { parsplice::remove_segments(file); }

}  // namespace larmor::study
