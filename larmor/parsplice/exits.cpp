#include "larmor/parsplice/exits.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"

namespace larmor::parsplice {

namespace {

Rate rate_of(Index exits, Index steps, double step) {
  const auto n = static_cast<double>(exits);
  const double value = n / (static_cast<double>(steps) * step);
  if (exits == 0) return {NAN, NAN};
  return {value, value / std::sqrt(n)};
}

}  // namespace

Rate StateExits::rate(double step) const { return rate_of(exits, steps, step); }

Rate StateExits::rate_to(StateLabel state, double step) const {
  const auto found = next.find(state);
  return rate_of(found == next.end() ? 0 : found->second, steps, step);
}

std::map<StateLabel, StateExits> exits_of(const Trajectory& trajectory, Index correlation_steps) {
  std::map<StateLabel, StateExits> exits;
  const Stay* settled = nullptr;
  for (const Stay& stay : trajectory.stays()) {
    if (stay.steps <= correlation_steps) continue;
    if (settled != nullptr) {
      StateExits& left = exits[settled->state];
      ++left.exits;
      left.steps += settled->steps - correlation_steps;
      ++left.next[stay.state];
    }
    settled = &stay;
  }
  // The last stay has no exit yet, and its time counts.
  if (settled != nullptr && settled == &trajectory.stays().back())
    exits[settled->state].steps += settled->steps - correlation_steps;
  return exits;
}

std::vector<double> waiting_times(const Trajectory& trajectory, Index correlation_steps,
                                  StateLabel state, std::uint64_t seed) {
  std::vector<double> times;
  const std::vector<Stay>& stays = trajectory.stays();
  // The last stay has no exit.
  for (std::size_t i = 0; i + 1 < stays.size(); ++i) {
    if (stays[i].state != state || stays[i].steps <= correlation_steps) continue;
    const RandomKey key{seed, i, Stream::waiting_time};
    const RandomWords<std::uint64_t> words = philox(key, std::uint64_t{0}, std::uint64_t{0});
    times.push_back(static_cast<double>(stays[i].steps - correlation_steps) -
                    uniform_52<double>(words.w[0], words.w[1]));
  }
  return times;
}

double share_of(const Trajectory& trajectory, StateLabel state) {
  Index steps = 0;
  for (const Stay& stay : trajectory.stays())
    if (stay.state == state) steps += stay.steps;
  return static_cast<double>(steps) / static_cast<double>(trajectory.steps());
}

double joint_share(const Trajectory& trajectory, StateLabel state, Index lag) {
  const Index pairs = trajectory.steps() - lag;
  if (lag < 0 || pairs < 1) throw InternalError("a trajectory is not longer than the lag");
  // Begins and ends of the stays in the state; the same list is passed twice, `lag` steps apart.
  std::vector<std::pair<Index, Index>> intervals;
  Index begin = 0;
  for (const Stay& stay : trajectory.stays()) {
    if (stay.state == state) intervals.emplace_back(begin, begin + stay.steps);
    begin += stay.steps;
  }
  Index both = 0;
  for (std::size_t now = 0, later = 0; now < intervals.size() && later < intervals.size();) {
    const Index first = std::max(intervals[now].first, intervals[later].first - lag);
    const Index last = std::min(intervals[now].second, intervals[later].second - lag);
    both += std::max(last - first, Index{0});
    if (intervals[now].second < intervals[later].second - lag)
      ++now;
    else
      ++later;
  }
  return static_cast<double>(both) / static_cast<double>(pairs);
}

}  // namespace larmor::parsplice
