#pragma once
// The energy of an atom as a function of its bispectrum components B,
//
//   E = beta_0 + beta.B + B.A.B / 2,
//
// its derivative beta + A.B, and the coefficients of the derivative by U. Components are cubic in
// U. Y = dE/dU is a sum of the products Z_j1j2j of all triples j1 >= j2, also those with j < j1.
// The coefficient of Z_j1j2j depends on the components that contain it.

#include <span>
#include <vector>

#include "larmor/atoms/potentials/snap/snap_tables.hpp"

namespace larmor::atoms::snap {

/// Energy functions of all elements of a potential.
class EnergyFunction {
 public:
  EnergyFunction(const SnapPotential& potential, const SnapTables& tables);

  bool is_linear() const { return !quadratic_; }
  int components() const { return components_; }
  /// Subtracted from the components of an atom (bzeroflag) [components].
  const std::vector<double>& zero(int element) const {
    return zero_[static_cast<std::size_t>(element)];
  }
  double constant(int element) const { return coefficients(element)[0]; }
  /// beta [components].
  std::span<const double> linear(int element) const;

  /// @param B components minus `zero` [components] @param slope dE/dB [components]
  /// @return E
  double value(int element, std::span<const double> B, std::span<double> slope) const;

  /// Coefficients of Z for every triple, from dE/dB: Y^m = sum c[k, l, m, triple] Z^kl. This Z is
  /// not divided by j + 1. [channels, channels, channels, triples]
  std::vector<double> of_products(std::span<const double> slope) const;

  /// The shares of all coefficients (coefficient, shares_of_product). A coefficient is the sum of
  /// its shares.
  const std::vector<ProductShare>& shares() const { return shares_; }

 private:
  std::span<const double> coefficients(int element) const {
    return coefficients_[static_cast<std::size_t>(element)];
  }

  bool quadratic_;
  int components_;
  std::vector<std::vector<double>> coefficients_, zero_;
  std::vector<ProductShare> shares_;
};

}  // namespace larmor::atoms::snap
