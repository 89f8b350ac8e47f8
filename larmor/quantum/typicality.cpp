#include "larmor/quantum/typicality.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::quantum {
namespace {}  // namespace

TypicalState::TypicalState(const Device& device, const SpinModel& model, const Sector& sector,
                           const std::vector<double>& beta, const TypicalitySettings& settings)
    : model_(model),
      sector_(sector),
      beta_(beta),
      settings_(settings),
      H_(device, model, sector),
      chain_(device, H_) {
  begin_pass();
}

double TypicalState::bytes(int sites, const Sector& sector, Index temperatures) {
  return Hamiltonian::bytes(sites, sector) +
         8 * StateSpace::states_of(sites, sector) * static_cast<double>(temperatures + 3);
}

void TypicalState::begin_pass() {
  chain_.begin([this](Vector& v) {
    transfer::randomise(v, {settings_.seed, settings_.vector, Stream::typical_state});
  });
}

bool TypicalState::step() {
  if (!is_second_) {
    const bool goes_on = chain_.extend();
    ++products_;
    if (!goes_on || chain_.length() == settings_.steps) end_first_pass();
    return false;
  }
  add_vector();
  if (chain_.position() + 1 == chain_.length()) {
    take_averages();
    return true;
  }
  chain_.repeat();
  ++products_;
  return false;
}

void TypicalState::end_first_pass() {
  const RitzValues ritz = chain_.ritz_values();
  const Index M = chain_.length();
  const Eigen::Map<const Eigen::VectorXd> values(ritz.values.data(), M);
  const Eigen::Map<const Eigen::MatrixXd> vectors(ritz.vectors.data(), M, M);
  const double E0 = values(0), ln_D = std::log(static_cast<double>(H_.states()));
  for (const double beta : beta_) {
    const Eigen::VectorXd above = values.array() - E0;
    const Eigen::VectorXd half = (-0.5 * beta * above.array()).exp();
    const Eigen::VectorXd first = vectors.row(0).transpose();
    const Eigen::VectorXd weights = (half.array() * first.array()).square();
    const double Z = weights.sum(), mean = weights.dot(above) / Z;
    const double square = weights.dot(above.cwiseAbs2()) / Z;
    TypicalAverages own{};
    own.ln_Z = ln_D + std::log(Z) - beta * E0;
    own.energy = E0 + mean;
    own.energy_squared = square + 2 * E0 * mean + E0 * E0;
    averages_.push_back(own);
    const Eigen::VectorXd coefficients =
        vectors * (half.array() * first.array()).matrix() / std::sqrt(Z);
    coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
    states_.emplace_back(chain_.vector().device(), H_.states());
  }
  is_second_ = true;
  begin_pass();
}

void TypicalState::add_vector() {
  const Vector* const vector[] = {&chain_.vector()};
  for (std::size_t n = 0; n < states_.size(); ++n) {
    const double coefficient[] = {-coefficients_[n * static_cast<std::size_t>(chain_.length()) +
                                                 static_cast<std::size_t>(chain_.position())] *
                                  chain_.factor()};
    transfer::subtract(states_[n], coefficient, vector);
  }
}

void TypicalState::take_averages() {
  for (std::size_t n = 0; n < states_.size(); ++n) {
    transfer::scale(states_[n], 1 / transfer::norm(states_[n]));
    const ExpectationValues averages(model_, sector_, states_[n]);
    averages_[n].sx = averages.sx();
    averages_[n].diagonal = averages.diagonal();
  }
}

namespace {

/// A function of sums over random vectors: its value without bias to order 1 / R, and its error, by
/// the jackknife. @param sums [vector] sums of one vector
template <std::size_t count>
Estimated jackknife(const std::vector<std::array<double, count>>& sums,
                    const std::function<double(const std::array<double, count>&)>& function) {
  const auto R = static_cast<double>(sums.size());
  std::array<double, count> all{};
  for (const auto& of_vector : sums)
    for (std::size_t k = 0; k < count; ++k) all[k] += of_vector[k];
  std::vector<double> without;
  double mean = 0;
  for (const auto& of_vector : sums) {
    std::array<double, count> rest = all;
    for (std::size_t k = 0; k < count; ++k) rest[k] -= of_vector[k];
    without.push_back(function(rest));
    mean += without.back() / R;
  }
  double variance = 0;
  for (const double value : without) variance += (value - mean) * (value - mean);
  return {R * function(all) - (R - 1) * mean, std::sqrt((R - 1) / R * variance)};
}

}  // namespace

