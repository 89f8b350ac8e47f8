#pragma once
// Launch graphs of repeated launches on a GPU: recorded the first time, then launched together. GPU
// memory holds the step of the first launch, so that a graph can be repeated for other steps.
// Compiled only if CUDA is found.

#include <cstdint>
#include <map>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/device/profile.hpp"

namespace larmor::cuda {

/// Launch graphs by key (the counts of launches), for kernels that all receive one view.
template <class LaunchKey, class View>
class LaunchGraphs {
 public:
  explicit LaunchGraphs(int ordinal) : ordinal_(ordinal) {}

  /// Calls `launches`, or launches its graph. The launches may depend only on the key and the view.
  template <class Launches>
  void launch(const LaunchKey& key, const View& view, const Launches& launches) {
    // A launch graph has one time for all its launches, and a profile needs the time of each.
    if (is_profiling()) return launches();
    if (!(view == view_) || graphs_.size() > most_kept) graphs_.clear();
    view_ = view;
    auto known = graphs_.find(key);
    if (known == graphs_.end()) known = graphs_.try_emplace(key, ordinal_, launches).first;
    known->second.launch();
  }
  /// Call it when kernels or memory are destroyed.
  void forget() { graphs_.clear(); }

 private:
  static constexpr std::size_t most_kept = 64;

  int ordinal_;
  std::map<LaunchKey, LaunchGraph> graphs_;
  View view_{};
};

/// The step of the first of some launches, in GPU memory.
class StepCounter {
 public:
  explicit StepCounter(const Device& device) : device_(device), on_gpu_(device, 1) {}

  /// The number to which kernels add their own step.
  const std::uint64_t* first() const { return on_gpu_.data(); }
  /// Sets the step, after all earlier launches, unless it has this value already.
  void set(std::uint64_t step);
  /// Launches, or records, an advance of the step. The next kernel must not start early, because it
  /// reads the step before it waits for its predecessor.
  void launch_advance(std::uint64_t steps);
  /// Call it after repeated launches that advance the step by `steps`.
  void has_advanced(std::uint64_t steps) { expected_ += steps; }

 private:
  Device device_;
  Array<std::uint64_t> on_gpu_;
  std::uint64_t expected_ = 0;  ///< the step after all launches
};

}  // namespace larmor::cuda
