#pragma once
// Which rank runs which point of a scan. Points may differ much in what they cost: whenever a rank
// is free it asks the root for the next one. The root computes as all do, and answers between two
// portions of its own point. Who is told to stop, or fails, tells it to all in the same way.

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/types.hpp"

namespace larmor::study {

class PointDispatch {
 public:
  /// @param world the ranks of the run; null: one. Must outlive this
  /// @param points what is to be done, in the order in which it is begun; asked of the root alone
  /// @param asked_to_stop as RunOptions::stop
  /// @param patience of the root with ranks that say nothing although all are to stop
  PointDispatch(const Communicator* world, std::vector<Index> points,
                const std::atomic<int>* asked_to_stop,
                std::chrono::milliseconds patience = patience_with_others);

  /// The next point of this rank, or nothing: none is left, or all are to stop. Ranks that
  /// are not the root wait for it, until one is left or all are done.
  std::optional<Index> next();
  /// The point of this rank is done. @param work on it in all
  void finished(Index point, double work);
  /// To be called between portions. @param work done on the point of this rank so far
  /// @return whether it was time to listen to the others, as it is a thousand times a second
  bool attend(double work);
  /// Where this is not 0 the point of this rank is to stop.
  const std::atomic<int>& stop() const { return stop_; }
  /// The signal that ended it all; 0: none did.
  int signal() const { return stop_ > 0 ? stop_.load() : 0; }
  /// This rank has failed: all are to stop.
  void fail();

  /// Of the root, once it has no point: answers others until they have none either, and says so.
  /// @param meanwhile called again and again @throws MachineError when they do not answer
  void serve_to_the_end(const std::function<void()>& meanwhile);
  /// Of the root: points done since the last call, by whomever.
  std::vector<Index> take_done();
  /// Of the root: work on all points that this run has heard of.
  double work() const { return work_; }

 private:
  bool is_root() const { return world_ == nullptr || world_->is_root(); }
  void hear();
  void hear_rank(const Post& post);
  void hear_root(const Post& post);
  void say(int what, double number, int rank) const;
  void stop_all(int reason);
  void tell_work(double work, bool now);
  std::optional<Index> take_first();

  const Communicator* world_;
  const std::atomic<int>* asked_to_stop_;
  std::deque<Index> points_;
  bool busy_ = false;     ///< has this rank a point?
  double told_work_ = 0;  ///< on it, as far as the root knows
  double finished_ = -1;  ///< the point that this rank has done last, to be told; -1: none
  std::atomic<int> stop_{0};
  bool told_stop_ = false;  ///< has this rank told the root?
  std::chrono::steady_clock::time_point last_look_{}, last_told_{};
  std::chrono::milliseconds patience_;
  std::chrono::steady_clock::time_point last_heard_{};  ///< of others, or of the reason to stop

  std::optional<Post> answer_;  ///< of the root, to another rank

  std::vector<Index> done_;
  double work_ = 0;
  std::vector<bool> waits_;  ///< by rank: for a point
};

}  // namespace larmor::study
