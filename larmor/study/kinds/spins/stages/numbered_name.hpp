#pragma once
// Names in the results of several measurements of one kind.

#include <string>

#include "larmor/core/types.hpp"

namespace larmor::study {

/// The first has no number. @param number from 1
inline std::string numbered_name(const std::string& name, Index number) {
  return number == 1 ? name : name + "-" + std::to_string(number);
}

}  // namespace larmor::study
