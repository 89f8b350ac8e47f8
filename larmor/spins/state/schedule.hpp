#pragma once
// Distribution of the blocks of replicas over threads. Results never depend on the distribution.

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

/// Calls work(device, first block, last block) until every block is done. If there are several
/// small blocks, they run in parallel, one in each thread. Otherwise blocks run one after the
/// other, and all threads share a block, so that its data stay in cache. A GPU processes all blocks
/// at once.
template <class Work>
void for_each_block(const Device& device, const SpinLayout& layout, const Work& work) {
  constexpr Index sites_worth_splitting = 4096;
  const Index blocks = layout.blocks();
  if (device.backend == Backend::cuda) return work(device, Index{0}, blocks);
  const bool owns_all_sites = layout.domain == nullptr;
  if (owns_all_sites && device.threads > 1 && blocks > 1 && layout.sites < sites_worth_splitting) {
    Device one = device;
    one.threads = 1;
    parallel_for(device.threads, blocks, [&](Index block) { work(one, block, block + 1); });
    return;
  }
  for (Index block = 0; block < blocks; ++block) work(device, block, block + 1);
}

}  // namespace larmor::spins
