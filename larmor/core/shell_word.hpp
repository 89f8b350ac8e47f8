#pragma once
// Names of files for commands that a message proposes.

#include <string>

namespace larmor {

/// The name of a file as a shell reads it, quoted only if necessary: 'my run.h5', ./-x.h5
std::string shell_word(const std::string& name);

}  // namespace larmor