TypicalEstimates estimates_of(const std::vector<std::vector<TypicalAverages>>& samples,
                              double beta) {
  double largest = samples.front().front().ln_Z;
  for (const auto& sectors : samples)
    for (const TypicalAverages& own : sectors) largest = std::max(largest, own.ln_Z);
  const double E0 = samples.front().front().energy;
  /// The ratio of sums of Z <A> and Z.
  const auto mean_of = [&](const std::function<double(const TypicalAverages&)>& value) {
    std::vector<std::array<double, 2>> sums;
    for (const auto& sectors : samples) {
      std::array<double, 2> sum{};
      for (const TypicalAverages& own : sectors) {
        const double weight = std::exp(own.ln_Z - largest);
        sum[0] += weight;
        sum[1] += weight * value(own);
      }
      sums.push_back(sum);
    }
    return jackknife<2>(sums, [](const auto& sum) { return sum[1] / sum[0]; });
  };
  using Three = std::array<double, 3>;
  const auto three =
      [&](const std::function<std::array<double, 2>(const TypicalAverages&)>& value) {
        std::vector<Three> sums;
        for (const auto& sectors : samples) {
          Three sum{};
          for (const TypicalAverages& own : sectors) {
            const double weight = std::exp(own.ln_Z - largest);
            const auto [a, b] = value(own);
            sum[0] += weight;
            sum[1] += weight * a;
            sum[2] += weight * b;
          }
          sums.push_back(sum);
        }
        return sums;
      };
  TypicalEstimates found;
  std::vector<std::array<double, 2>> weights;
  for (const auto& sectors : samples) {
    weights.push_back({0, 1});
    for (const TypicalAverages& own : sectors) weights.back()[0] += std::exp(own.ln_Z - largest);
  }
  found.ln_Z =
      jackknife<2>(weights, [&](const auto& sum) { return std::log(sum[0] / sum[1]) + largest; });
  found.energy = mean_of([](const TypicalAverages& own) { return own.energy; });
  // Energies relative to E0, so that differences of squares keep their digits.
  found.specific_heat =
      jackknife<3>(three([&](const TypicalAverages& own) {
                     const double above = own.energy - E0;
                     return std::array{above, own.energy_squared - 2 * E0 * own.energy + E0 * E0};
                   }),
                   [&](const Three& sum) {
                     const double mean = sum[1] / sum[0];
                     return beta * beta * (sum[2] / sum[0] - mean * mean);
                   });
  found.binder =
      jackknife<3>(three([](const TypicalAverages& own) {
                     return std::array{own.diagonal.m2, own.diagonal.m4};
                   }),
                   [](const Three& sum) { return 1 - sum[0] * sum[2] / (3 * sum[1] * sum[1]); });
  found.abs_m = mean_of([](const TypicalAverages& own) { return own.diagonal.abs_m; });
  found.m2 = mean_of([](const TypicalAverages& own) { return own.diagonal.m2; });
  found.m4 = mean_of([](const TypicalAverages& own) { return own.diagonal.m4; });
  const TypicalAverages& any = samples.front().front();
  for (std::size_t i = 0; i < any.sx.size(); ++i) {
    found.sx.push_back(mean_of([i](const TypicalAverages& own) { return own.sx[i]; }));
    found.sz.push_back(mean_of([i](const TypicalAverages& own) { return own.diagonal.sz[i]; }));
  }
  for (std::size_t i = 0; i < any.diagonal.szsz.size(); ++i)
    found.szsz.push_back(mean_of([i](const TypicalAverages& own) { return own.diagonal.szsz[i]; }));
  return found;
}

}  // namespace larmor::quantum
