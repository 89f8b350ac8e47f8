#pragma once
// The file of a study as a tree of values: a study itself, or the input of another program.

#include <string>
#include <vector>

#include "larmor/core/input/value.hpp"

namespace larmor::study {

struct StudyDocument {
  Value value;
  std::string text;                ///< TOML, as the results store it
  std::vector<std::string> notes;  ///< for users, about an input of another program
};

/// @throws InputError with the position of the first mistake; MachineError if the file cannot be
/// read
StudyDocument read_document(const std::string& path);

}  // namespace larmor::study
