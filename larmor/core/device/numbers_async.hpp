#pragma once
// The numbers of an array, on their way from its device.

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"

namespace larmor {

/// As they are once everything launched before is done.
inline Pending numbers_async(const Array<double>& numbers) {
  if (numbers.device().backend == Backend::cpu) return Pending(numbers.to_host());
  return {numbers.device(), numbers.data(), numbers.size()};
}

}  // namespace larmor
