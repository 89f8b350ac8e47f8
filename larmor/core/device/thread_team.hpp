#pragma once
// Threads that share a loop. Every calling thread has helpers of its own, started when they are
// first needed. A loop is cut into pieces, and each thread has a share of them, which it does
// before it takes over pieces of others. The caller waits only for pieces that a helper has begun,
// and does alone what none begins: a helper that gets no processor holds up one piece, and one that
// gets none before the loop ends holds up nothing.

#include "larmor/core/types.hpp"

namespace larmor {

/// Does [first, last) of a loop. May not throw.
using LoopWork = void (*)(const void* loop, Index first, Index last);

/// work(loop, first, last) for so many pieces of [0, count) of equal length, on up to `threads`
/// threads; returns when all are done. Inside another such loop: on the calling thread alone.
void share_loop(int threads, Index count, Index pieces, LoopWork work, const void* loop);

/// The same of short work, about 100 ns for each number: in pieces of many, and not shared at all
/// where the caller alone is as fast.
void share_short_work(int threads, Index count, LoopWork work, const void* loop);

/// Is this thread inside such a loop, shared with others?
bool in_shared_loop();

/// Of this thread among those of such a loop, from 0 up, below its `threads`. Elsewhere: 0.
int thread_number();

}  // namespace larmor
