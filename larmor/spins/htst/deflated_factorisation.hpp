#pragma once
// Factorisation of a symmetric matrix H in the space orthogonal to k of its eigenvectors. Their
// eigenvalues may be zero. The columns of Z are these eigenvectors, and L is the diagonal matrix of
// their eigenvalues. The columns of W are k unit vectors along coordinates in which the
// eigenvectors are large. The determinant det'(H) is the product of all other eigenvalues. For any
// number s,
//
//   H' = H + s W W^T,    det'(H) = det(H') det(1 - L Z^T H'^-1 Z) / (s^k det(Z^T W)^2),
//
// The second formula follows from det'(H) = det(H - Z L Z^T + s W W^T) / (s^k det(Z^T W)^2). If s
// is large enough, H' is far from singular. H' is sparse. Host code.

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

  /// log |det'(H)|
  double log_determinant() const { return log_determinant_; }
  /// Solves H x = b in the space orthogonal to the eigenvectors that are left out.
  std::vector<double> solve(std::vector<double> b) const;

 private:
  const SparseFactorisation& factorisation_;
  std::vector<Mode> left_out_;
  std::vector<std::vector<double>> image_;  ///< H'^-1 Z
  std::vector<double> mixing_;              ///< (1 - L Z^T H'^-1 Z)^-1 L, (k, k)
  double log_determinant_ = 0;
};

/// Subtracts the components of `v` along orthonormal modes.
void project_out(const std::vector<Mode>& modes, std::vector<double>& v);

}  // namespace larmor::spins
