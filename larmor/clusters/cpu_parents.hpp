#pragma once
// Access of CPU threads to a forest.

#include <atomic>
#include <cstdint>

namespace larmor::clusters {

/// Trees that only one thread uses.
struct OwnParents {
  std::uint32_t* parent;
  std::uint32_t load(std::uint32_t site) const { return parent[site]; }
  void store(std::uint32_t site, std::uint32_t to) const { parent[site] = to; }
  std::uint32_t hook(std::uint32_t root, std::uint32_t to) const {
    parent[root] = to;
    return root;
  }
};

/// Trees that several threads unite at the same time.
struct SharedParents {
  std::uint32_t* parent;
  std::uint32_t load(std::uint32_t site) const {
    return std::atomic_ref(parent[site]).load(std::memory_order_relaxed);
  }
  void store(std::uint32_t site, std::uint32_t to) const {
    std::atomic_ref(parent[site]).store(to, std::memory_order_relaxed);
  }
  std::uint32_t hook(std::uint32_t root, std::uint32_t to) const {
    std::uint32_t expected = root;
    std::atomic_ref(parent[root]).compare_exchange_strong(expected, to, std::memory_order_relaxed);
    return expected;
  }
};

}  // namespace larmor::clusters
