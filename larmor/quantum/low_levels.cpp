#include "larmor/quantum/low_levels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace larmor::quantum {
LowLevels::LowLevels(const Device& device, const SpinModel& model, const Sector& sector,
                     const LevelSettings& settings)
    : model_(model),
      sector_(sector),
      settings_(settings),
      bound_(model.upper_bound()),
      H_(device, model, sector),
      chain_(device, H_, &vectors_),
      state_(device, H_.states()) {
  settings_.wanted = std::min(settings.wanted, H_.states());
  begin_level();
}

void LowLevels::begin_level() {
  const RandomKey key{settings_.seed, static_cast<std::uint64_t>(found_.size()), Stream::lanczos};
  transfer::randomise(state_, key);
  chain_.begin([this](Vector& v) { transfer::copy(state_, v); });
  chain_.forget();
  next_look_ = 4;
  is_adding_ = false;
  last_residual_ = std::numeric_limits<double>::infinity();
}

double LowLevels::allowed_residual(double energy) const {
  return settings_.tolerance * std::max(bound_ - energy, 1e-300);
}

bool LowLevels::step() {
  if (is_adding_)
    add_vector();
  else
    extend();
  return std::ssize(found_) == settings_.wanted;
}

void LowLevels::extend() {
  const bool is_exhausted = !chain_.extend();
  ++products_;
  const Index length = chain_.length();
  if (length < next_look_ && length < settings_.longest_chain && !is_exhausted) return;
  next_look_ = length + 4 + length / 8;
  const RitzValues ritz = chain_.ritz_values();
  const double residual =
      chain_.last_length() * std::abs(ritz.vectors[static_cast<std::size_t>(length - 1)]);
  is_converged_ = residual <= 0.5 * allowed_residual(ritz.values.front());
  if (!is_exhausted && length < settings_.longest_chain && !is_converged_) return;
  coefficients_.assign(ritz.vectors.begin(), ritz.vectors.begin() + length);
  begin_sum();
}

void LowLevels::begin_sum() {
  chain_.begin([this](Vector& v) { transfer::copy(state_, v); });
  transfer::scale(state_, 0);
  is_adding_ = true;
}

void LowLevels::add_vector() {
  const double coefficient[] = {-coefficients_[static_cast<std::size_t>(chain_.position())] *
                                chain_.factor()};
  const Vector* const vector[] = {&chain_.vector()};
  transfer::subtract(state_, coefficient, vector);
  if (chain_.position() + 1 == chain_.length()) {
    end_sum();
    return;
  }
  chain_.repeat();
  ++products_;
}

void LowLevels::end_sum() {
  transfer::scale(state_, 1 / transfer::norm(state_));
  Vector& product = chain_.product(state_);
  ++products_;
  const Vector* const self[] = {&state_};
  const std::vector<double> energy = transfer::dots(product, self);
  transfer::subtract(product, energy, self);
  const double residual = transfer::norm(product);
  // Rounding errors may exceed the tolerance: then further chains make no progress.
  const bool is_done = residual <= allowed_residual(energy.front()) ||
                       (is_converged_ && residual > 0.5 * last_residual_);
  if (!is_done) {
    last_residual_ = residual;
    chain_.begin([this](Vector& v) { transfer::copy(state_, v); });
    chain_.forget();
    next_look_ = 4;
    is_adding_ = false;
    return;
  }
  found_.push_back({energy.front(), residual});
  Vector kept(state_.device(), H_.states());
  std::swap(kept, state_);
  vectors_.push_back(std::move(kept));
  if (std::ssize(found_) < settings_.wanted) begin_level();
}

std::vector<std::size_t> LowLevels::order() const {
  std::vector<std::size_t> order(found_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t n) { return found_[n].energy; });
  return order;
}

std::vector<EnergyLevel> LowLevels::levels() const {
  std::vector<EnergyLevel> levels;
  for (const std::size_t n : order()) levels.push_back(found_[n]);
  return levels;
}

ExpectationValues LowLevels::averages(Index n) const {
  return {model_, sector_, vectors_[order()[static_cast<std::size_t>(n)]]};
}

double LowLevels::bytes(int sites, const Sector& sector, const LevelSettings& settings) {
  return Hamiltonian::bytes(sites, sector) +
         8 * StateSpace::states_of(sites, sector) * static_cast<double>(4 + settings.wanted);
}

}  // namespace larmor::quantum
