#pragma once
// The kinds of matter of the program. A new one is a word in kinds.cpp.

#include <vector>

#include "larmor/study/matter.hpp"

namespace larmor::study {

/// The usual one first.
std::vector<const KindOfMatter*> kinds_of_the_program();

}  // namespace larmor::study
