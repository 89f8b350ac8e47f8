#pragma once
// The energy of an atom by its bispectrum components B,
//
//   E = beta_0 + beta.B + B.A.B / 2,
//
// its derivative beta + A.B, and how that derivative becomes one by U: components are cubic in U,
// and Y = dE/dU is a sum of the products Z_j1j2j of all triples j1 >= j2, also those with j < j1,
// with coefficients made of the components that Z_j1j2j is part of.

#include <span>
#include <vector>

#include "larmor/atoms/potentials/snap/snap_tables.hpp"

namespace larmor::atoms::snap {

/// Of all elements of a potential.
class EnergyFunction {
 public:
  EnergyFunction(const SnapPotential& potential, const SnapTables& tables);

  bool is_linear() const { return !quadratic_; }
  int components() const { return components_; }
  /// What is subtracted from the components of an atom (bzeroflag). [components]
  const std::vector<double>& zero(int element) const {
    return zero_[static_cast<std::size_t>(element)];
  }
  double constant(int element) const { return coefficients(element)[0]; }
  /// beta. [components]
  std::span<const double> linear(int element) const;

  /// @param B less `zero` [components] @param slope dE/dB [components]
  /// @return E
  double value(int element, std::span<const double> B, std::span<double> slope) const;

  /// Coefficients of Z of every triple by dE/dB: Y^m = sum c[k, l, m, triple] Z^kl, Z not divided
  /// by j + 1. [channels, channels, channels, triples]
  std::vector<double> of_products(std::span<const double> slope) const;

  /// The same as a table: (coefficient, shares_of_product), a coefficient is the sum of its shares.
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
