#pragma once
// The starter studies of `larmor new`. The build writes their source from cli/starters.

#include <string>
#include <vector>

namespace larmor::cli {

struct Starter {
  std::string kind;
  std::string ending;  ///< end of the name of its file: ".toml"
  std::string text;    ///< its first line describes it, after the sign of a comment
  struct File {
    std::string name, text;
  };
  std::vector<File> files;  ///< further files, which the study names
};

/// All starters, sorted by kind.
const std::vector<Starter>& starters();

}  // namespace larmor::cli
