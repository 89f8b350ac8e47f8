#pragma once
// Launches on a GPU that are repeated: recorded the first time, then launched together. Compiled
// only where CUDA is found.

#include <map>

#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/device/profile.hpp"

namespace larmor::cuda {

/// By rhythm (how many of what is launched), of kernels that are all given one view.
template <class LaunchKey, class View>
class LaunchGraphs {
 public:
  explicit LaunchGraphs(int ordinal) : ordinal_(ordinal) {}

  /// Launches what `launches` launches; it may depend on the rhythm and the view alone.
  template <class Launches>
  void launch(const LaunchKey& rhythm, const View& view, const Launches& launches) {
    // What is launched together has one time together.
    if (is_profiling()) return launches();
    if (!(view == view_) || graphs_.size() > most_kept) graphs_.clear();
    view_ = view;
    auto known = graphs_.find(rhythm);
    if (known == graphs_.end()) known = graphs_.try_emplace(rhythm, ordinal_, launches).first;
    known->second.launch();
  }
  /// For kernels or memory that are no more.
  void forget() { graphs_.clear(); }

 private:
  static constexpr std::size_t most_kept = 64;

  int ordinal_;
  std::map<LaunchKey, LaunchGraph> graphs_;
  View view_{};
};

}  // namespace larmor::cuda
