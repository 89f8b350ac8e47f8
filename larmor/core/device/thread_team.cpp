#include "larmor/core/device/thread_team.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <climits>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace larmor {
namespace {

using Clock = std::chrono::steady_clock;
using Count = std::atomic<std::uint64_t>;
static_assert(sizeof(Count) == 8 && Count::is_always_lock_free);

/// Longest busy wait of a thread. This time is longer than the gaps between loops of a sweep, and
/// much shorter than the milliseconds of a time slice of the operating system.
constexpr std::chrono::microseconds spin_time(100);

constexpr std::size_t cache_line = 64;

void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// Waits busily for a short time. @return whether the condition became true
template <class Condition>
bool becomes_true_soon(std::chrono::microseconds longest, const Condition& condition) {
  constexpr int looks_between_clocks = 32;
  if (condition()) return true;
  if (longest.count() == 0) return false;
  const auto end = Clock::now() + longest;
  do {
    for (int n = 0; n < looks_between_clocks; ++n) {
      pause_processor();
      if (condition()) return true;
    }
  } while (Clock::now() < end);
  return false;
}

/// Address of the low half of a number, on which the operating system can put threads to sleep.
void* low_half(Count& number) {
  static_assert(std::endian::native == std::endian::little);
  return &number;
}

/// Sleeps until another thread wakes this one. Returns at once if the number differs from `value`,
/// and may return too early. (std::atomic::wait first waits busily, for a time that the library
/// chooses.)
void sleep_while(Count& number, std::uint64_t value) {
  const auto low = static_cast<std::uint32_t>(value);
  syscall(SYS_futex, low_half(number), FUTEX_WAIT_PRIVATE, low, nullptr, nullptr, 0);
}

void wake_all(Count& number) {
  syscall(SYS_futex, low_half(number), FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

/// Processors that this process may use.
int processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

thread_local bool inside = false;
thread_local int number_here = 0;

/// The parameters of a loop.
struct Loop {
  int threads;
  Index first, count, blocks;
  LoopWork work;
  const void* context;

  Index begin_of_share(int n) const { return blocks * n / threads; }
  void do_block(Index n) const {
    work(context, first + count * n / blocks, first + count * (n + 1) / blocks);
  }
};

/// A Loop that one thread writes while others may read it.
class SharedLoop {
 public:
  void write(const Loop& loop) {
    threads_.store(loop.threads, std::memory_order_release);
    first_.store(loop.first, std::memory_order_release);
    count_.store(loop.count, std::memory_order_release);
    blocks_.store(loop.blocks, std::memory_order_release);
    work_.store(loop.work, std::memory_order_release);
    context_.store(loop.context, std::memory_order_release);
  }
  Loop read() const {
    return {threads_.load(std::memory_order_acquire), first_.load(std::memory_order_acquire),
            count_.load(std::memory_order_acquire),   blocks_.load(std::memory_order_acquire),
            work_.load(std::memory_order_acquire),    context_.load(std::memory_order_acquire)};
  }

 private:
  std::atomic<int> threads_ = 1;
  std::atomic<Index> first_ = 0, count_ = 0, blocks_ = 1;
  std::atomic<LoopWork> work_ = nullptr;
  std::atomic<const void*> context_ = nullptr;
};

/// The blocks of one thread's share that have not begun.
class alignas(cache_line) Share {
 public:
  /// Does those blocks of [first, end) that no thread has begun, for the loop with this number.
  /// @return the number of blocks that this thread did
  Index do_blocks(const Loop& loop, std::uint64_t number, Index first, Index end) {
    std::uint64_t word = word_.load(std::memory_order_acquire);
    Index done = 0;
    while (number_of(word) <= number) {
      // If the number is older, no thread has begun a block of this share, and older loops have no
      // blocks left.
      const Index block = number_of(word) < number ? first : next_of(word);
      if (block >= end) break;
      const std::uint64_t next = number << bits_of_block | static_cast<std::uint64_t>(block + 1);
      if (!word_.compare_exchange_weak(word, next, std::memory_order_acq_rel)) continue;
      word = next;
      loop.do_block(block);
      ++done;
    }
    return done;
  }

  static constexpr Index most_blocks = 0xffff;

 private:
  static constexpr int bits_of_block = 16;
  static std::uint64_t number_of(std::uint64_t word) { return word >> bits_of_block; }
  static Index next_of(std::uint64_t word) { return static_cast<Index>(word & most_blocks); }

  Count word_ = 0;  ///< number of a loop, and the next block of this share
};

class Team {
 public:
  explicit Team(int threads)
      : share_(static_cast<std::size_t>(threads)),
        spin_time_(threads > processors() ? std::chrono::microseconds(0) : spin_time) {
    try {
      for (int n = 1; n < threads; ++n) helper_.emplace_back([this, n] { help(n); });
    } catch (const std::system_error&) {
      // The machine allows no more threads; the existing helpers suffice.
    }
  }

  ~Team() {
    stops_.store(true, std::memory_order_relaxed);
    number_.fetch_add(1, std::memory_order_seq_cst);
    wake_all(number_);
    for (std::thread& helper : helper_) {
      // After a fork, the child process has no helpers.
      if (getpid() == process_) {
        helper.join();
      } else {
        helper.detach();
      }
    }
  }

  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return static_cast<int>(share_.size()); }

  void run(const Loop& loop) {
    const std::uint64_t number = number_.load(std::memory_order_relaxed) + 1;
    publish(loop, number);
    inside = true;
    Index own = 0;
    for (int n = 0; n < loop.threads; ++n) own += do_share(loop, number, n);
    inside = false;
    wait_for_others(static_cast<std::uint64_t>(loop.blocks - own));
  }

 private:
  static constexpr std::uint64_t caller_sleeps = 1u << 31;

  void publish(const Loop& loop, std::uint64_t number) {
    loop_[number % 2].write(loop);
    finished_.store(0, std::memory_order_relaxed);
    // Either a helper that is about to sleep sees the number, or this thread sees that it sleeps.
    number_.store(number, std::memory_order_seq_cst);
    if (asleep_.load(std::memory_order_seq_cst) <= woken_) return;
    wake_all(number_);
    woken_ = number;
  }

  Index do_share(const Loop& loop, std::uint64_t number, int owner) {
    return share_[static_cast<std::size_t>(owner)].do_blocks(
        loop, number, loop.begin_of_share(owner), loop.begin_of_share(owner + 1));
  }

  void help(int self) {
    inside = true;
    number_here = self;
    for (std::uint64_t seen = 0;;) {
      const auto is_called = [&] { return number_.load(std::memory_order_acquire) != seen; };
      while (!becomes_true_soon(spin_time_, is_called)) {
        announce_sleep(seen + 1);
        sleep_while(number_, seen);
      }
      seen = number_.load(std::memory_order_acquire);
      if (stops_.load(std::memory_order_relaxed)) return;
      const Loop loop = loop_[seen % 2].read();
      // The loop that was read has the number `seen`, unless the caller has already published the
      // next loop.
      if (number_.load(std::memory_order_relaxed) != seen) continue;
      for (int n = 0; n < loop.threads && self < loop.threads; ++n)
        report_finished(do_share(loop, seen, (self + n) % loop.threads));
    }
  }

  /// Announces that a helper sleeps until loop `next`. The caller has already woken helpers that
  /// slept until an earlier loop.
  void announce_sleep(std::uint64_t next) {
    std::uint64_t latest = asleep_.load(std::memory_order_relaxed);
    while (latest < next &&
           !asleep_.compare_exchange_weak(latest, next, std::memory_order_seq_cst)) {
    }
  }

  void report_finished(Index blocks) {
    if (blocks == 0) return;
    const std::uint64_t before =
        finished_.fetch_add(static_cast<std::uint64_t>(blocks), std::memory_order_acq_rel);
    if (before & caller_sleeps) wake_all(finished_);
  }

  void wait_for_others(std::uint64_t blocks) {
    const auto all_done = [&] { return finished_.load(std::memory_order_acquire) == blocks; };
    if (becomes_true_soon(spin_time_, all_done)) return;
    for (;;) {
      const std::uint64_t now =
          finished_.fetch_or(caller_sleeps, std::memory_order_acq_rel) | caller_sleeps;
      if (now == (blocks | caller_sleeps)) return;
      sleep_while(finished_, now);
    }
  }

  std::vector<Share> share_;
  const std::chrono::microseconds spin_time_;  ///< zero if threads outnumber processors
  const pid_t process_ = getpid();
  SharedLoop loop_[2];  ///< loops of even and odd number: a helper may still read the previous loop
  std::atomic<bool> stops_ = false;
  alignas(cache_line) Count number_ = 0;    ///< number of the latest loop
  Count asleep_ = 0;                        ///< latest loop for which a helper sleeps or has slept
  std::uint64_t woken_ = 0;                 ///< latest loop for which helpers were woken up
  alignas(cache_line) Count finished_ = 0;  ///< blocks that helpers did, and `caller_sleeps`
  std::vector<std::thread> helper_;
};

/// The team of this thread.
Team& team_of(int threads) {
  thread_local std::unique_ptr<Team> team;
  if (!team || team->threads() < threads) {
    team.reset();
    team = std::make_unique<Team>(threads);
  }
  return *team;
}

/// Blocks of a thread's share. If the thread loses its processor, other threads can do all blocks
/// except one.
constexpr Index blocks_of_share = 8;

void share(int threads, Index first, Index count, Index blocks, LoopWork work,
           const void* context) {
  blocks = std::min({blocks, count, Share::most_blocks});
  if (count <= 0) return;
  if (threads <= 1 || blocks <= 1 || inside) {
    const int outer = std::exchange(number_here, 0);
    work(context, first, first + count);
    number_here = outer;
    return;
  }
  const auto useful = static_cast<int>(std::min<Index>(threads, blocks));
  // The shares become equal.
  if (blocks < count) blocks -= blocks % useful;
  team_of(threads).run({useful, first, count, blocks, work, context});
}

}  // namespace

void share_loop(int threads, Index count, Index blocks, LoopWork work, const void* loop) {
  share(threads, 0, count, blocks, work, loop);
}

void share_short_work(int threads, Index count, LoopWork work, const void* loop) {
  constexpr Index worth_a_block = 16, surely_worth_sharing = 2 * worth_a_block;
  using Nanoseconds = std::chrono::duration<double, std::nano>;
  constexpr double most_ns_of_one_thread = 3000, ns_of_block = 1000;
  const Index most_blocks = threads * blocks_of_share;
  if (threads <= 1 || count < 2 || inside) {
    share(1, 0, count, 1, work, loop);
  } else if (count >= surely_worth_sharing) {
    share(threads, 0, count, std::min(count / worth_a_block, most_blocks), work, loop);
  } else {
    // If there are few numbers, each may be much work. So the first one is timed.
    const auto start = Clock::now();
    work(loop, 0, 1);
    const double rest = Nanoseconds(Clock::now() - start).count() * static_cast<double>(count - 1);
    const auto blocks = static_cast<Index>(rest / ns_of_block);
    share(rest < most_ns_of_one_thread ? 1 : threads, 1, count - 1,
          std::min({blocks, count - 1, most_blocks}), work, loop);
  }
}

bool in_shared_loop() { return inside; }
int thread_number() { return number_here; }

}  // namespace larmor
