#pragma once
// Launch graphs of repeated launches on a GPU: recorded the first time, then launched together.
// Compiled only if CUDA is found.

#include <map>

#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/device/profile.hpp"

namespace larmor::cuda {

/// Launch graphs by rhythm (the counts of launches), for kernels that all receive one view.
template <class LaunchKey, class View>
class LaunchGraphs {
 public:
  explicit LaunchGraphs(int ordinal) : ordinal_(ordinal) {}

  /// Does the launches of `launches`, which may depend only on the rhythm and the view.
  template <class Launches>
  void launch(const LaunchKey& rhythm, const View& view, const Launches& launches) {
    // A launch graph has only one time as a whole.
    if (is_profiling()) return launches();
    if (!(view == view_) || graphs_.size() > most_kept) graphs_.clear();
    view_ = view;
    auto known = graphs_.find(rhythm);
    if (known == graphs_.end()) known = graphs_.try_emplace(rhythm, ordinal_, launches).first;
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

}  // namespace larmor::cuda
