#pragma once
// Exact values of transverse-field Ising models with M slices, from the explicit matrix
//
//   T = D^(1/2) X D^(1/2),   D = exp(dtau (sum J sz sz + sum h sz)),   X = exp(dtau sum Gamma sx)
//
// and Z_M = trace T^M. T has 2^N rows. Bit i of a row is set if spin i is +1.

#include <cmath>
#include <functional>
#include <vector>

#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/trotter/transverse_ising.hpp"

namespace larmor::testing_support {

class TrotterMatrix {
 public:
  TrotterMatrix(const trotter::SystemGraph& graph, const trotter::Instance& instance, Index slices)
      : sites_(static_cast<int>(graph.sites)), slices_(static_cast<int>(slices)) {
    const double dtau = instance.beta / static_cast<double>(slices);
    const Index rows = Index{1} << sites_;
    Eigen::VectorXd half(rows);
    Eigen::MatrixXd X = Eigen::MatrixXd::Ones(rows, rows);
    for (Index x = 0; x < rows; ++x) {
      double energy = 0;
      for (std::size_t b = 0; b < graph.bonds.size(); ++b)
        energy += instance.J[b] * spin(x, graph.bonds[b].i) * spin(x, graph.bonds[b].j);
      for (int i = 0; i < sites_; ++i)
        energy += instance.h[static_cast<std::size_t>(i)] * spin(x, i);
      half(x) = std::exp(0.5 * dtau * energy);
      for (Index y = 0; y < rows; ++y)
        for (int i = 0; i < sites_; ++i) {
          const double a = dtau * instance.Gamma[static_cast<std::size_t>(i)];
          X(x, y) *= ((x ^ y) >> i & 1) != 0 ? std::sinh(a) : std::cosh(a);
        }
    }
    const Eigensystem<Eigen::MatrixXd> solved =
        eigensystem(Eigen::MatrixXd(half.asDiagonal() * X * half.asDiagonal()));
    values_ = solved.values;
    vectors_ = solved.vectors;
  }

  double ln_Z() const {
    const double top = values_.maxCoeff();
    double sum = 0;
    for (Index a = 0; a < values_.size(); ++a) sum += std::pow(values_(a) / top, slices_);
    return std::log(sum) + slices_ * std::log(top);
  }
  /// <A(0) A(shift)> of a function of the state of a slice.
  double correlation(const std::function<double(Index)>& of_state, int shift) const {
    Eigen::VectorXd diagonal(values_.size());
    for (Index x = 0; x < values_.size(); ++x) diagonal(x) = of_state(x);
    const Eigen::MatrixXd A = vectors_.transpose() * diagonal.asDiagonal() * vectors_;
    const double top = values_.maxCoeff();
    double sum = 0, Z = 0;
    for (Index a = 0; a < values_.size(); ++a) {
      Z += std::pow(values_(a) / top, slices_);
      for (Index b = 0; b < values_.size(); ++b)
        sum += A(a, b) * A(a, b) * std::pow(values_(a) / top, slices_ - shift) *
               std::pow(values_(b) / top, shift);
    }
    return sum / Z;
  }
  /// <A> of a function of the state of a slice.
  double mean(const std::function<double(Index)>& of_state) const {
    const double top = values_.maxCoeff();
    double sum = 0, Z = 0;
    for (Index a = 0; a < values_.size(); ++a) {
      const double weight = std::pow(values_(a) / top, slices_);
      Z += weight;
      for (Index x = 0; x < values_.size(); ++x)
        sum += weight * vectors_(x, a) * vectors_(x, a) * of_state(x);
    }
    return sum / Z;
  }
  /// Eigenvalues of T in ascending order.
  const Eigen::VectorXd& values() const { return values_; }
  static double spin(Index x, Index i) { return (x >> i & 1) != 0 ? 1 : -1; }
  double magnetisation(Index x) const {
    double sum = 0;
    for (int i = 0; i < sites_; ++i) sum += spin(x, i);
    return sum / sites_;
  }

 private:
  int sites_, slices_;
  Eigen::VectorXd values_;
  Eigen::MatrixXd vectors_;
};

/// The first and the second derivative of f at x, by differences of sixth order.
struct Derivatives {
  double first, second;
};
inline Derivatives derivatives(const std::function<double(double)>& f, double x, double step) {
  double at[7];
  for (int n = 0; n < 7; ++n) at[n] = f(x + (n - 3) * step);
  return {
      (-at[0] + 9 * at[1] - 45 * at[2] + 45 * at[4] - 9 * at[5] + at[6]) / (60 * step),
      (2 * at[0] - 27 * at[1] + 270 * at[2] - 490 * at[3] + 270 * at[4] - 27 * at[5] + 2 * at[6]) /
          (180 * step * step)};
}

/// Averages of a system with M slices, without the spins of a simulation.
struct ExactTrotter {
  double energy, specific_heat, m2, m4, chi_zz;
  std::vector<double> sx, sz, bond, G, G_local;
};
inline ExactTrotter exact_trotter(const trotter::SystemGraph& graph,
                                  const trotter::Instance& instance, Index slices) {
  const auto ln_Z = [&](const trotter::Instance& at) {
    return TrotterMatrix(graph, at, slices).ln_Z();
  };
  ExactTrotter exact{};
  const Derivatives by_beta = derivatives(
      [&](double beta) {
        trotter::Instance at = instance;
        at.beta = beta;
        return ln_Z(at);
      },
      instance.beta, 2e-3 * instance.beta);
  exact.energy = -by_beta.first;
  exact.specific_heat = instance.beta * instance.beta * by_beta.second;
  const auto by_member = [&](std::vector<double> trotter::Instance::*member) {
    std::vector<double> found;
    for (std::size_t n = 0; n < (instance.*member).size(); ++n)
      found.push_back(derivatives(
                          [&](double value) {
                            trotter::Instance at = instance;
                            (at.*member)[n] = value;
                            return ln_Z(at);
                          },
                          (instance.*member)[n], 2e-3)
                          .first /
                      instance.beta);
    return found;
  };
  exact.sx = by_member(&trotter::Instance::Gamma);
  exact.sz = by_member(&trotter::Instance::h);
  exact.bond = by_member(&trotter::Instance::J);
  const TrotterMatrix matrix(graph, instance, slices);
  const auto m = [&](Index x) { return matrix.magnetisation(x); };
  exact.m2 = matrix.mean([&](Index x) { return std::pow(m(x), 2); });
  exact.m4 = matrix.mean([&](Index x) { return std::pow(m(x), 4); });
  for (int shift = 0; shift < slices; ++shift) {
    const double G = static_cast<double>(graph.sites) * matrix.correlation(m, shift);
    exact.chi_zz += instance.beta / static_cast<double>(slices) * G;
    if (shift > slices / 2) continue;
    exact.G.push_back(G);
    double local = 0;
    for (Index i = 0; i < graph.sites; ++i)
      local += matrix.correlation([i](Index x) { return TrotterMatrix::spin(x, i); }, shift);
    exact.G_local.push_back(local / static_cast<double>(graph.sites));
  }
  return exact;
}

}  // namespace larmor::testing_support
