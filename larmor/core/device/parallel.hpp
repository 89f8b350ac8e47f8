#pragma once
// Parallel loops over independent work that may throw.

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "larmor/core/device/thread_team.hpp"

namespace larmor {

/// The first exception among several threads.
class FirstFailure {
 public:
  bool has_failed() const { return has_failed_.load(std::memory_order_relaxed); }
  /// Stores the current exception, if it is the first.
  void store_current() {
    const std::lock_guard lock(guard_);
    if (!failure_) failure_ = std::current_exception();
    has_failed_.store(true, std::memory_order_relaxed);
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::atomic<bool> has_failed_ = false;
  std::mutex guard_;
  std::exception_ptr failure_;
};

/// Calls body(i) for every i in [0, count) on `threads` threads, in any order. The first exception
/// ends the loop, and the calling thread throws it again.
template <class Body>
void parallel_for(int threads, Index count, const Body& body) {
  // Enough blocks that threads end together even if blocks take unequal times.
  constexpr Index blocks_of_thread = 64;
  struct Loop {
    const Body* body;
    FirstFailure* failure;
  };
  const auto work = [](const void* context, Index first, Index last) {
    const Loop& loop = *static_cast<const Loop*>(context);
    try {
      for (Index i = first; i < last && !loop.failure->has_failed(); ++i) (*loop.body)(i);
    } catch (...) {
      loop.failure->store_current();
    }
  };
  FirstFailure failure;
  const Loop loop{&body, &failure};
  share_loop(threads, count, std::min(count, threads * blocks_of_thread), work, &loop);
  failure.rethrow();
}

/// Calls body(first, last) for blocks of [0, count) that begin at multiples of `grain`. Threads and
/// exceptions are as in parallel_for.
template <class Body>
void parallel_blocks(int threads, Index count, Index grain, const Body& body) {
  constexpr Index worth_a_block = 1 << 16;
  const Index block = (worth_a_block + grain - 1) / grain * grain;
  parallel_for(threads, (count + block - 1) / block, [&](Index n) {
    body(n * block, (n + 1) * block < count ? (n + 1) * block : count);
  });
}

}  // namespace larmor
