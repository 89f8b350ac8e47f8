#pragma once
// Eigenvalues of largest magnitude of a symmetric operator, by Lanczos with thick restarts:
// K. Wu and H. Simon, SIAM J. Matrix Anal. Appl. 22, 602 (2000).
//
// A step makes a new vector orthogonal to the last two vectors. A recurrence estimates its products
// with all others: H. D. Simon, Math. Comput. 42, 115 (1984). If one is too large, the step makes
// the vector orthogonal to all of them.
//
// A Krylov space has one vector of each degenerate level. So after convergence the search begins
// again from another random vector, orthogonal to the vectors found, until it finds no larger
// eigenvalue.

#include <vector>

#include "larmor/transfer/vectors.hpp"

namespace larmor::transfer {

/// A symmetric operator on the vectors of a VectorSpace.
class Operator {
 public:
  virtual ~Operator() = default;
  /// out = factor A in - coefficient previous. @param previous null: no such term
  /// @param out another vector @return the product of `in` and `out`
  virtual double multiply(const Vector& in, double factor, const Vector* previous,
                          double coefficient, Vector& out) = 0;
};

struct LanczosSettings {
  Index wanted = 1;
  double tolerance = 1e-11;  ///< largest |A v - theta v| / |theta|, or 1e-13 |theta_0|
  Index basis = 24;          ///< vectors; at least wanted + 2, unless the space is smaller
  std::uint64_t seed = 1;
  bool is_first_simple = false;  ///< no other level has the largest magnitude
};

struct EigenPair {
  double value;
  double residual;  ///< |A v - value v|
};

/// A search that goes on product by product.
class Lanczos {
 public:
  /// @param space, matrix outlive this
  Lanczos(const VectorSpace& space, Operator& matrix, const LanczosSettings& settings);

  /// Multiplies once. @return true: all pairs are found
  bool step();
  Index products() const { return products_; }
  /// After convergence: the wanted pairs, the largest magnitude first. Pairs are missing if their
  /// eigenvalues are hidden by rounding.
  std::vector<EigenPair> pairs() const;
  /// After convergence: a vector that the search no longer needs.
  Vector& work() { return v_.back(); }
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
  double& projected(Index i, Index j);
  double projected(Index i, Index j) const;
  Ritz ritz() const;
  double residual_of(const Ritz& ritz, Index n) const;
  /// Multiplies the last vector of the basis, and makes w orthogonal to the last two.
  /// @return |w|^2
  double extend(Vector& w);
  /// Makes w orthogonal to the locked vectors and the first ones of the basis.
  void orthogonalise(Vector& w, Index count) const;
  /// Estimates the products of the next vector with the others. @return the largest
  double estimate_overlaps();
  /// Replaces the first vectors of the basis by Ritz vectors.
  void rotate_basis(const Ritz& ritz, Index columns);
  void lock(const Ritz& ritz, Index count);
  void restart(const Ritz& ritz);
  bool conclude(const Ritz& ritz, bool is_exhausted);
  std::vector<std::size_t> order() const;

  const VectorSpace& space_;
  Operator& matrix_;
  LanczosSettings settings_;
  std::vector<Vector> locked_;     ///< eigenvectors found, of length 1
  std::vector<EigenPair> found_;   ///< their pairs
  std::vector<Vector> v_;          ///< basis, and the vector after it
  std::vector<double> factor_;     ///< factor_[k] v_[k] has length 1
  std::vector<double> projected_;  ///< lower triangle of V^T A V (basis, basis)
  /// Estimated products of the last vector of the basis, and of the one before it, with the others.
  std::vector<double> overlaps_, overlaps_before_;
  Index basis_ = 0;  ///< vectors of this search
  Index next_ = 0;   ///< number of them that were multiplied
  Index kept_ = 0;   ///< vectors that the last restart kept
  double beta_ = 0;  ///< length of the vector after them, before it was normalised
  Index products_ = 0, searches_ = 0;
  double residual_ = 0;
};

}  // namespace larmor::transfer
