#pragma once
// All formats of other programs that a study may come from.

#include <optional>
#include <string>

#include "larmor/imports/import.hpp"

namespace larmor::imports {

/// The study that a file of another program describes; nothing if the file has none of the formats.
/// A file with the ending `.toml` is a study, and so is a pipe.
/// @throws InputError for a mistake in the file, for keywords that Larmor cannot follow, and for
/// texts that are not UTF-8
std::optional<Import> import_file(const std::string& path, const ImportOptions& options = {});

/// The study with its paths relative to the folder `to`. @param from folder of the input
Value with_paths_from(const Value& study, const std::string& from, const std::string& to);

/// "UppASD, Vampire"
std::string names_of_programs();

/// The study as TOML. A comment behind each key shows the line that the key comes from.
std::string commented_toml(const Import& import);

}  // namespace larmor::imports
