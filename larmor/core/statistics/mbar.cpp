#include "larmor/core/statistics/mbar.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "larmor/core/error.hpp"

namespace larmor {
namespace {

using Cells = std::size_t;

/// The equations hold to this fraction of the n_k.
constexpr double tolerance = 1e-11;
constexpr int most_steps = 100;
/// Largest step of a free energy for which exponentials do not overflow.
constexpr double farthest = 100;
/// Most restarts of the iteration from better free energies.
constexpr int most_rounds = 50;

/// Indices of the states, by rising b.
std::vector<std::size_t> order_of(const std::vector<double>& b) {
  std::vector<std::size_t> order(b.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return b[i] < b[j]; });
  return order;
}

/// The f_k at which the iteration begins: the integrals of d f / d b = <E> over mean energies, by
/// the trapezoidal rule.
std::vector<double> integrated(const std::vector<double>& b, const std::vector<double>& mean) {
  const std::vector<std::size_t> order = order_of(b);
  std::vector<double> f(b.size(), 0.0);
  for (std::size_t n = 1; n < order.size(); ++n) {
    const std::size_t k = order[n], before = order[n - 1];
    f[k] = f[before] + (b[k] - b[before]) * (mean[k] + mean[before]) / 2;
  }
  return f;
}

/// The equations for steps d_k from approximate free energies f_k; D_0 is D(E) without steps. The
/// steps minimise the convex function sum_E C ln(D / D_0) - sum_k n_k d_k. The gradient of this
/// function is sum_E C p_k - n_k with p_k = n_k exp(d_k) r_k D_0 / D.
class Equations {
 public:
  /// @param r exp(f_k - b_k E) / D_0(E) (cell, K)
  Equations(const std::vector<double>& r, const HistogramCounts& counts)
      : r_(r), counts_(counts), states_(counts.of_state.size()) {}

  /// D / D_0 of each cell.
  std::vector<double> ratios(const Eigen::VectorXd& d) const {
    const Eigen::VectorXd weight = weights(d);
    std::vector<double> ratio(counts_.of_cell.size(), 1.0);
    for (Cells e = 0; e < ratio.size(); ++e) ratio[e] = sum_at(e, weight);
    return ratio;
  }

  /// Makes Newton's steps, halved until the function falls. If no step lowers it, makes one
  /// fixed-point step of the equations.
  /// @return whether the steps converged; false also if d is so large that r must be computed anew
  bool solve(Eigen::VectorXd& d) const {
    const double samples = std::accumulate(counts_.of_cell.begin(), counts_.of_cell.end(), 0.0);
    double value = function(d);
    for (int step = 0; step < most_steps && d.lpNorm<Eigen::Infinity>() < farthest; ++step) {
      Eigen::VectorXd gradient;
      Eigen::MatrixXd curvature;
      derivatives(d, gradient, curvature);
      double worst = 0;
      for (std::size_t k = 0; k < states_; ++k)
        worst = std::max(worst, std::abs(gradient(index(k))) / counts_.of_state[k]);
      if (worst < tolerance) return true;
      // The first f stays fixed: only differences are known.
      const Eigen::Index others = index(states_) - 1;
      Eigen::VectorXd move = Eigen::VectorXd::Zero(index(states_));
      move.tail(others) =
          -curvature.bottomRightCorner(others, others).ldlt().solve(gradient.tail(others));
      // The last steps gain less than the rounding of the function.
      const double slack = 1e-13 * samples;
      double fraction = 1;
      double next = function(d + move);
      while (!(next <= value + slack) && fraction > 1e-3)
        next = function(d + (fraction /= 2) * move);
      if (!(next <= value + slack)) {
        fraction = 1;
        move = iterated(gradient);
        next = function(d + move);
      }
      d += fraction * move;
      value = next;
    }
    return false;
  }

 private:
  static Eigen::Index index(std::size_t k) { return static_cast<Eigen::Index>(k); }

  Eigen::VectorXd weights(const Eigen::VectorXd& d) const {
    Eigen::VectorXd weight(index(states_));
    for (std::size_t k = 0; k < states_; ++k)
      weight(index(k)) = counts_.of_state[k] * std::exp(d(index(k)));
    return weight;
  }
  double sum_at(Cells e, const Eigen::VectorXd& weight) const {
    double sum = 0;
    for (std::size_t k = 0; k < states_; ++k) sum += weight(index(k)) * r_[e * states_ + k];
    return sum;
  }
  /// A fixed-point step: exp(-f_k) from the sums on the right-hand side.
  Eigen::VectorXd iterated(const Eigen::VectorXd& gradient) const {
    Eigen::VectorXd move(index(states_));
    for (std::size_t k = 0; k < states_; ++k) {
      const double share = gradient(index(k)) / counts_.of_state[k] + 1;
      move(index(k)) = -std::log(std::max(share, 1e-12));
    }
    return move.array() - move(0);
  }
  double function(const Eigen::VectorXd& d) const {
    const Eigen::VectorXd weight = weights(d);
    double value = 0;
    for (Cells e = 0; e < counts_.of_cell.size(); ++e)
      if (counts_.of_cell[e] > 0) value += counts_.of_cell[e] * std::log(sum_at(e, weight));
    for (std::size_t k = 0; k < states_; ++k) value -= counts_.of_state[k] * d(index(k));
    return value;
  }
  void derivatives(const Eigen::VectorXd& d, Eigen::VectorXd& gradient,
                   Eigen::MatrixXd& curvature) const {
    const Eigen::VectorXd weight = weights(d);
    gradient = Eigen::VectorXd::Zero(index(states_));
    curvature = Eigen::MatrixXd::Zero(index(states_), index(states_));
    Eigen::VectorXd p(index(states_));
    for (Cells e = 0; e < counts_.of_cell.size(); ++e) {
      const double count = counts_.of_cell[e];
      if (count <= 0) continue;
      const double sum = sum_at(e, weight);
      for (std::size_t k = 0; k < states_; ++k)
        p(index(k)) = weight(index(k)) * r_[e * states_ + k] / sum;
      gradient += count * p;
      curvature -= count * p * p.transpose();
    }
    curvature.diagonal() += gradient;
    for (std::size_t k = 0; k < states_; ++k) gradient(index(k)) -= counts_.of_state[k];
  }

