#pragma once
// Large arrays that many threads write: in place on a CPU, block by block for a GPU.

#include <algorithm>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/parallel.hpp"

namespace larmor {

/// `size` elements on `device`. fill(first, last, to) writes the elements [first, last) from `to`
/// on. Several threads call `fill` at once, for blocks that begin at multiples of `grain`.
template <class T, class Fill>
Array<T> filled_array(const Device& device, Index size, Index grain, const Fill& fill) {
  Array<T> array(device, size);
  if (device.backend == Backend::cpu) {
    parallel_blocks(device.threads, size, grain,
                    [&](Index first, Index last) { fill(first, last, array.data() + first); });
    return array;
  }
  constexpr Index staged_elements = Index{1} << 24;
  const Index block = std::max<Index>(1, staged_elements / grain) * grain;
  std::vector<T> staged(static_cast<std::size_t>(std::min(block, size)));
  for (Index begin = 0; begin < size; begin += block) {
    const Index count = std::min(block, size - begin);
    parallel_blocks(device.threads, count, grain, [&](Index first, Index last) {
      fill(begin + first, begin + last, staged.data() + first);
    });
    array.copy_range_from(std::span<const T>(staged).first(static_cast<std::size_t>(count)), begin);
  }
  return array;
}

}  // namespace larmor
