#include "larmor/parsplice/splicing.hpp"

#include "larmor/core/error.hpp"

namespace larmor::parsplice {

namespace {

StateLabel checked_state(const SegmentSystem& system, const SegmentRule& rule,
                         const Configuration& first) {
  rule.validate();
  if (static_cast<Index>(first.size()) != system.numbers())
    throw InputError("the first configuration has " + std::to_string(first.size()) + " numbers",
                     "the " + std::to_string(system.numbers()) + " numbers of the system");
  return system.state(first);
}

}  // namespace

Splicing::Splicing(const SegmentSystem& system, const SegmentRule& rule, const Configuration& first,
                   Index goal_steps, SegmentFile* file)
    : system_(system),
      rule_(rule),
      file_(file),
      splicer_(checked_state(system, rule, first), goal_steps),
      schedule_(rule.lanes),
      predictor_(rule.seed) {
  if (file_ != nullptr) {
    for (auto& [state, reference] : file_->states()) schedule_.add_state(state, reference);
    file_->for_each_segment([&](Segment segment) {
      if (!schedule_.knows(segment.name.state))
        throw InputError("the file of segments has a segment of an unknown state",
                         "an undamaged copy of it, or the name of another file");
      if (!schedule_.can_run(segment.name))
        throw InputError("the file of segments lacks a segment before another one",
                         "an undamaged copy of it, or the name of another file");
      add(std::move(segment));
    });
  }
  add_state(first);
}

void Splicing::add_state(const Configuration& configuration) {
  const StateLabel state = system_.state(configuration);
  if (schedule_.knows(state)) return;
  const Configuration reference = system_.reference(configuration);
  if (system_.state(reference) != state)
    throw InternalError("the reference of a state lies in another state");
  schedule_.add_state(state, reference);
  if (file_ != nullptr) file_->add_state(state, reference);
}

std::map<StateLabel, Configuration> Splicing::references() const {
  std::map<StateLabel, Configuration> references;
  for (const Stay& stay : trajectory().stays())
    if (splicer_.next_number(stay.state) > 0)
      references.emplace(stay.state, schedule_.reference(stay.state));
  return references;
}

void Splicing::flush() const {
  if (file_ != nullptr) file_->flush();
}

std::optional<SegmentTask> Splicing::next_task() {
  if (has_reached_goal()) return std::nullopt;
  const std::optional<SegmentName> name = predictor_.next(splicer_, schedule_);
  if (!name && schedule_.running() == 0)
    throw InternalError("no segment runs, and no segment can run");
  if (!name) return std::nullopt;
  return schedule_.begin(*name);
}

void Splicing::deliver(Segment segment) {
  if (!schedule_.knows(segment.end_state())) add_state(segment.end);
  if (file_ != nullptr) file_->add(segment);
  add(std::move(segment));
}

void Splicing::add(Segment segment) {
  schedule_.complete(segment);
  predictor_.learn(segment);
  work_ += segment.work;
  // The lane has a copy. Many segments may wait in memory.
  segment.end.clear();
  segment.end.shrink_to_fit();
  splicer_.add(std::move(segment));
}

}  // namespace larmor::parsplice
