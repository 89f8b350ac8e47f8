#pragma once
// End of a search before its sweeps are done: after its time limit, on a signal, or when its
// watcher asks for it. All threads check it between two sweeps of a replica.

#include <atomic>
#include <chrono>
#include <cmath>

namespace larmor::ground_states {

class SearchEnd {
 public:
  /// @param seconds from now on @param signal not 0: the search must end; null: no signal
  explicit SearchEnd(double seconds, const std::atomic<int>* signal = nullptr)
      : limit_(seconds), signal_(signal), begun_(Clock::now()) {}

  bool is_here() const {
    if (is_here_.load(std::memory_order_relaxed)) return true;
    const bool comes = (signal_ != nullptr && signal_->load(std::memory_order_relaxed) != 0) ||
                       (std::isfinite(limit_) && seconds() >= limit_);
    if (comes) is_here_.store(true, std::memory_order_relaxed);
    return comes;
  }
  void bring() const { is_here_.store(true, std::memory_order_relaxed); }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begun_).count(); }
  double limit() const { return limit_; }

 private:
  using Clock = std::chrono::steady_clock;

  double limit_;
  const std::atomic<int>* signal_;
  Clock::time_point begun_;
  mutable std::atomic<bool> is_here_ = false;
};

}  // namespace larmor::ground_states
