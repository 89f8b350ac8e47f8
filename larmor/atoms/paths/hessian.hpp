#pragma once
// Second derivatives of the energy by the positions of atoms, by central differences of forces:
//
//   H_ij = - (F_i(x + h e_j) - F_i(x - h e_j)) / (2 h)
//
// H is made symmetric afterwards. The displaced structures are replicas of one state, so one
// evaluation serves many columns. The error of a second derivative is h^2 / 6 times a fourth
// derivative, about 1e-7 of H.

#include <vector>

#include "larmor/atoms/forces/force_field.hpp"

namespace larmor::atoms {

/// A state on the host with the force field that evaluates it.
struct Surface {
  AtomState& state;
  ForceField& field;
};

/// The Hessian of one structure, one evaluation at a time.
class HessianByDifferences {
 public:
  explicit HessianByDifferences(std::vector<Vec3<double>> positions);

  /// Makes one evaluation.
  /// @param copies replicas of the structure in its box; their positions are overwritten
  void advance(const Surface& copies);
  bool done() const { return next_ == 2 * size(); }
  /// Number of rows.
  Index size() const { return 3 * static_cast<Index>(positions_.size()); }
  /// The symmetric matrix, eV/Angstrom^2. [3 atoms, 3 atoms]
  std::vector<double> matrix() const;

 private:
  std::vector<Vec3<double>> positions_;
  std::vector<double> columns_;
  Index next_ = 0;  ///< number of structures that are done
};

/// The number of replicas that a Hessian uses well.
Index copies_for_hessian(Index atoms, Backend backend);

}  // namespace larmor::atoms
