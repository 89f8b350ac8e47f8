#pragma once
// Labels of states from whole numbers, such as the place of a minimum in steps of a grid.

#include <span>

#include "larmor/core/fnv_hash.hpp"
#include "larmor/parsplice/segment_system.hpp"

namespace larmor::parsplice {

/// BITS: the label is a part of random keys.
inline StateLabel label_of(std::span<const Index> numbers) {
  return fnv_hash({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
}

}  // namespace larmor::parsplice
