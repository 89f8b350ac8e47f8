#pragma once
// Names as commands that a message proposes take them.

#include <string>

namespace larmor {

/// The word as a shell reads it: quoted only if it must be, as 'my run.h5'.
std::string shell_word(const std::string& word);

}  // namespace larmor
