#pragma once
// Eigenvalues of largest magnitude of a symmetric operator, by Lanczos with thick restarts and full
// orthogonalisation: K. Wu and H. Simon, SIAM J. Matrix Anal. Appl. 22, 602 (2000).
//
// A Krylov space has one vector of each degenerate level. So after convergence the search begins
// again from another random vector, orthogonal to the vectors found, until it finds no larger
// eigenvalue.

#include <functional>
#include <vector>

#include "larmor/transfer/vectors.hpp"

namespace larmor::transfer {

struct LanczosSettings {
  Index wanted = 1;
  double tolerance = 1e-11;  ///< largest |A v - theta v| / |theta_0|
  Index basis = 24;          ///< vectors; at least wanted + 3, unless the space is smaller
  std::uint64_t seed = 1;
};

struct EigenPair {
  double value;
  double residual;  ///< |A v - value v|
};

/// A search that goes on product by product.
class Lanczos {
 public:
  /// @param multiply out = A in, of `size` numbers on the device
  Lanczos(const Device& device, Index size,
          std::function<void(const Vector& in, Vector& out)> multiply,
          const LanczosSettings& settings);

  /// Multiplies once. @return true: all pairs are found
  bool step();
  Index products() const { return products_; }
  /// After convergence: the wanted pairs, the largest magnitude first.
  std::vector<EigenPair> pairs() const;
  /// The vector of length 1 of the n-th of these pairs.
  const Vector& vector(Index n) const { return locked_[order()[static_cast<std::size_t>(n)]]; }
  /// The largest residual of the wanted pairs over the tolerance; 1 or less: converged.
  double residual() const { return residual_; }

  static double bytes(Index size, const LanczosSettings& settings);

 private:
  /// Eigenvalues of the projected operator by magnitude, and eigenvectors (vector, value).
  struct Ritz {
    std::vector<double> value, vector;
  };

  void begin();
  Ritz ritz() const;
  double residual_of(const Ritz& ritz, Index n) const;
  /// Makes w orthogonal to the locked vectors and the first ones of the basis.
  /// @return its products with these of the basis, then with the locked ones
  std::vector<double> orthogonalise(Vector& w, Index count) const;
  /// Replaces the first vectors of the basis by Ritz vectors.
  void rotate_basis(const Ritz& ritz, Index columns);
  void lock(const Ritz& ritz, Index count);
  void restart(const Ritz& ritz);
  bool conclude(const Ritz& ritz, bool is_exhausted);
  std::vector<std::size_t> order() const;

  std::function<void(const Vector&, Vector&)> multiply_;
  LanczosSettings settings_;
  Index size_;
  std::vector<Vector> locked_;     ///< eigenvectors found
  std::vector<EigenPair> found_;   ///< their pairs
  std::vector<Vector> v_;          ///< basis, and the vector after it
  std::vector<double> projected_;  ///< V^T A V (basis, basis)
  Index basis_ = 0;                ///< vectors of this search
  Index next_ = 0;                 ///< number of them that were multiplied
  double beta_ = 0;                ///< length of the vector after them, before it was normalised
  Index products_ = 0, searches_ = 0;
  double residual_ = 0;
};

}  // namespace larmor::transfer
