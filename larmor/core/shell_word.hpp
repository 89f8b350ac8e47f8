#pragma once
// Names as commands that a message proposes take them.

#include <string>

namespace larmor {

/// The name of a file as a shell reads it, quoted only if it must be: 'my run.h5', ./-x.h5
std::string shell_word(const std::string& name);

}  // namespace larmor
