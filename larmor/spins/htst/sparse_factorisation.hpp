#pragma once
// A sparse matrix factorised by MUMPS, a multifrontal method with pivots of one and two rows
// (Amestoy, Duff, Koster, L'Excellent, SIAM J. Matrix Anal. Appl. 23, 15 (2001)): solutions, the
// determinant, and how many eigenvalues are negative (Sylvester's law of inertia).
//
// One thread, so that results have the same bits whatever the number of threads.

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
  /// Finds an order of elimination. @param pattern of all matrices that are factorised later
  SparseFactorisation(const SparseMatrix& pattern, Symmetry symmetry);
  ~SparseFactorisation();

  /// @throws UnphysicalError for a singular matrix; TooLargeToFactorise when memory is short
  void factorise(const SparseMatrix& A);

  /// log |det A| of the last one.
  double log_determinant() const;
  /// How many of its eigenvalues are negative. Symmetric matrices only.
  Index negative_eigenvalues() const;
  /// Solves A x = b. @param b of one system or of several, one after the other
  std::vector<double> solve(std::vector<double> b) const;

 private:
  struct Instance;
  std::unique_ptr<Instance> instance_;
};

}  // namespace larmor::spins
