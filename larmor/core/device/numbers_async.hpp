#pragma once
// The numbers of an array as Pending.

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"

namespace larmor {

/// Their values once all earlier launches are done.
inline Pending numbers_async(const Array<double>& numbers) {
  if (numbers.device().backend == Backend::cpu) return Pending(numbers.to_host());
  return {numbers.device(), numbers.data(), numbers.size()};
}

}  // namespace larmor
