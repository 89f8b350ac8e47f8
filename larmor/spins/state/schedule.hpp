#pragma once
// How the blocks of replicas are spread over threads. The result never depends on it.

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

/// Calls work(device, first block, last block) until every block is done: whole blocks side by side
/// when they are small and many, otherwise one block after the other (its data stay in cache) with
/// all threads inside. A GPU does all at once.
template <class Work>
void for_each_block(const Device& device, const SpinLayout& layout, const Work& work) {
  constexpr Index sites_worth_splitting = 4096;
  const Index blocks = layout.blocks();
  if (device.backend == Backend::cuda) return work(device, Index{0}, blocks);
  const bool alone = layout.domain == nullptr;
  if (alone && device.threads > 1 && blocks > 1 && layout.sites < sites_worth_splitting) {
    Device one = device;
    one.threads = 1;
    parallel_for(device.threads, blocks, [&](Index block) { work(one, block, block + 1); });
    return;
  }
  for (Index block = 0; block < blocks; ++block) work(device, block, block + 1);
}

}  // namespace larmor::spins
