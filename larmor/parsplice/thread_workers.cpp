#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "larmor/core/error.hpp"
#include "larmor/parsplice/workers.hpp"

namespace larmor::parsplice {

namespace {

/// Threads take tasks one at a time, so a slow segment delays no other worker.
class ThreadWorkers {
 public:
  explicit ThreadWorkers(Splicing& splicing) : splicing_(splicing) {}

  void run(int threads) {
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back([this] { work(); });
    workers.clear();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void work() {
    try {
      while (const std::optional<SegmentTask> task = next_task()) {
        Segment segment = made_segment(splicing_.system(), splicing_.rule(), *task);
        const std::lock_guard lock(mutex_);
        splicing_.deliver(std::move(segment));
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      changed_.notify_all();
    }
  }

  /// Waits for a task. None after the goal or an error.
  std::optional<SegmentTask> next_task() {
    std::unique_lock lock(mutex_);
    std::optional<SegmentTask> task;
    changed_.wait(lock, [&] {
      if (error_ || splicing_.has_reached_goal()) return true;
      task = splicing_.next_task();
      return task.has_value();
    });
    return task;
  }

  Splicing& splicing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr error_;
};

}  // namespace

void run_on_threads(Splicing& splicing, int threads) {
  if (threads < 1)
    throw InputError("there are " + std::to_string(threads) + " workers", "at least one worker");
  ThreadWorkers(splicing).run(threads);
}

}  // namespace larmor::parsplice
