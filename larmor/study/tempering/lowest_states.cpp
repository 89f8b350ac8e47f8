#include "larmor/study/tempering/lowest_states.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

#include "larmor/study/sampling/lowest_state.hpp"

namespace larmor::study {
namespace {

constexpr double none = -std::numeric_limits<double>::infinity();

}  // namespace

void LowestStates::begin(const tempering::LadderLayout& layout, const Ranks& ranks) {
  is_enabled_ = true;
  layout_ = layout;
  share_ = ranks.share();
  found_.assign(static_cast<std::size_t>(layout.samples), std::nullopt);
}

void LowestStates::record(std::span<const double> energies, std::span<const double> rungs,
                          Index sweep, const StateOf& state_of) {
  if (!like_) like_ = state_of(0);
  const Index of_sample = layout_.replicas_of_sample();
  for (Index r = 0; r < share_.count;) {
    const Index sample = layout_.sample(share_.first + r);
    const Index end = std::min(share_.count, (sample + 1) * of_sample - share_.first);
    const auto lowest = std::min_element(energies.begin() + r, energies.begin() + end);
    r = end;
    std::optional<Found>& found = found_[static_cast<std::size_t>(sample)];
    if (found && !(*lowest < found->energy)) continue;
    const Index replica = lowest - energies.begin();
    found = {*lowest, static_cast<double>(sweep), static_cast<double>(share_.first + replica),
             rungs[static_cast<std::size_t>(replica)], bytes_of(state_of(replica))};
  }
}

std::vector<std::optional<LowestStates::Found>> LowestStates::own_of_all(const Ranks& ranks) const {
  std::vector<std::optional<Found>> own = found_;
  // All processes keep the candidates with the lowest energy. Among these they keep those of the
  // first sweep, and among these the first replica.
  for (double Found::*const number : {&Found::energy, &Found::sweep, &Found::replica}) {
    std::vector<double> negative;
    for (const std::optional<Found>& found : own)
      negative.push_back(found ? -((*found).*number) : none);
    const std::vector<double> most = ranks.maximum(negative, nullptr, {});
    for (std::size_t s = 0; s < own.size(); ++s)
      if (negative[s] < most[s]) own[s].reset();
  }
  return own;
}

std::vector<double> LowestStates::numbers_of(const std::vector<std::optional<Found>>& own,
                                             double Found::*number, const Ranks& ranks) {
  std::vector<double> numbers;
  for (const std::optional<Found>& found : own) numbers.push_back(found ? (*found).*number : none);
  return ranks.maximum(std::move(numbers), nullptr, {});
}

std::vector<std::byte> LowestStates::states_of(const std::vector<std::optional<Found>>& own,
                                               const Ranks& ranks) {
  // One process owns each sample, so the states of all processes follow one another.
  std::vector<std::byte> bytes;
  for (const std::optional<Found>& found : own)
    if (found) bytes.insert(bytes.end(), found->state.begin(), found->state.end());
  return ranks.joined(bytes);
}

std::string LowestStates::write(const Ranks& ranks, const std::vector<double>& ladder,
                                const std::string& ladder_unit, const std::string& energy_unit,
                                ResultsGroup& results) const {
  if (!is_enabled_) return "";
  const std::vector<std::optional<Found>> own = own_of_all(ranks);
  const std::string group = "lowest-states/";
  const Index samples = layout_.samples;
  std::vector<double> temperature;
  for (const double rung : numbers_of(own, &Found::rung, ranks))
    temperature.push_back(ladder[static_cast<std::size_t>(rung)]);
  const std::vector<double> energy = numbers_of(own, &Found::energy, ranks);
  results.write(group + "energy", energy, {samples}, energy_unit);
  results.write(group + "temperature", std::move(temperature), {samples}, ladder_unit);
  results.write(group + "replica", numbers_of(own, &Found::replica, ranks), {samples}, "");
  results.write(group + "sweep", numbers_of(own, &Found::sweep, ranks), {samples}, "");
  const std::vector<std::byte> states = states_of(own, ranks);
  if (!ranks.is_root()) return "";
  io::Shape shape = like_->shape();
  shape.insert(shape.begin(), samples);
  results.write(group + "configuration", array_of(states, *like_, std::move(shape)));
  const double mean =
      std::accumulate(energy.begin(), energy.end(), 0.0) / static_cast<double>(samples);
  char number[32];
  std::snprintf(number, sizeof(number), "%.10g", mean);
  const std::string words = number + (energy_unit.empty() ? "" : " " + energy_unit) + " a site";
  return samples == 1 ? "lowest energy " + words
                      : "lowest energies of " + std::to_string(samples) + " samples: " + words +
                            " on average";
}

void LowestStates::save(StageMemory& memory, const Ranks& ranks) const {
  if (!is_enabled_) return;
  const std::vector<std::optional<Found>> own = own_of_all(ranks);
  std::vector<double>& numbers = memory.numbers["lowest_states"];
  for (double Found::*const number :
       {&Found::energy, &Found::sweep, &Found::replica, &Found::rung}) {
    const std::vector<double> of_all = numbers_of(own, number, ranks);
    numbers.insert(numbers.end(), of_all.begin(), of_all.end());
  }
  // Nothing is measured yet.
  if (numbers.front() == none) return numbers.clear();
  const std::vector<std::byte> states = states_of(own, ranks);
  std::vector<Index>& packed = memory.integers["lowest_states"];
  packed.resize(1 + (states.size() + sizeof(Index) - 1) / sizeof(Index));
  packed[0] = std::ssize(states);
  std::memcpy(packed.data() + 1, states.data(), states.size());
}

void LowestStates::load(const StageMemory& memory, const Ranks& ranks) {
  if (!is_enabled_) return;
  begin(layout_, ranks);
  const std::vector<double>& numbers = memory.number("lowest_states");
  if (numbers.empty()) return;
  const std::vector<Index>& packed = memory.integer("lowest_states");
  const auto* const states = reinterpret_cast<const std::byte*>(packed.data() + 1);
  const std::size_t samples = found_.size();
  const std::size_t width = static_cast<std::size_t>(packed.at(0)) / samples;
  for (std::size_t s = 0; s < samples; ++s) {
    const auto number = [&](std::size_t n) { return numbers.at(n * samples + s); };
    const auto replica = static_cast<Index>(number(2));
    // The process that has the replica owns the state.
    if (replica < share_.first || replica >= share_.first + share_.count) continue;
    found_[s] = Found{
        number(0), number(1), number(2), number(3), {states + s * width, states + (s + 1) * width}};
  }
}

}  // namespace larmor::study
