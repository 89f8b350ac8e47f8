#pragma once
// Tests of several ranks, which are threads of one process and count what they send.

#include "larmor/core/ranks/thread_ranks.hpp"

namespace larmor::testing_support {

/// work(world, thread) on so many ranks at once. @throws what the first that fails throws
template <class Work>
void on_ranks(int ranks, const Work& work) {
  on_thread_ranks(ranks, [&](ThreadOfRanks& thread) { work(Communicator(thread), thread); });
}

}  // namespace larmor::testing_support
