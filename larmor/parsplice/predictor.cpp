#include "larmor/parsplice/predictor.hpp"

namespace larmor::parsplice {

namespace {

/// Segments that a walk passes. So few segments are made while the trajectory waits for one.
constexpr std::uint64_t farthest = 1000;

}  // namespace

StateLabel Predictor::drawn_end(StateLabel state, double uniform) const {
  const auto found = counts_.find(state);
  if (found == counts_.end()) return state;
  Index all = 1;
  for (const auto& [end, count] : found->second) all += count;
  double left = uniform * static_cast<double>(all);
  for (const auto& [end, count] : found->second) {
    left -= static_cast<double>(count);
    if (left < 0) return end;
  }
  return state;
}

std::optional<SegmentName> Predictor::next(const Splicer& splicer, const Schedule& schedule) {
  const RandomKey key{seed_, predictions_++, Stream::segment_prediction};
  std::map<StateLabel, Index> next_number;
  StateLabel state = splicer.trajectory().state();
  for (std::uint64_t passed = 0; passed < farthest; ++passed) {
    Index& number = next_number.try_emplace(state, splicer.next_number(state)).first->second;
    const SegmentName name{state, number++};
    if (const Segment* segment = splicer.unused(name)) {
      state = segment->end_state();
    } else {
      if (schedule.can_run(name)) return name;
      const RandomWords<std::uint64_t> words = philox(key, passed, std::uint64_t{0});
      state = drawn_end(state, uniform_52<double>(words.w[0], words.w[1]));
    }
  }
  return std::nullopt;
}

}  // namespace larmor::parsplice
