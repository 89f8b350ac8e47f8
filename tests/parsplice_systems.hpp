#pragma once
// Systems with states whose rates are known: motion in the double well V = h (x^2 - 1)^2 with kT =
// 1, and Markov chains.

#include <array>
#include <cmath>
#include <vector>

#include "larmor/core/maths/normal.hpp"
#include "larmor/parsplice/segment_system.hpp"

namespace larmor::parsplice_testing {

using namespace parsplice;

constexpr StateLabel left_well = 1, right_well = 2, well_top = 3;

/// Overdamped motion with the diffusion constant 1, as a random walk on the points x = i a. The
/// rates 2 / a^2 / (1 + exp(V_j - V_i)) of a move from i to j obey detailed balance. A step moves
/// with the probability rate * step(), so a rate of exit per step is exactly the rate times step().
/// Point 0 is a state of its own.
class DiffusionOnPoints : public SegmentSystem {
 public:
  DiffusionOnPoints(double h, double a) : h_(h), a_(a) {
    // Beyond the last point, V exceeds 25 kT.
    last_ = static_cast<Index>(std::sqrt(1 + std::sqrt(25 / h)) / a) + 1;
    double most = 0;
    for (Index i = -last_; i <= last_; ++i) most = std::max(most, rate(i, i - 1) + rate(i, i + 1));
    step_ = 1 / most;
    for (Index i = -last_; i <= last_; ++i) {
      up_.push_back(rate(i, i + 1) * step_);
      either_.push_back(up_.back() + rate(i, i - 1) * step_);
    }
  }

  double step() const { return step_; }
  Index last() const { return last_; }
  double potential(Index i) const {
    const double x = a_ * static_cast<double>(i);
    return h_ * (x * x - 1) * (x * x - 1);
  }
  double rate(Index i, Index j) const {
    if (std::abs(j) > last_) return 0;
    return 2 / (a_ * a_) / (1 + std::exp(potential(j) - potential(i)));
  }
  Configuration minimum(int side) const { return {std::round(side / a_)}; }

  Index numbers() const override { return 1; }
  StateLabel state(std::span<const double> x) const override {
    return x[0] < 0 ? left_well : x[0] > 0 ? right_well : well_top;
  }
  Configuration reference(std::span<const double> x) const override {
    return minimum((x[0] > 0) - (x[0] < 0));
  }
  Advance advance(std::span<double> x, Index steps, const RandomKey& key) const override {
    const StateLabel home = state(x);
    auto point = static_cast<Index>(x[0]);
    RandomKey call = key;
    RandomWords<std::uint64_t> words{};
    StateLabel now = home;
    Index done = 0;
    while (done < steps && now == home) {
      const std::uint64_t at = key.step + static_cast<std::uint64_t>(done++);
      // A call of Philox has the words of four steps.
      if (done == 1 || at % 4 == 0) {
        call.step = at / 4;
        words = philox(call, std::uint64_t{0}, std::uint64_t{0});
      }
      const double uniform = uniform_32<double>(words.w[at % 4]);
      const auto i = static_cast<std::size_t>(point + last_);
      point += uniform < up_[i] ? 1 : uniform < either_[i] ? -1 : 0;
      now = point < 0 ? left_well : point > 0 ? right_well : well_top;
    }
    x[0] = static_cast<double>(point);
    return {done, now};
  }

 private:
  double h_, a_, step_;
  Index last_;
  std::vector<double> up_, either_;  ///< probabilities of a step
};

/// Motion with a friction, dv = -V' dt - g v dt + sqrt(2 g) dW with mass 1, by the scheme BAOAB (B.
/// Leimkuhler and C. Matthews, Appl. Math. Res. Express 2013, 34 (2013)). The numbers are x and v.
class LangevinMotion : public SegmentSystem {
 public:
  LangevinMotion(double h, double friction, double step) : h_(h), step_(step) {
    keep_ = std::exp(-friction * step);
    noise_ = std::sqrt(1 - keep_ * keep_);
  }

  double step() const { return step_; }
  Index numbers() const override { return 2; }
  StateLabel state(std::span<const double> x) const override {
    return x[0] < 0 ? left_well : right_well;
  }
  Configuration reference(std::span<const double> x) const override {
    return {x[0] < 0 ? -1.0 : 1.0, 0.0};
  }
  Advance advance(std::span<double> numbers, Index steps, const RandomKey& key) const override {
    const StateLabel home = state(numbers);
    double x = numbers[0], v = numbers[1];
    RandomKey call = key;
    std::array<double, 3> normal{};
    Index done = 0;
    bool is_home = true;
    double force = force_at(x);
    while (done < steps && is_home) {
      const std::uint64_t at = key.step + static_cast<std::uint64_t>(done++);
      if (done == 1 || at % 3 == 0) {
        call.step = at / 3;
        const auto drawn = normal_vector<double>(philox(call, std::uint64_t{0}, std::uint64_t{0}));
        normal = {drawn.x, drawn.y, drawn.z};
      }
      v += step_ / 2 * force;
      x += step_ / 2 * v;
      v = keep_ * v + noise_ * normal[at % 3];
      x += step_ / 2 * v;
      force = force_at(x);
      v += step_ / 2 * force;
      is_home = (x < 0) == (home == left_well);
    }
    numbers[0] = x;
    numbers[1] = v;
    return {done, state(numbers)};
  }

 private:
  double force_at(double x) const { return -4 * h_ * x * (x * x - 1); }

  double h_, step_, keep_, noise_;
};

/// A Markov chain in continuous time, in steps so short that at most one jump falls into a step.
/// The number is the state, which is also its label.
class JumpChain : public SegmentSystem {
 public:
  JumpChain(std::vector<std::vector<double>> rates, double step)
      : rates_(std::move(rates)), step_(step) {
    for (const std::vector<double>& row : rates_) {
      double sum = 0;
      for (const double rate : row) sum += rate;
      leave_.push_back(sum);
    }
  }

  double step() const { return step_; }
  Index numbers() const override { return 1; }
  StateLabel state(std::span<const double> x) const override {
    return static_cast<StateLabel>(x[0]);
  }
  Configuration reference(std::span<const double> x) const override { return {x[0]}; }
  Advance advance(std::span<double> x, Index steps, const RandomKey& key) const override {
    const auto here = static_cast<std::size_t>(x[0]);
    const auto words = philox(key, std::uint64_t{0}, std::uint64_t{0});
    const double waited =
        std::log(uniform_52<double>(words.w[0], words.w[1])) / std::log1p(-leave_[here] * step_);
    if (waited >= static_cast<double>(steps)) return {steps, here};
    double left = uniform_52<double>(words.w[2], words.w[3]) * leave_[here];
    std::size_t next = here;
    for (std::size_t other = 0; other < rates_.size() && left >= 0; ++other) {
      if (rates_[here][other] == 0) continue;
      left -= rates_[here][other];
      next = other;
    }
    x[0] = static_cast<double>(next);
    return {static_cast<Index>(waited) + 1, next};
  }

 private:
  std::vector<std::vector<double>> rates_;
  double step_;
  std::vector<double> leave_;  ///< sum of the rates from each state
};

}  // namespace larmor::parsplice_testing
