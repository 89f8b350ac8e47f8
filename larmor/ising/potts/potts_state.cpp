#include "larmor/ising/potts/potts_state.hpp"

namespace larmor::ising {

PottsState::PottsState(const PottsModel& model, const UpdateCounter& counter)
    : step(counter),
      model_(&model),
      states_(model.device(), model.replicas().count * model.positions()) {
  if (LaneBlocks::fit(model)) lanes_.emplace(model);
}

void PottsState::set_all(int state) {
  states_.copy_from(std::vector<std::uint8_t>(static_cast<std::size_t>(states_.size()),
                                              static_cast<std::uint8_t>(state)));
}

void PottsState::randomise(std::uint64_t seed) {
  const Index sites = model_->sites();
  const RandomKey key{seed, step++, Stream::initial_configuration,
                      static_cast<std::uint64_t>(model_->replicas().first)};
  std::vector<std::uint8_t> states;
  states.reserve(static_cast<std::size_t>(model_->replicas().count * sites));
  for (Index r = 0; r < model_->replicas().count; ++r)
    for (Index i = 0; i < sites; ++i) {
      const auto random =
          philox<std::uint64_t>(key, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(r));
      states.push_back(static_cast<std::uint8_t>(
          (random.w[0] * static_cast<std::uint64_t>(model_->states())) >> 32));
    }
  load(states);
}

std::vector<std::uint8_t> PottsState::canonical(Index count, Index first) const {
  const Index positions = model_->positions(), sites = model_->sites();
  std::vector<std::uint8_t> stored(static_cast<std::size_t>(count * positions));
  states_.copy_range_to(stored, first * positions);
  std::vector<std::uint8_t> states;
  states.reserve(static_cast<std::size_t>(count * sites));
  for (Index r = 0; r < count; ++r)
    for (const std::int32_t position : model_->position_of())
      states.push_back(stored[static_cast<std::size_t>(r * positions + position)]);
  return states;
}

void PottsState::load(const std::vector<std::uint8_t>& states) {
  const Index positions = model_->positions(), sites = model_->sites();
  if (std::ssize(states) != model_->replicas().count * sites)
    throw InternalError("states are loaded into a model of another size");
  std::vector<std::uint8_t> stored(static_cast<std::size_t>(states_.size()));
  for (Index r = 0; r < model_->replicas().count; ++r)
    for (Index i = 0; i < sites; ++i)
      stored[static_cast<std::size_t>(r * positions +
                                      model_->position_of()[static_cast<std::size_t>(i)])] =
          states[static_cast<std::size_t>(r * sites + i)];
  states_.copy_from(stored);
}

void PottsState::copy_replicas(std::span<const ReplicaCopy> copies) {
  larmor::copy_replicas(states_.device(), states_.data(), {model_->positions()}, copies);
}

PottsView PottsState::view() {
  PottsView view = model_->view();
  view.state = states_.data();
  return view;
}

}  // namespace larmor::ising
