#pragma once
// Workers make the segments of a spliced trajectory: on a virtual clock, or as threads.

#include <chrono>
#include <functional>
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

/// Threads that make segments until the trajectory reaches its goal.
class ThreadWorkers {
 public:
  /// @throws InputError without threads
  ThreadWorkers(Splicing& splicing, int threads);
  /// Stops the threads. Segments that run are lost, and would run again with equal bits.
  ~ThreadWorkers();

  /// Waits until the goal or the end of this time. Rethrows the first error of a thread.
  /// @return has the trajectory reached its goal?
  bool run_for(std::chrono::milliseconds time);
  /// Reads or changes the splicing while no thread uses it.
  void between_deliveries(const std::function<void(Splicing&)>& work);
  /// Time that all threads have spent on segments that are complete.
  double busy_seconds() const;

 private:
  struct Team;
  std::unique_ptr<Team> team_;
};

/// Runs until the goal on `threads` threads. Rethrows the first error of a thread.
void run_on_threads(Splicing& splicing, int threads);

}  // namespace larmor::parsplice
