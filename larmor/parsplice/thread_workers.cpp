#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "larmor/core/error.hpp"
#include "larmor/parsplice/workers.hpp"

namespace larmor::parsplice {

/// Threads take tasks one at a time, so a slow segment delays no other worker.
struct ThreadWorkers::Team {
  explicit Team(Splicing& of) : splicing(of) {}
  ~Team() {
    {
      const std::lock_guard lock(mutex);
      stop = true;
    }
    changed.notify_all();
  }

  void work() {
    using Clock = std::chrono::steady_clock;
    try {
      while (const std::optional<SegmentTask> task = next_task()) {
        const auto begin = Clock::now();
        std::optional<Segment> segment =
            made_segment(splicing.system(), splicing.rule(), *task, stop);
        const std::lock_guard lock(mutex);
        if (!segment) {
          splicing.lose(task->name);
          break;
        }
        busy_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
        splicing.deliver(std::move(*segment));
        // Segments that still run are of no use after the goal.
        if (splicing.has_reached_goal()) stop = true;
        changed.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      stop = true;
      changed.notify_all();
    }
  }

  /// Waits for a task. None after the goal, an error or a stop.
  std::optional<SegmentTask> next_task() {
    std::unique_lock lock(mutex);
    std::optional<SegmentTask> task;
    changed.wait(lock, [&] {
      if (stop || splicing.has_reached_goal()) return true;
      task = splicing.next_task();
      return task.has_value();
    });
    return task;
  }

  Splicing& splicing;
  std::mutex mutex;
  std::condition_variable changed;
  std::exception_ptr error;
  std::atomic<bool> stop{false};
  double busy_seconds = 0;
  std::vector<std::jthread> threads{};
};

ThreadWorkers::ThreadWorkers(Splicing& splicing, int threads)
    : team_(std::make_unique<Team>(splicing)) {
  if (threads < 1)
    throw InputError("there are " + std::to_string(threads) + " workers", "at least one worker");
  for (int i = 0; i < threads; ++i)
    team_->threads.emplace_back([team = team_.get()] { team->work(); });
}

ThreadWorkers::~ThreadWorkers() = default;

bool ThreadWorkers::run_for(std::chrono::milliseconds time) {
  std::unique_lock lock(team_->mutex);
  team_->changed.wait_for(lock, time,
                          [&] { return team_->error || team_->splicing.has_reached_goal(); });
  if (team_->error) std::rethrow_exception(team_->error);
  return team_->splicing.has_reached_goal();
}

void ThreadWorkers::between_deliveries(const std::function<void(Splicing&)>& work) {
  const std::lock_guard lock(team_->mutex);
  work(team_->splicing);
}

double ThreadWorkers::busy_seconds() const {
  const std::lock_guard lock(team_->mutex);
  return team_->busy_seconds;
}

void run_on_threads(Splicing& splicing, int threads) {
  ThreadWorkers workers(splicing, threads);
  while (!workers.run_for(std::chrono::hours(1))) continue;
}

}  // namespace larmor::parsplice
