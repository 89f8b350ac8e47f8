#pragma once
// Ends a search before its sweeps are done: after the time limit, after a signal, or if the watcher
// requests it. All threads check for the end between two sweeps of a replica.

#include <atomic>
#include <chrono>
#include <cmath>

namespace larmor::ground_states {

class SearchEnd {
 public:
  /// @param seconds time limit, counted from now on; may be infinite
  /// @param signal a value other than 0 ends the search; null: no signal
  explicit SearchEnd(double seconds, const std::atomic<int>* signal = nullptr)
      : limit_(seconds), signal_(signal), begun_(Clock::now()) {}

  bool is_reached() const {
    if (is_reached_.load(std::memory_order_relaxed)) return true;
    const bool reached = (signal_ != nullptr && signal_->load(std::memory_order_relaxed) != 0) ||
                         (std::isfinite(limit_) && seconds() >= limit_);
    if (reached) is_reached_.store(true, std::memory_order_relaxed);
    return reached;
  }
  /// Ends the search now.
  void request() const { is_reached_.store(true, std::memory_order_relaxed); }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }
  double limit() const { return limit_; }

 private:
  using Clock = std::chrono::steady_clock;

  double limit_;
  const std::atomic<int>* signal_;
  Clock::time_point begun_;
  mutable std::atomic<bool> is_reached_ = false;
};

}  // namespace larmor::ground_states
