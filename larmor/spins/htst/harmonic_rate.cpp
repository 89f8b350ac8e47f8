#include "larmor/spins/htst/harmonic_rate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/error.hpp"

namespace larmor::spins {
namespace {

/// The lowest unstable mode that is not a zero mode. On a lattice, zero modes may also have
/// negative eigenvalues.
const Mode& unstable_mode(const StationaryState& saddle) {
  for (const Mode& mode : saddle.modes) {
    const auto same = [&](const Mode& zero) { return zero.vector == mode.vector; };
    if (mode.value < 0 && std::none_of(saddle.zero_modes.begin(), saddle.zero_modes.end(), same))
      return mode;
  }
  throw InternalError("a rate needs a saddle with an unstable mode");
}

/// (alpha + J) v, where the numbers of each spin are multiplied by its inertia mu / gamma.
std::vector<double> times_dynamics(const std::vector<double>& inertia, double damping,
                                   const std::vector<double>& v) {
  std::vector<double> result(v.size());
  for (std::size_t i = 0; i < inertia.size(); ++i) {
    const double a = v[2 * i], b = v[2 * i + 1];
    result[2 * i] = inertia[i] * (damping * a - b);
    result[2 * i + 1] = inertia[i] * (damping * b + a);
  }
  return result;
}

/// H + kappa (mu / gamma) (alpha + J). H has entries for all four numbers of the diagonal block of
/// each spin.
SparseMatrix dynamical_matrix(SparseMatrix H, const std::vector<double>& inertia, double damping,
                              double kappa) {
  for (std::size_t i = 0; i < inertia.size(); ++i)
    for (std::size_t half = 0; half < 2; ++half) {
      const std::size_t row = 2 * i + half;
      const auto first = H.column.begin() + H.start[row];
      const auto entry =
          static_cast<std::size_t>(std::lower_bound(first, H.column.begin() + H.start[row + 1],
                                                    static_cast<std::int32_t>(2 * i)) -
                                   H.column.begin());
      H.value[entry + half] += kappa * inertia[i] * damping;
      H.value[entry + 1 - half] += kappa * inertia[i] * (half == 0 ? -1 : 1);
    }
  return H;
}

}  // namespace

std::vector<double> spin_inertia(const Model& model, double gyromagnetic_ratio) {
  std::vector<double> inertia;
  for (Index i = 0; i < model.spins(); ++i)
    inertia.push_back(
        model.moments()[static_cast<std::size_t>(model.canonical()[static_cast<std::size_t>(i)])] /
        gyromagnetic_ratio);
  return inertia;
}

double transition_state_factor(const StationaryState& saddle, const std::vector<double>& inertia) {
  const Mode& unstable = unstable_mode(saddle);
  std::vector<double> w(unstable.vector.size());
  for (std::size_t i = 0; i < inertia.size(); ++i) {
    w[2 * i] = -unstable.vector[2 * i + 1] / inertia[i];
    w[2 * i + 1] = unstable.vector[2 * i] / inertia[i];
  }
  // w is orthogonal to the unstable mode, so w^T H w is negative only by rounding. If w^T H w is
  // not above rounding errors, w rotates all spins about an axis of symmetry.
  constexpr double rounding = 1e-12;
  const std::vector<double>& H = saddle.expansion.hessian.value;
  double largest = 0;
  for (const double x : H) largest = std::max(largest, std::abs(x));
  const double squared = scalar_product(w, product(saddle.expansion.hessian, w));
  if (squared <= rounding * largest * scalar_product(w, w)) return 0;
  return std::sqrt(-unstable.value * squared);
}

/// Langer's kappa by inverse iteration. All other solutions decay or oscillate, so kappa is the
/// solution nearest to any start value above kappa / 2. The value without a heat bath is an upper
/// bound of kappa.
double langer_factor(const StationaryState& saddle, const std::vector<double>& inertia,
                     double damping) {
  constexpr int most_factorisations = 40, solutions_each = 3;
  constexpr double near = 0.1, converged = 1e-12, offset_factor = 1 + 1e-6;
  const SparseMatrix& H = saddle.expansion.hessian;
  SparseFactorisation factorisation(H, Symmetry::general);
  std::vector<double> v = unstable_mode(saddle).vector;
  // For a single spin, this sum is an upper bound of the growth rate kappa. The start is slightly
  // larger, because the matrix is singular at kappa.
  const double lightest = *std::min_element(inertia.begin(), inertia.end());
  double start = transition_state_factor(saddle, inertia) -
                 unstable_mode(saddle).value * damping / (lightest * (1 + damping * damping));
  start *= offset_factor;
  double kappa = start;
  for (int n = 0; n < most_factorisations; ++n) {
    factorisation.factorise(dynamical_matrix(H, inertia, damping, start));
    double change = 0;
    for (int m = 0; m < solutions_each; ++m) {
      std::vector<double> next = factorisation.solve(times_dynamics(inertia, damping, v));
      const double growth = scalar_product(v, next) / scalar_product(v, v);
      const double before = kappa;
      kappa = start - 1 / growth;
      change = std::abs(kappa - before);
      const double next_length = length(next);
      for (double& x : next) x /= next_length;
      v = std::move(next);
    }
    if (change <= converged * std::abs(kappa)) return kappa;
    const std::vector<double> driven = times_dynamics(inertia, damping, v);
    std::vector<double> rest = product(H, v);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] += kappa * driven[i];
    if (kappa > 0 && length(rest) < near * kappa * length(driven)) start = offset_factor * kappa;
  }
  throw UnphysicalError("the growth rate of the unstable mode has not converged");
}

Escape::Escape(const StationaryState& minimum, const StationaryState& saddle,
               double equivalent_saddles)
    : paths::Escape{saddle.expansion.energy - minimum.expansion.energy,
                    saddle.valley.log_volume - minimum.valley.log_volume +
                        (minimum.log_determinant - saddle.log_determinant) / 2,
                    (static_cast<double>(minimum.zero_modes.size()) -
                     static_cast<double>(saddle.zero_modes.size())) /
                        2,
                    equivalent_saddles} {}

}  // namespace larmor::spins
