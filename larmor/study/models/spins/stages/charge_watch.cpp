#include "larmor/study/models/spins/stages/charge_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "larmor/core/text.hpp"
#include "larmor/lattice/triangulation.hpp"
#include "larmor/spins/observables/topology.hpp"
#include "larmor/study/stages/minimisation.hpp"

namespace larmor::study {
namespace {

/// Closed layers have integer charges. At open edges spins may turn a little, which changes the
/// charge.
constexpr double counts_as_change = 0.4;

bool has_charge(const InitialTable& initial) {
  constexpr std::array textures{"skyrmion", "antiskyrmion", "skyrmion-lattice", "vortex"};
  return std::find(textures.begin(), textures.end(), initial.state) != textures.end();
}

std::vector<double> charges(const SpinSimulation& simulation, const spins::SpinState& state) {
  const spins::LayerCharge charge(
      lattice::triangulate_layers(simulation.geometry, simulation.tables.lattice.layer_thickness),
      state);
  return charge.measure(state).take();
}

bool has_layers(const SpinSimulation& simulation) {
  try {
    lattice::triangulate_layers(simulation.geometry, simulation.tables.lattice.layer_thickness);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::string charge_text(double charge) {
  const double whole = std::round(charge);
  // `whole + 0.0` removes the sign of a negative zero.
  return std::abs(charge - whole) < 1e-6 ? fmt::format("{:.0f}", whole + 0.0)
                                         : fmt::format("{:.2f}", charge);
}

/// "-1", or "-2 to 1" for charges that differ.
std::string charges_text(const std::vector<double>& charges) {
  const auto [low, high] = std::minmax_element(charges.begin(), charges.end());
  const std::string first = charge_text(*low), last = charge_text(*high);
  return first == last ? first : "between " + first + " and " + last;
}

void append(const std::string& stage, const std::string& words, std::string& note) {
  if (!words.empty()) add_note(note, stage + ": " + words);
}

/// @param owner "in the first state ", or another owner of the charges
std::string text_of(const std::vector<double>& before, const std::vector<double>& after,
                    const std::string& owner) {
  const bool collapsed =
      std::all_of(after.begin(), after.end(), [](double q) { return std::abs(q) < 0.25; }) &&
      std::all_of(before.begin(), before.end(), [](double q) { return std::abs(q) >= 0.5; });
  return "the topological charge " + owner + "changed from " + charges_text(before) + " to " +
         charges_text(after) + (collapsed ? ": the texture has collapsed" : "");
}

bool has_changed(double before, double after) {
  return std::abs(after - before) > counts_as_change;
}

}  // namespace

std::string charge_change_text(const std::vector<double>& before,
                               const std::vector<double>& after) {
  std::vector<double> from, to;
  for (std::size_t n = 0; n < before.size(); ++n) {
    if (!has_changed(before[n], after[n])) continue;
    from.push_back(before[n]);
    to.push_back(after[n]);
  }
  if (from.empty()) return "";
  return text_of(
      from, to,
      before.size() == 1 ? "" : fmt::format("of {} of {} replicas ", from.size(), before.size()));
}

void ChargeWatch::begin(const SpinSimulation& simulation, const spins::SpinState& state,
                        const RankShare& copies,
                        std::initializer_list<const InitialTable*> states) {
  copies_ = copies;
  charges_.clear();
  const bool is_texture = std::any_of(states.begin(), states.end(),
                                      [](const InitialTable* table) { return has_charge(*table); });
  if (is_texture && has_layers(simulation)) charges_ = charges(simulation, state);
}

std::vector<double> ChargeWatch::before(const Ranks& ranks) const {
  return ranks.gathered(charges_, copies_);
}

std::vector<double> ChargeWatch::after(const SpinSimulation& simulation,
                                       const spins::SpinState& state) const {
  return simulation.ranks.gathered(charges(simulation, state), copies_);
}

void ChargeWatch::note_replicas(const SpinSimulation& simulation, const spins::SpinState& state,
                                const std::string& stage, std::string& note) const {
  if (charges_.empty()) return;
  const std::vector<double> from = before(simulation.ranks), to = after(simulation, state);
  append(stage, charge_change_text(from, to), note);
}

void ChargeWatch::note_ends(const SpinSimulation& simulation, const spins::SpinState& state,
                            const std::string& stage, std::string& note) const {
  append(stage, text_of_ends(simulation, state), note);
}

std::string ChargeWatch::text_of_ends(const SpinSimulation& simulation,
                                      const spins::SpinState& state) const {
  std::string words;
  if (charges_.empty()) return words;
  const std::vector<double> from = before(simulation.ranks), to = after(simulation, state);
  for (const std::size_t end : {0, 1})
    if (has_changed(from[end], to[end]))
      words += (words.empty() ? "" : "; ") + text_of({from[end]}, {to[end]},
                                                     end == 0 ? "in the first state of the path "
                                                              : "in the last state of the path ");
  return words;
}

void ChargeWatch::save(const Ranks& ranks, StageMemory& memory) const {
  if (!charges_.empty()) memory.numbers["charges"] = before(ranks);
}

void ChargeWatch::load(const Ranks& ranks, const RankShare& copies, const StageMemory& memory) {
  copies_ = copies;
  charges_.clear();
  // If no charges were saved, nothing is watched.
  if (const auto saved = memory.numbers.find("charges"); saved != memory.numbers.end())
    charges_ = ranks.own_of(saved->second, copies);
}

}  // namespace larmor::study
