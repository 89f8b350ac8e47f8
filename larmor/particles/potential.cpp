#include "larmor/particles/potential.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::particles {
namespace {

/// Steps of a descent, in units of L: the longest, and one that ends it. The last one is the way
/// from a saddle.
constexpr double longest_step = 0.05, last_step = 1e-11, step_from_saddle = 1e-3;
/// A descent that goes farther, in units of L, finds no minimum.
constexpr double farthest = 500;
constexpr int most_steps = 20000;
/// Eigenvalues of the Hessian below this share of the largest one count as zero.
constexpr double flat = 1e-7;

}  // namespace

std::string text_of(std::span<const double> place) {
  std::string text = "(";
  for (const double x : place) text += (text.size() > 1 ? ", " : "") + number_text(x);
  return text + ")";
}

Potential::Potential(const PotentialKeys& keys)
    : coordinates_(keys.coordinates.size()),
      length_(keys.length),
      energy_(keys.potential, keys.coordinates, keys.parameters) {
  for (const std::string& formula : keys.gradient)
    gradient_.emplace_back(formula, keys.coordinates, keys.parameters);
}

void Potential::differences(std::span<const double> place, std::span<double> gradient) {
  const double s = length_ * std::pow(std::numeric_limits<double>::epsilon(), 0.2);
  shifted_.assign(place.begin(), place.end());
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const auto energy_at = [&](double shift) {
      shifted_[i] = place[i] + shift;
      return energy_(shifted_);
    };
    const double near = energy_at(s) - energy_at(-s), far = energy_at(2 * s) - energy_at(-2 * s);
    gradient[i] = (8 * near - far) / (12 * s);
    shifted_[i] = place[i];
  }
}

void Potential::gradient(std::span<const double> place, std::span<double> gradient) {
  if (gradient_.empty()) {
    differences(place, gradient);
  } else {
    for (std::size_t i = 0; i < coordinates_; ++i) gradient[i] = gradient_[i](place);
  }
  for (const double g : gradient)
    if (!std::isfinite(g))
      throw UnphysicalError("the gradient of the potential is not finite at " + text_of(place) +
                            "; try a shorter timestep, or another potential");
}

double Potential::error_of_gradient(std::span<const double> place, std::size_t& coordinate) {
  double largest = 0;
  if (gradient_.empty()) return largest;
  std::vector<double> by_differences(coordinates_);
  differences(place, by_differences);
  const double scale = std::abs(energy_(place)) / length_ + 1e-6 / length_;
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const double exact = gradient_[i](place);
    const double error = std::abs(exact - by_differences[i]) / (std::abs(exact) + scale);
    if (error <= largest) continue;
    largest = error;
    coordinate = i;
  }
  return largest;
}

Minimum Potential::minimum_near(std::span<const double> place) {
  const auto n = static_cast<Eigen::Index>(coordinates_);
  Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(place.data(), n), g(n), above(n), below(n);
  const auto as_span = [](Eigen::VectorXd& v) {
    return std::span<double>(v.data(), static_cast<std::size_t>(v.size()));
  };
  const auto refusal = [&](const char* problem) {
    return UnphysicalError("the steepest descent from " + text_of(place) + problem +
                           text_of(as_span(x)) +
                           "; give a potential with isolated minima, or a formula `state`");
  };
  const double s = 1e-4 * length_;
  const Eigen::VectorXd start = x;
  double energy = energy_(as_span(x));
  for (int step = 0; step < most_steps; ++step) {
    gradient(as_span(x), as_span(g));
    Eigen::MatrixXd hessian(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      Eigen::VectorXd shifted = x;
      shifted(i) = x(i) + s;
      gradient(as_span(shifted), as_span(above));
      shifted(i) = x(i) - s;
      gradient(as_span(shifted), as_span(below));
      hessian.col(i) = (above - below) / (2 * s);
    }
    const auto modes = eigensystem(Eigen::MatrixXd((hessian + hessian.transpose()) / 2));
    const double lowest = modes.values(0), highest = modes.values.cwiseAbs().maxCoeff();
    if (lowest > 0) {
      const Eigen::VectorXd newton =
          -modes.vectors * (modes.vectors.transpose() * g).cwiseQuotient(modes.values);
      const double size = newton.norm();
      if (size < longest_step * length_) {
        x += newton;
        energy = energy_(as_span(x));
        if (size >= last_step * length_) continue;
        if (lowest < flat * highest) throw refusal(" ends in a minimum that is not isolated, ");
        return {{x.data(), x.data() + n}, energy};
      }
    }
    const double slope = g.norm();
    if (slope * length_ <= 1e-12 * std::max(std::abs(energy), highest * length_ * length_)) {
      // Neither a minimum nor a slope: leaves a saddle along its lowest mode.
      if (!(lowest < -flat * highest)) throw refusal(" ends where the potential is flat, at ");
      x += step_from_saddle * length_ * modes.vectors.col(0);
      energy = energy_(as_span(x));
      continue;
    }
    double move = std::min(longest_step * length_, slope / std::max(highest, 1e-300));
    Eigen::VectorXd next = x - move / slope * g;
    while (!(energy_(as_span(next)) < energy) && move > last_step * length_) {
      move /= 2;
      next = x - move / slope * g;
    }
    x = next;
    energy = energy_(as_span(x));
    if (!std::isfinite(energy) || (x - start).norm() > farthest * length_)
      throw refusal(" finds no minimum, and has come to ");
  }
  throw refusal(" does not converge, and has come to ");
}

}  // namespace larmor::particles
