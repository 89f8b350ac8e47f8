#include "larmor/spins/landscape/path_ends.hpp"

#include <algorithm>

#include "larmor/core/saved_numbers.hpp"
#include "larmor/spins/landscape/path_start.hpp"

namespace larmor::spins {

PathEnds::PathEnds(const Model& model, const MinimiserSettings& settings, const Device& device)
    : model_(&model),
      settings_(settings),
      states_(device, model.layout(2), model.canonical()),
      minimiser_(model, states_.layout(), settings, device) {}

void PathEnds::start(const SiteVectors& first, const SiteVectors& last) {
  const SiteVectors both[] = {first, last};
  store_spins(both, 0, states_);
  minimiser_.start(states_);
  phase_ = Phase::relax;
  steps_ = 0;
  torque_ = fall_ = {};
  minima_.clear();
}

Index PathEnds::run(Index iterations, std::uint64_t seed) {
  if (done()) return 0;
  const Index steps = minimiser_.run(states_, iterations);
  steps_ += steps;
  if (!minimiser_.done()) return steps;
  if (phase_ == Phase::relax && minimiser_.converged() == 2)
    disturb(seed);
  else
    stop();
  return steps;
}

void PathEnds::stop() {
  if (phase_ == Phase::relax)
    store_torques();
  else if (phase_ == Phase::relax_disturbed)
    compare();
  phase_ = Phase::done;
}

void PathEnds::store_torques() {
  const std::vector<double> torques = minimiser_.torques();
  std::copy_n(torques.begin(), torque_.size(), torque_.begin());
}

void PathEnds::disturb(std::uint64_t seed) {
  store_torques();
  minima_ = copy_all_spins(states_);
  minimum_energies_ = minimiser_.energies();
  perturb(states_, model_->canonical(), seed, disturbance, 0, 2, RandomTurns::half_together);
  minimiser_.start(states_);
  phase_ = Phase::relax_disturbed;
}

/// From a minimum, the energy can fall at most by the sum of torque times rotation over all spins,
/// where each torque is within the tolerance. If an end falls by more, it was not at a minimum, and
/// it stays at the lower state. Otherwise it returns to the minimum found before.
void PathEnds::compare() {
  std::vector<SiteVectors> now = copy_all_spins(states_);
  const std::vector<double> energies = minimiser_.energies(), torques = minimiser_.torques();
  const auto spins = static_cast<double>(states_.layout().spins());
  const double rounding = 100 *
                          energy_rounding(states_.device().precision, states_.layout().spins()) *
                          model_->largest_derivative();
  for (std::size_t end = 0; end < 2; ++end) {
    const double fall = spins * (minimum_energies_[end] - energies[end]);
    if (fall > settings_.tolerance * sum_of_turns(minima_[end], now[end]) + rounding) {
      fall_[end] = fall;
      torque_[end] = torques[end];
    } else {
      now[end] = minima_[end];
    }
  }
  store_spins(now, 0, states_);
  minima_.clear();
}

std::vector<double> PathEnds::save() const {
  const std::vector<double> spins = states_.save();
  std::vector<double> numbers{static_cast<double>(phase_),
                              static_cast<double>(steps_),
                              static_cast<double>(states_.step),
                              torque_[0],
                              torque_[1],
                              fall_[0],
                              fall_[1],
                              static_cast<double>(spins.size())};
  save_numbers(numbers, spins);
  if (phase_ == Phase::relax_disturbed) {
    save_numbers(numbers, minimum_energies_);
    for (const SiteVectors& end : minima_) save_numbers(numbers, end);
  }
  save_numbers(numbers, minimiser_.save());
  return numbers;
}

void PathEnds::load(std::span<const double> saved) {
  phase_ = static_cast<Phase>(take_number(saved));
  steps_ = static_cast<Index>(take_number(saved));
  states_.step = static_cast<std::uint64_t>(take_number(saved));
  for (double& torque : torque_) torque = take_number(saved);
  for (double& fall : fall_) fall = take_number(saved);
  const auto spins = static_cast<std::size_t>(take_number(saved));
  states_.load(take_numbers(saved, spins));
  minima_.clear();
  if (phase_ == Phase::relax_disturbed) {
    minimum_energies_.resize(2);
    take_into(saved, minimum_energies_);
    minima_.assign(2, SiteVectors(3 * static_cast<std::size_t>(states_.layout().sites)));
    for (SiteVectors& end : minima_) take_into(saved, end);
  }
  minimiser_.load(saved);
}

double path_ends_bytes(const SpinLayout& two, Precision precision) {
  return minimiser_bytes({}, two, precision) +
         static_cast<double>(bytes_of_reals(precision, two.numbers()));
}

}  // namespace larmor::spins
