#pragma once
// Walkers on a ladder with a known bottleneck.

#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "larmor/tempering/spacing.hpp"
#include "larmor/tempering/walker_label.hpp"

namespace larmor::tempering::testing_support {

/// Walkers that diffuse along a ladder, and move slowly at temperatures near 1.5. The probability
/// that neighbours exchange falls with the square of their distance, as for diffusion.
class BottleneckWalkers {
 public:
  explicit BottleneckWalkers(std::vector<double> ladder)
      : ladder_(std::move(ladder)), label_(ladder_.size(), WalkerLabel::none) {
    counts_.from_first.resize(ladder_.size());
    counts_.from_last.resize(ladder_.size());
    for (std::size_t rung = 1; rung < ladder_.size(); ++rung)
      probability_.push_back(acceptance(ladder_[rung - 1], ladder_[rung]));
  }

  /// Acceptance of an exchange. The time to diffuse across a gap is the integral of 1 / D, times
  /// the gap.
  static double acceptance(double T, double other) {
    constexpr int parts = 400;
    double resistance = 0;
    for (int n = 0; n < parts; ++n) {
      const double x = std::lerp(T, other, (n + 0.5) / parts);
      const double D = std::abs(x - 1.5) < 0.05 ? 2e-5 : 1e-2;
      resistance += std::abs(other - T) / parts / D;
    }
    return 1 / (1 + resistance * std::abs(other - T));
  }

  /// Proposes exchanges of pairs of a random parity, so that no state is kept between exchanges.
  void run(int exchanges, std::mt19937_64& generator) {
    std::uniform_real_distribution<double> uniform;
    const auto rungs = static_cast<Index>(ladder_.size());
    for (int n = 0; n < exchanges; ++n) {
      for (std::size_t rung = generator() % 2; rung + 1 < ladder_.size(); rung += 2)
        if (uniform(generator) < probability_[rung]) std::swap(label_[rung], label_[rung + 1]);
      for (Index rung = 0; rung < rungs; ++rung) {
        WalkerLabel& label = label_[static_cast<std::size_t>(rung)];
        counts_.round_trips += ends_round_trip(rung, label) ? 1 : 0;
        label = label_at(rung, rungs, label);
        counts_.from_first[static_cast<std::size_t>(rung)] += label == WalkerLabel::from_first;
        counts_.from_last[static_cast<std::size_t>(rung)] += label == WalkerLabel::from_last;
      }
    }
    counts_.exchanges += exchanges;
  }

  void forget_counts() {
    counts_ = {};
    counts_.from_first.resize(ladder_.size());
    counts_.from_last.resize(ladder_.size());
  }

  const FlowCounts& counts() const { return counts_; }
  PairRates rates() const {
    return {probability_,
            std::vector<double>(probability_.size(), std::numeric_limits<double>::infinity())};
  }
  double round_trips_per_exchange() const { return counts_.round_trips / counts_.exchanges; }

 private:
  std::vector<double> ladder_, probability_;
  std::vector<WalkerLabel> label_;
  FlowCounts counts_;
};

inline double measured_rate(const std::vector<double>& ladder, std::mt19937_64& generator) {
  BottleneckWalkers walkers(ladder);
  walkers.run(20000, generator);
  walkers.forget_counts();
  walkers.run(400000, generator);
  return walkers.round_trips_per_exchange();
}

}  // namespace larmor::tempering::testing_support
