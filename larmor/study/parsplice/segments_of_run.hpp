#pragma once
// The file of segments next to the results of a run: RESULTS.segments.

#include <cstdint>
#include <optional>
#include <string>

namespace larmor::study {

/// "results.h5" -> "results.h5.segments". If the results are a link, the file is next to the file
/// behind the link.
std::string segments_path(const std::string& results);

/// Is this a file of segments?
bool has_segments(const std::string& file);
/// Does this file hold the segments of the run?
bool has_segments_of(const std::string& file, std::uint64_t run);

/// Must be called before a run begins. @param replaced the run whose results will be replaced
/// @throws InputError if there is any other file at the path of the segments
void require_no_segments(const std::string& results, const std::optional<std::uint64_t>& replaced);

/// Removes the segments of this run next to the results.
void remove_segments_of(const std::string& results, std::uint64_t run);

/// Removes a file, and the journals of SQLite if there are any.
void remove_with_journals(const std::string& file);

}  // namespace larmor::study
