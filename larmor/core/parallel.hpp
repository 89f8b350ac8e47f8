#pragma once
// Loops over independent pieces of work that may fail.

#include <exception>
#include <mutex>

#include "larmor/core/types.hpp"

namespace larmor {

/// body(i) for every i in [0, count) on `threads` threads, in any order. An exception may not leave
/// an OpenMP region: the first one ends the loop and is thrown again here.
template <class Body>
void parallel_for(int threads, Index count, const Body& body) {
  std::exception_ptr failure;
  std::mutex guard;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index i = 0; i < count; ++i) {
    bool failed;
    {
      const std::lock_guard lock(guard);
      failed = failure != nullptr;
    }
    if (failed) continue;
    try {
      body(i);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

/// body(first, last) for pieces of [0, count) that begin at multiples of `grain`, as parallel_for.
template <class Body>
void parallel_pieces(int threads, Index count, Index grain, const Body& body) {
  constexpr Index worth_a_piece = 1 << 16;
  const Index piece = (worth_a_piece + grain - 1) / grain * grain;
  parallel_for(threads, (count + piece - 1) / piece, [&](Index n) {
    body(n * piece, (n + 1) * piece < count ? (n + 1) * piece : count);
  });
}

}  // namespace larmor
