#pragma once
// Factorisation of a symmetric matrix in the space without some of its eigenvectors, whose
// eigenvalues may be zero. With eigenvectors Z, their eigenvalues L, and as many unit vectors W of
// coordinates in which the eigenvectors are large,
//
//   H' = H + s W W^T,    det'(H) = det(H') det(1 - L Z^T H'^-1 Z) / (s^k det(Z^T W)^2),
//
// which follows from det'(H) = det(H - Z L Z^T + s W W^T) / (s^k det(Z^T W)^2) for any s. H' is
// sparse and far from singular. Host code.

#include <span>
#include <vector>

#include "larmor/spins/htst/lowest_modes.hpp"

namespace larmor::spins {

class DeflatedFactorisation {
 public:
  /// @param factorisation for matrices with the pattern of H; must outlive this object
  /// @param left_out eigenvectors of H
  DeflatedFactorisation(SparseFactorisation& factorisation, const SparseMatrix& H,
                        std::vector<Mode> left_out);

  /// log |det'(H)|, where det' is the product of all other eigenvalues.
  double log_determinant() const { return log_determinant_; }
  /// The x with H x = b, both without components along the vectors left out.
  std::vector<double> solve(std::vector<double> b) const;

 private:
  const SparseFactorisation& factorisation_;
  std::vector<Mode> left_out_;
  std::vector<std::vector<double>> image_;  ///< H'^-1 Z
  std::vector<double> mixing_;              ///< (1 - L Z^T H'^-1 Z)^-1 L, (k, k)
  double log_determinant_ = 0;
};

/// Subtracts the components of `v` along orthonormal vectors.
void project_out(const std::vector<Mode>& modes, std::vector<double>& v);

}  // namespace larmor::spins
