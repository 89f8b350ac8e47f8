#pragma once
// The rows of the least-squares problem. A SNAP potential is linear in its coefficients x, so the
// energy, a force and a stress of a configuration are each a row times x. A row has a column for
// each coefficient of each element, in the order of .snapcoeff files, and last the target:
//
//   energy   sum_i B_i / N                       (E - E_reference) / N, eV
//   force    sum of dB/dr of the pairs of an atom  F - F_reference, eV/Angstrom
//   stress   W / V of each coefficient           stress - reference, unit of the set
//
// with W = -dE/d(strain) of pair_gradients.hpp. Products B_k B_l follow in quadratic potentials.

#include <span>

#include "larmor/atoms/potentials/snap/snap.hpp"
#include "larmor/fitting/training_set.hpp"

namespace larmor::fitting {

/// Rows of one configuration, not multiplied by weights.
struct Rows {
  std::vector<double> numbers;  ///< (row, columns + 1), the target last
  std::vector<Kind> kind;       ///< [rows]
  std::vector<double> weight;   ///< [rows]
};

class Design {
 public:
  explicit Design(const Settings& settings);

  /// Number of the coefficients of all elements that are fitted.
  Index columns() const { return columns_; }
  /// Rows of kinds that are used, with a weight, and with a target. Several threads may call this
  /// function at once.
  /// @throws InputError with file and line for atoms at one place, or a box that is too small
  Rows rows(const Configuration& configuration) const;

  /// The potential with these coefficients. @param x [columns]
  atoms::snap::SnapPotential potential(std::span<const double> x) const;
  /// Number of columns of each element.
  Index coefficients_of_element() const { return of_element_; }

 private:
  struct Sums;

  const Settings& settings_;
  atoms::snap::Snap snap_;
  std::optional<atoms::Zbl> reference_;
  Index components_, of_element_, columns_;
};

/// The reference as a potential for atoms with the kinds of the fit.
std::optional<atoms::Zbl> reference_of(const Settings& settings);

/// Elements of the atoms, by their numbers in the fit.
std::vector<std::int32_t> elements_of(const Settings& settings, const io::AtomFrame& frame);

}  // namespace larmor::fitting