  const std::vector<double>& r_;
  const HistogramCounts& counts_;
  std::size_t states_;
};

double sum_of(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

void require_fitting(const HistogramCounts& counts, std::size_t cells, std::size_t states) {
  if (states == 0 || counts.of_cell.size() != cells || counts.of_state.size() != states)
    throw InternalError("multi-histogram: counts differ in size from cells and states");
  const double samples = sum_of(counts.of_cell);
  const bool each =
      std::all_of(counts.of_state.begin(), counts.of_state.end(), [](double n) { return n > 0; });
  if (!each || std::abs(sum_of(counts.of_state) - samples) > 1e-6 * samples)
    throw InternalError("multi-histogram: cells and states have unequal numbers of samples");
}

}  // namespace

Mbar::Mbar(std::vector<double> energy, std::vector<double> b, HistogramCounts counts,
           const std::vector<double>& mean)
    : energy_(std::move(energy)), b_(std::move(b)), counts_(std::move(counts)) {
  require_fitting(counts_, energy_.size(), b_.size());
  if (mean.size() != b_.size())
    throw InternalError("multi-histogram: means differ in size from states");
  for (Cells e = 0; e < energy_.size(); ++e) origin_ += counts_.of_cell[e] * energy_[e];
  origin_ /= sum_of(counts_.of_cell);
  for (double& E : energy_) E -= origin_;
  std::vector<double> about_origin = mean;
  for (double& E : about_origin) E -= origin_;
  f_ = integrated(b_, about_origin);
  for (int round = 0; round < most_rounds && !converged_; ++round) {
    update_probabilities();
    Eigen::VectorXd d = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(b_.size()));
    const bool solved = Equations(probability_, counts_).solve(d);
    if (!d.allFinite()) break;
    for (std::size_t k = 0; k < b_.size(); ++k) f_[k] += d(static_cast<Eigen::Index>(k));
    converged_ = solved && d.lpNorm<Eigen::Infinity>() < 1e-9;
  }
  update_probabilities();
}

/// Computes D(E) and the probabilities from f_k.
void Mbar::update_probabilities() {
  const std::size_t states = b_.size();
  log_sum_.assign(energy_.size(), 0.0);
  probability_.assign(energy_.size() * states, 0.0);
  std::vector<double> exponent(states);
  for (Cells e = 0; e < energy_.size(); ++e) {
    for (std::size_t k = 0; k < states; ++k) exponent[k] = f_[k] - b_[k] * energy_[e];
    const double largest = *std::max_element(exponent.begin(), exponent.end());
    double sum = 0;
    for (std::size_t k = 0; k < states; ++k)
      sum += counts_.of_state[k] * std::exp(exponent[k] - largest);
    log_sum_[e] = largest + std::log(sum);
    for (std::size_t k = 0; k < states; ++k)
      probability_[e * states + k] = std::exp(exponent[k] - log_sum_[e]);
  }
}

std::vector<double> Mbar::free_energies() const {
  std::vector<double> f;
  for (std::size_t k = 0; k < b_.size(); ++k)
    f.push_back(f_[k] - f_[0] + (b_[k] - b_[0]) * origin_);
  return f;
}

std::vector<double> Mbar::overlaps() const {
  const std::size_t states = b_.size();
  const std::vector<std::size_t> order = order_of(b_);
  std::vector<double> shared(states - 1, 0.0);
  for (Cells e = 0; e < energy_.size(); ++e) {
    double p = 0;
    for (std::size_t n = 0; n + 1 < states; ++n) {
      p += counts_.of_state[order[n]] * probability_[e * states + order[n]];
      shared[n] += counts_.of_cell[e] * p * std::max(1 - p, 0.0);
    }
  }
  return shared;
}

std::vector<double> Mbar::weights(double b) const {
  std::vector<double> weight(energy_.size());
  for (Cells e = 0; e < weight.size(); ++e) weight[e] = -b * energy_[e] - log_sum_[e];
  const double largest = *std::max_element(weight.begin(), weight.end());
  double sum = 0;
  for (Cells e = 0; e < weight.size(); ++e) {
    weight[e] = std::exp(weight[e] - largest);
    sum += counts_.of_cell[e] * weight[e];
  }
  for (double& w : weight) w /= sum;
  return weight;
}

double Mbar::effective_samples(double b) const {
  const std::vector<double> weight = weights(b);
  double squares = 0;
  for (Cells e = 0; e < weight.size(); ++e) squares += counts_.of_cell[e] * weight[e] * weight[e];
  return 1 / squares;
}

std::vector<double> Mbar::changes(const HistogramCounts& counts) const {
  require_fitting(counts, energy_.size(), b_.size());
  const Equations equations(probability_, counts);
  Eigen::VectorXd d = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(b_.size()));
  equations.solve(d);
  std::vector<double> change = equations.ratios(d);
  for (double& ratio : change) ratio = 1 / ratio;
  return change;
}

}  // namespace larmor
