#pragma once
// Teams of threads that share a loop. Every calling thread has its own helpers, started when first
// needed. A loop is divided into blocks. Each thread does its share of the blocks first, then
// blocks of other shares. The caller waits only for blocks that a helper has begun, and does all
// others itself. So a helper without a processor delays at most one block, or none if it has begun
// none.

#include "larmor/core/types.hpp"

namespace larmor {

/// Does [first, last) of a loop. It must not throw.
using LoopWork = void (*)(const void* loop, Index first, Index last);

/// Calls work(loop, first, last) for blocks of [0, count) of equal length, on up to `threads`
/// threads, and returns when all are done. Inside another such loop, only the calling thread works.
/// @param blocks number of blocks
void share_loop(int threads, Index count, Index blocks, LoopWork work, const void* loop);

/// Shares a loop whose work takes about 100 ns per number. Blocks are larger than in share_loop. If
/// one thread is as fast, the calling thread does all the work.
void share_short_work(int threads, Index count, LoopWork work, const void* loop);

/// Is this thread inside such a shared loop?
bool in_shared_loop();

/// Number of this thread in such a loop, from 0 to `threads` - 1; 0 outside loops.
int thread_number();

}  // namespace larmor
