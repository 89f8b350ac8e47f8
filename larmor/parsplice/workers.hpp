#pragma once
// Workers make the segments of a spliced trajectory: on a virtual clock, or as threads.

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <span>

#include "larmor/parsplice/splicing.hpp"

namespace larmor::parsplice {

/// How virtual workers die. A worker that dies loses its segment, and returns later.
struct WorkerFailures {
  std::uint64_t seed = 0;
  double rate = 0;            ///< deaths of a worker per unit of time
  double time_to_return = 0;  ///< until it returns, and its segment is known to be lost
};

struct VirtualRun {
  double time;           ///< until the trajectory reached its goal
  Index lost;            ///< segments lost with their workers
  double of_one_worker;  ///< time that direct dynamics of this length take at speed 1

  /// Length of the trajectory over that of direct dynamics on one worker of speed 1.
  double speed_up() const { return of_one_worker / time; }
};

/// Runs until the goal on a virtual clock.
/// @param speeds steps per unit of time, one for each worker
/// @throws InputError without workers, or for speeds that are not positive
VirtualRun run_on_virtual_workers(Splicing& splicing, std::span<const double> speeds,
                                  const WorkerFailures& failures = {});

/// Workers that make segments until the trajectory reaches its goal.
class Workers {
 public:
  Workers() = default;
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  virtual ~Workers() = default;

  /// Works until the goal or the end of this time. @return has the trajectory reached its goal?
  virtual bool run_for(std::chrono::milliseconds time) = 0;
  /// Reads or changes the splicing while no worker uses it.
  virtual void between_deliveries(const std::function<void(Splicing&)>& work) = 0;
  /// Time that one worker would need for all segments that are complete.
  virtual double busy_seconds() const = 0;
};

/// Each thread makes one segment at a time.
class ThreadWorkers : public Workers {
 public:
  /// @throws InputError without threads
  ThreadWorkers(Splicing& splicing, int threads);
  /// Stops the threads. Segments that run are lost, and would run again with equal bits.
  ~ThreadWorkers() override;

  /// Rethrows the first error of a thread.
  bool run_for(std::chrono::milliseconds time) override;
  void between_deliveries(const std::function<void(Splicing&)>& work) override;
  double busy_seconds() const override;

 private:
  struct Team;
  std::unique_ptr<Team> team_;
};

/// The calling thread makes many segments at a time, whose calls of the system it makes together.
class LaneWorkers : public Workers {
 public:
  /// @param lanes the most segments at a time, at least 1
  LaneWorkers(Splicing& splicing, Index lanes) : splicing_(splicing), lanes_(lanes) {}

  bool run_for(std::chrono::milliseconds time) override;
  void between_deliveries(const std::function<void(Splicing&)>& work) override { work(splicing_); }
  double busy_seconds() const override { return seconds_alone_ * static_cast<double>(work_); }

 private:
  void advance();
  /// Measures the time of a segment without others.
  void measure(const AdvanceRequest& request);

  Splicing& splicing_;
  Index lanes_;
  std::list<SegmentMaker> makers_;
  double seconds_alone_ = 0;  ///< of a step
  Index work_ = 0;            ///< steps of complete segments
};

/// Lanes if the system makes calls together, and threads otherwise. @param workers at least 1
std::unique_ptr<Workers> make_workers(Splicing& splicing, int workers);

/// Runs until the goal on `threads` threads. Rethrows the first error of a thread.
void run_on_threads(Splicing& splicing, int threads);

}  // namespace larmor::parsplice
