#pragma once
// For tests of several ranks. The ranks are threads of one process and count the bytes that they
// send.

#include "larmor/core/ranks/thread_ranks.hpp"

namespace larmor::testing_support {

/// Calls work(world, thread) on several ranks at once. @throws the exception of the first rank that
/// fails
template <class Work>
void on_ranks(int ranks, const Work& work) {
  on_thread_ranks(ranks, [&](ThreadRank& thread) { work(Communicator(thread), thread); });
}

}  // namespace larmor::testing_support
