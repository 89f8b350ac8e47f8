#pragma once
// Assigns the points of a scan to ranks. The costs of points may differ much: a free rank asks the
// root for the next point. The root also computes, and answers between two blocks of its own
// point. A rank that receives a stop, or fails, sends the stop to all ranks.

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
  /// @param world the ranks of the run; null: one rank. Must outlive this
  /// @param points points to run, in their order; read only on the root
  /// @param asked_to_stop as RunOptions::stop
  /// @param patience time that the root waits for silent ranks during a stop
  PointDispatch(const Communicator* world, std::vector<Index> points,
                const std::atomic<int>* asked_to_stop,
                std::chrono::milliseconds patience = answer_timeout);

  /// The next point of this rank, or nothing if no point is left or all ranks stop. Ranks other
  /// than the root wait here until a point is left or all are done.
  std::optional<Index> next();
  /// Reports that the point of this rank is done. @param work all work on it
  void finished(Index point, double work);
  /// Called between two blocks. @param work work on the point of this rank so far
  /// @return has this rank received messages? A rank looks for messages at most a thousand times a
  /// second
  bool poll(double work);
  /// Not 0 if the point of this rank has to stop.
  const std::atomic<int>& stop() const { return stop_; }
  /// The signal that ended the scan; 0: none.
  int signal() const { return stop_ > 0 ? stop_.load() : 0; }
  /// Reports that this rank has failed: all ranks stop.
  void fail();

  /// Called on the root, after its last point. Answers all other ranks until they are done.
  /// @param meanwhile called repeatedly @throws MachineError if a rank does not answer
  void serve_until_done(const std::function<void()>& meanwhile);
  /// On the root: points that any rank has done since the last call.
  std::vector<Index> take_done();
  /// On the root: work on all points that this run has received reports of.
  double work() const { return work_; }

 private:
  bool is_root() const { return world_ == nullptr || world_->is_root(); }
  void receive();
  void receive_from_rank(const Post& post);
  void receive_from_root(const Post& post);
  void send(int kind, double number, int rank) const;
  void stop_all(int reason);
  void report_work(double work, bool now);
  std::optional<Index> take_first();

  const Communicator* world_;
  const std::atomic<int>* asked_to_stop_;
  std::deque<Index> points_;
  bool busy_ = false;         ///< does this rank have a point?
  double reported_work_ = 0;  ///< work on the point that was last reported to the root
  double finished_ = -1;      ///< the last point that this rank has done, to be reported; -1: none
  std::atomic<int> stop_{0};
  bool reported_stop_ = false;  ///< has this rank reported `stop_` to the root?
  std::chrono::steady_clock::time_point last_poll_{}, last_report_{};
  std::chrono::milliseconds patience_;
  std::chrono::steady_clock::time_point last_message_{};  ///< last message of others, or the reason
                                                          ///< to stop

  std::optional<Post> reply_;  ///< message of the root to another rank

  std::vector<Index> done_;
  double work_ = 0;
  std::vector<bool> is_waiting_;  ///< by rank: does the rank wait for a point?
};

}  // namespace larmor::study
