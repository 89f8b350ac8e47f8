// Loops that threads share. Each block of a loop runs once, on any thread. No thread waits for a
// thread that has no block.
// Rooms: core

#include "larmor/core/device/thread_team.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "larmor/core/device/parallel.hpp"

namespace {

using namespace larmor;

/// Counts how often each index of a loop is visited.
struct Visits {
  explicit Visits(Index count) : of(static_cast<std::size_t>(count)) {}

  static void add(const void* visits, Index first, Index last) {
    for (Index i = first; i < last; ++i)
      static_cast<const Visits*>(visits)->of[static_cast<std::size_t>(i)].fetch_add(1);
  }
  static void add_slowly(const void* visits, Index first, Index last) {
    std::this_thread::sleep_for(std::chrono::microseconds(20 * (last - first)));
    add(visits, first, last);
  }
  bool all_once() const {
    for (const auto& n : of)
      if (n != 1) return false;
    return true;
  }

  mutable std::vector<std::atomic<int>> of;
};

/// Calls body(first, last) through share_loop.
template <class Body>
void share(int threads, Index count, Index pieces, const Body& body) {
  share_loop(
      threads, count, pieces,
      [](const void* context, Index first, Index last) {
        (*static_cast<const Body*>(context))(first, last);
      },
      &body);
}

/// Waits until other threads make a condition true, with a time limit.
template <class Condition>
void wait_until(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}

TEST(ThreadTeam, DoesEveryNumberOnceForAnyNumberOfThreadsAndPieces) {
  for (const int threads : {1, 2, 3, 8, 33})
    for (const Index count : {0, 1, 2, 7, 64, 1000})
      for (const Index pieces : {1, 2, 5, 16, 64, 2000}) {
        const Visits visits(count);
        share_loop(threads, count, pieces, Visits::add, &visits);
        EXPECT_TRUE(visits.all_once()) << threads << ' ' << count << ' ' << pieces;
      }
  const Visits many(200'000);
  share_loop(3, 200'000, 200'000, Visits::add, &many);
  EXPECT_TRUE(many.all_once());
}

TEST(ThreadTeam, DoesShortWorkOnce) {
  for (const int threads : {1, 2, 5})
    for (Index count = 0; count < 100; ++count)
      for (const LoopWork work : {Visits::add, Visits::add_slowly}) {
        const Visits visits(count);
        share_short_work(threads, count, work, &visits);
        EXPECT_TRUE(visits.all_once()) << threads << ' ' << count;
      }
}

TEST(ThreadTeam, SharesFewNumbersThatAreMuchWork) {
  struct Meeting {
    mutable std::atomic<int> present = 0;
    mutable std::atomic<bool> met = false;
  };
  const Meeting meeting;
  share_short_work(
      2, 3,
      [](const void* context, Index first, Index) {
        const Meeting& of = *static_cast<const Meeting*>(context);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (first == 0) return;
        ++of.present;
        wait_until([&] { return of.present == 2; });
        of.met = of.present == 2;
      },
      &meeting);
  EXPECT_TRUE(meeting.met);
}

TEST(ThreadTeam, LoopsFollowOneAnother) {
  // Each loop has another number of threads and blocks. A helper that is late finds the next loop.
  Index sum = 0;
  std::vector<Index> of_piece(40);
  constexpr int loops = 20'000;
  for (int loop = 0; loop < loops; ++loop) {
    const Index count = 1 + loop % 40;
    share(1 + loop % 5, count, 1 + loop % 7, [&](Index first, Index last) {
      for (Index i = first; i < last; ++i) of_piece[static_cast<std::size_t>(i)] = loop;
    });
    for (Index i = 0; i < count; ++i) sum += of_piece[static_cast<std::size_t>(i)] == loop;
  }
  EXPECT_EQ(sum, loops / 40 * (40 * 41 / 2));
}

TEST(ThreadTeam, TheCallerTakesOverWhatAHelperHasNotBegun) {
  // The helper waits in its first block until all other blocks are done.
  constexpr Index pieces = 16;
  std::atomic<int> alone = 0;
  for (int loop = 0; loop < 100 && alone == 0; ++loop) {
    std::atomic<Index> done = 0;
    share(2, pieces, pieces, [&](Index, Index) {
      if (thread_number() == 1) {
        wait_until([&] { return done == pieces - 1; });
        if (done != pieces - 1) ++alone;
      }
      ++done;
    });
  }
  EXPECT_EQ(alone, 0);
}

TEST(ThreadTeam, AHelperTakesOverWhatTheCallerHasNotBegun) {
  constexpr Index pieces = 16;
  std::atomic<Index> done = 0;
  share(2, pieces, pieces, [&](Index, Index) {
    if (thread_number() == 0) {
      wait_until([&] { return done == pieces - 1; });
      EXPECT_EQ(done, pieces - 1);
    }
    ++done;
  });
}

TEST(ThreadTeam, TheCallerDoesAllWhereNoHelperIs) {
  share(4, 100, 100, [](Index, Index) {});  // starts helpers, which a forked process lacks
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    std::atomic<Index> done = 0;
    share(4, 100, 100, [&](Index first, Index last) { done += last - first; });
    ::_exit(done == 100 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(ThreadTeam, LoopsInsideLoopsStayOnTheirThread) {
  EXPECT_FALSE(in_shared_loop());
  std::atomic<int> wrong = 0;
  share(3, 30, 30, [&](Index, Index) {
    const std::thread::id here = std::this_thread::get_id();
    const int number = thread_number();
    if (!in_shared_loop()) ++wrong;
    share(2, 10, 10, [&](Index, Index) {
      if (std::this_thread::get_id() != here || thread_number() != 0) ++wrong;
    });
    if (thread_number() != number || !in_shared_loop()) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_FALSE(in_shared_loop());
}

TEST(ThreadTeam, NumbersOfThreadsAreTheirOwn) {
  constexpr int threads = 4;
  std::vector<std::atomic<int>> users(threads);
  std::atomic<int> wrong = 0;
  share(threads, 1000, 1000, [&](Index, Index) {
    auto& mine = users.at(static_cast<std::size_t>(thread_number()));
    if (++mine != 1) ++wrong;
    std::this_thread::yield();
    --mine;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadTeam, SeveralCallersAtOnceHaveTheirOwnLoops) {
  constexpr int callers = 4, loops = 500;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> caller;
  for (int c = 0; c < callers; ++c)
    caller.emplace_back([&] {
      for (int loop = 0; loop < loops; ++loop) {
        const Visits visits(50);
        share_loop(3, 50, 12, Visits::add, &visits);
        if (!visits.all_once()) ++wrong;
      }
    });
  for (std::thread& thread : caller) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadTeam, AnExceptionEndsTheLoopAndIsThrownAgain) {
  for (const int threads : {1, 2, 4}) {
    std::atomic<Index> done = 0;
    const auto body = [&](Index i) {
      if (i % 100 == 50) throw std::runtime_error("at fifty");
      ++done;
    };
    EXPECT_THROW(parallel_for(threads, 1'000'000, body), std::runtime_error);
    EXPECT_LT(done, 999'999 / 2);
    done = 0;
    parallel_for(threads, 50, body);
    EXPECT_EQ(done, 50);
  }
}

}  // namespace
