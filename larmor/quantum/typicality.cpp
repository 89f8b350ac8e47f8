#include "larmor/quantum/typicality.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::quantum {
namespace {

constexpr auto typical_state_stream = static_cast<Stream>(30);
/// A vector that shrinks to this fraction lies in the space of the others.
constexpr double exhausted_krylov = 1e-13;

double dot(const Vector& a, const Vector& b) {
  const Vector* const other[] = {&b};
  return transfer::dots(a, other).front();
}

/// a -= c b
void subtract_one(Vector& a, double c, const Vector& b) {
  const double coefficient[] = {c};
  const Vector* const vector[] = {&b};
  transfer::subtract(a, coefficient, vector);
}

}  // namespace

TypicalState::TypicalState(const Device& device, const SpinModel& model, const Sector& sector,
                           const std::vector<double>& beta, const TypicalitySettings& settings)
    : model_(model),
      sector_(sector),
      beta_(beta),
      settings_(settings),
      H_(device, model, sector),
      last_(device, H_.states()),
      present_(device, H_.states()),
      next_(device, H_.states()) {
  settings_.steps = std::min(settings_.steps, H_.states());
  begin_pass();
}

double TypicalState::bytes(int sites, const Sector& sector, Index temperatures) {
  return Hamiltonian::bytes(sites, sector) +
         8 * StateSpace::states_of(sites, sector) * static_cast<double>(temperatures + 3);
}

void TypicalState::begin_pass() {
  transfer::randomise(present_, {settings_.seed, settings_.vector, typical_state_stream});
  transfer::scale(present_, 1 / transfer::norm(present_));
  step_ = 0;
}

bool TypicalState::step() {
  if (is_second_) {
    add_vector();
    if (step_ + 1 == std::ssize(diagonal_)) {
      take_averages();
      return true;
    }
  }
  advance();
  return false;
}

void TypicalState::advance() {
  H_.multiply(present_, next_);
  ++products_;
  const double before = is_second_ ? 0 : transfer::norm(next_);
  if (step_ > 0) subtract_one(next_, off_diagonal_[static_cast<std::size_t>(step_ - 1)], last_);
  if (!is_second_) diagonal_.push_back(dot(next_, present_));
  subtract_one(next_, diagonal_[static_cast<std::size_t>(step_)], present_);
  const double length =
      is_second_ ? off_diagonal_[static_cast<std::size_t>(step_)] : transfer::norm(next_);
  if (!is_second_) {
    if (++step_ == settings_.steps || length <= exhausted_krylov * before) {
      end_first_pass();
      return;
    }
    off_diagonal_.push_back(length);
  } else {
    ++step_;
  }
  transfer::scale(next_, 1 / length);
  std::swap(last_, present_);
  std::swap(present_, next_);
}

void TypicalState::end_first_pass() {
  const auto M = std::ssize(diagonal_);
  const auto system =
      eigensystem_of_tridiagonal(Eigen::Map<const Eigen::VectorXd>(diagonal_.data(), M),
                                 Eigen::Map<const Eigen::VectorXd>(off_diagonal_.data(), M - 1));
  const double E0 = system.values(0), ln_D = std::log(static_cast<double>(H_.states()));
  for (const double beta : beta_) {
    const Eigen::VectorXd above = system.values.array() - E0;
    const Eigen::VectorXd half = (-0.5 * beta * above.array()).exp();
    const Eigen::VectorXd first = system.vectors.row(0).transpose();
    const Eigen::VectorXd weights = (half.array() * first.array()).square();
    const double Z = weights.sum(), mean = weights.dot(above) / Z;
    const double square = weights.dot(above.cwiseAbs2()) / Z;
    TypicalAverages own{};
    own.ln_Z = ln_D + std::log(Z) - beta * E0;
    own.energy = E0 + mean;
    own.energy_squared = square + 2 * E0 * mean + E0 * E0;
    averages_.push_back(own);
    const Eigen::VectorXd coefficients =
        system.vectors * (half.array() * first.array()).matrix() / std::sqrt(Z);
    coefficients_.insert(coefficients_.end(), coefficients.begin(), coefficients.end());
    states_.emplace_back(present_.device(), H_.states());
  }
  is_second_ = true;
  begin_pass();
}

void TypicalState::add_vector() {
  const auto M = std::ssize(diagonal_);
  for (std::size_t n = 0; n < states_.size(); ++n)
    subtract_one(states_[n],
                 -coefficients_[n * static_cast<std::size_t>(M) + static_cast<std::size_t>(step_)],
                 present_);
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
