#pragma once
// Factorisation of a sparse matrix by MUMPS, a multifrontal method with pivots of one and two rows
// (Amestoy, Duff, Koster, L'Excellent, SIAM J. Matrix Anal. Appl. 23, 15 (2001)). The factors give
// solutions, the determinant, and the number of negative eigenvalues (Sylvester's law of inertia).
//
// MUMPS uses one thread, so that bits of results do not depend on the number of threads.

#include <memory>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/spins/htst/sparse_matrix.hpp"

namespace larmor::spins {

/// The factors do not fit into the memory of this machine.
class TooLargeToFactorise : public MachineError {
 public:
  using MachineError::MachineError;
};

enum class Symmetry { symmetric, general };

class SparseFactorisation {
 public:
  /// Finds an order of elimination.
  /// @param pattern a matrix with the pattern of all matrices to factorise later
  SparseFactorisation(const SparseMatrix& pattern, Symmetry symmetry);
  ~SparseFactorisation();

  /// @throws UnphysicalError for a singular matrix
  /// @throws TooLargeToFactorise if memory is insufficient
  void factorise(const SparseMatrix& A);

  /// log |det A| of the last factorised matrix.
  double log_determinant() const;
  /// Number of negative eigenvalues of the last factorised matrix. Symmetric matrices only.
  Index negative_eigenvalues() const;
  /// Solves A x = b.
  /// @param b right-hand sides of one or several systems, one after the other
  std::vector<double> solve(std::vector<double> b) const;

 private:
  struct Instance;
  std::unique_ptr<Instance> instance_;
};

}  // namespace larmor::spins
