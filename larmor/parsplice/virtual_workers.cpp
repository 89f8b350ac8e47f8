#include <cmath>
#include <queue>
#include <tuple>

#include "larmor/core/error.hpp"
#include "larmor/parsplice/workers.hpp"

namespace larmor::parsplice {

namespace {

class VirtualClock {
 public:
  VirtualClock(Splicing& splicing, std::span<const double> speeds, const WorkerFailures& failures)
      : splicing_(splicing), failures_(failures) {
    if (speeds.empty()) throw InputError("there are no workers", "at least one worker");
    for (const double speed : speeds) {
      if (!(speed > 0) || !std::isfinite(speed))
        throw InputError("a worker has the speed " + std::to_string(speed), "a speed above 0");
      workers_.push_back({speed, next_death(workers_.size(), 0)});
    }
  }

  VirtualRun run() {
    begin_work(0);
    while (!splicing_.has_reached_goal()) {
      if (events_.empty()) throw InternalError("no worker can continue the trajectory");
      const Event event = events_.top();
      events_.pop();
      end_work(event);
      begin_work(event.time);
      now_ = event.time;
    }
    return {now_, lost_, static_cast<double>(splicing_.trajectory().steps())};
  }

 private:
  struct Worker {
    double speed;
    double death;
    std::optional<Segment> segment{};
  };
  /// The end of a segment, or the return of a worker that died.
  struct Event {
    double time;
    std::size_t worker;
    bool has_died;
    bool operator>(const Event& other) const {
      return std::tie(time, worker) > std::tie(other.time, other.worker);
    }
  };

  double next_death(std::size_t worker, double time) {
    if (failures_.rate <= 0) return INFINITY;
    const RandomKey key{failures_.seed, drawn_++, Stream::worker_failure};
    const RandomWords<std::uint64_t> words = philox(key, std::uint64_t{worker}, std::uint64_t{0});
    return time - std::log(uniform_52<double>(words.w[0], words.w[1])) / failures_.rate;
  }

  void end_work(const Event& event) {
    Worker& worker = workers_[event.worker];
    if (event.has_died) {
      splicing_.lose(worker.segment->name);
      ++lost_;
      worker.death = next_death(event.worker, event.time);
    } else {
      splicing_.deliver(std::move(*worker.segment));
    }
    worker.segment.reset();
  }

  void begin_work(double time) {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = workers_[i];
      if (worker.segment) continue;
      const std::optional<SegmentTask> task = splicing_.next_task();
      if (!task) return;
      // The death of an idle worker changes nothing.
      if (worker.death < time) worker.death = next_death(i, time);
      worker.segment = made_segment(splicing_.system(), splicing_.rule(), *task);
      const double end = time + static_cast<double>(worker.segment->work) / worker.speed;
      const bool dies = worker.death < end;
      events_.push({dies ? worker.death + failures_.time_to_return : end, i, dies});
    }
  }

  Splicing& splicing_;
  WorkerFailures failures_;
  std::vector<Worker> workers_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t drawn_ = 0;
  double now_ = 0;
  Index lost_ = 0;
};

}  // namespace

VirtualRun run_on_virtual_workers(Splicing& splicing, std::span<const double> speeds,
                                  const WorkerFailures& failures) {
  return VirtualClock(splicing, speeds, failures).run();
}

}  // namespace larmor::parsplice
