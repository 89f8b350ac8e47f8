#include "larmor/parsplice/splicer.hpp"

#include "larmor/core/error.hpp"

namespace larmor::parsplice {

void Splicer::add(Segment segment) {
  const SegmentName name = segment.name;
  if (!unused_.emplace(name, std::move(segment)).second)
    throw InternalError("a segment was delivered twice");
  splice();
}

Index Splicer::next_number(StateLabel state) const {
  const auto found = next_.find(state);
  return found == next_.end() ? 0 : found->second;
}

const Segment* Splicer::unused(const SegmentName& name) const {
  const auto found = unused_.find(name);
  return found == unused_.end() ? nullptr : &found->second;
}

void Splicer::splice() {
  while (!has_reached_goal()) {
    const StateLabel state = trajectory_.state();
    const auto found = unused_.find({state, next_number(state)});
    if (found == unused_.end()) return;
    trajectory_.append(found->second.stays);
    unused_.erase(found);
    ++next_[state];
  }
}

}  // namespace larmor::parsplice
