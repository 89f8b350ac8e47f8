#pragma once
// Studies from the inputs of other programs.

#include <string>
#include <vector>

#include "larmor/core/input/value.hpp"

namespace larmor::imports {

struct ImportOptions {
  /// Also the anisotropic couplings of a file that leaves a part of them undefined.
  bool anisotropic = false;
};

/// The input of another program as a study.
struct Import {
  std::string program;  ///< the other program, such as "UppASD"
  /// The tables of the study, in material units. Places of keys and values lie in the files of the
  /// other program.
  Value study;
  /// For users: conventions that were taken, and keywords that have no effect here.
  std::vector<std::string> notes;
};

}  // namespace larmor::imports
