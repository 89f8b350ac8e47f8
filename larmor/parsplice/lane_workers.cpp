#include "larmor/core/error.hpp"
#include "larmor/parsplice/workers.hpp"

namespace larmor::parsplice {

namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void LaneWorkers::measure(const AdvanceRequest& request) {
  // The first call includes allocations.
  for (int repeat = 0; repeat < 2; ++repeat) {
    Configuration copy(request.configuration.begin(), request.configuration.end());
    const AdvanceRequest alone{copy, request.steps, request.key};
    const auto begin = Clock::now();
    const Advance made = splicing_.system().advance_together(std::span(&alone, 1))[0];
    seconds_alone_ = std::chrono::duration<double>(Clock::now() - begin).count() /
                     static_cast<double>(made.steps);
  }
}

bool LaneWorkers::run_for(std::chrono::milliseconds time) {
  const auto begin = Clock::now();
  while (!splicing_.has_reached_goal() && Clock::now() - begin < time) advance();
  return splicing_.has_reached_goal();
}

void LaneWorkers::advance() {
  while (std::ssize(makers_) < lanes_) {
    std::optional<SegmentTask> task = splicing_.next_task();
    if (!task) break;
    makers_.emplace_back(splicing_.system(), splicing_.rule(), std::move(*task));
  }
  std::vector<AdvanceRequest> requests;
  std::vector<SegmentMaker*> asking;
  for (SegmentMaker& maker : makers_) {
    if (maker.is_done()) continue;
    asking.push_back(&maker);
    requests.push_back(maker.request());
  }
  if (seconds_alone_ == 0 && !requests.empty()) measure(requests.front());
  const std::vector<Advance> advances = splicing_.system().advance_together(requests);
  for (std::size_t n = 0; n < asking.size(); ++n) asking[n]->take(advances[n]);
  for (auto maker = makers_.begin(); maker != makers_.end();) {
    if (!maker->is_done()) {
      ++maker;
      continue;
    }
    Segment segment = maker->segment();
    work_ += segment.work;
    splicing_.deliver(std::move(segment));
    maker = makers_.erase(maker);
  }
}

std::unique_ptr<Workers> make_workers(Splicing& splicing, int workers) {
  if (splicing.system().calls_together() > 1)
    return std::make_unique<LaneWorkers>(splicing, workers);
  return std::make_unique<ThreadWorkers>(splicing, workers);
}

}  // namespace larmor::parsplice
