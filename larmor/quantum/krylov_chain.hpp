#pragma once
// Orthonormal vectors v_k that span a Krylov space of H, by the recurrence of C. Lanczos, J. Res.
// Natl. Bur. Stand. 45, 255 (1950):
//
//   b_k v_(k+1) = H v_k - a_k v_k - b_(k-1) v_(k-1)
//
// Only three vectors are in memory, each not divided by its length. A second pass makes the vectors
// again, with the same bits. Vectors far apart in the chain lose their orthogonality: H then has
// copies of converged levels in the chain. Copies harm neither the lowest level nor functions of H.

#include <functional>

#include "larmor/quantum/hamiltonian.hpp"

namespace larmor::quantum {

/// The eigenvalues of the chain in ascending order.
struct RitzValues {
  std::vector<double> values;
  std::vector<double> vectors;  ///< (value, vector of the chain)
};

class KrylovChain {
 public:
  /// @param excluded the chain is orthogonal to these vectors; they outlive it
  KrylovChain(const Device& device, const Hamiltonian& H,
              const std::vector<Vector>* excluded = nullptr);

  /// Begins with a vector, which `fill` writes; also for a second pass.
  void begin(const std::function<void(Vector&)>& fill);
  /// Forgets the numbers of an earlier chain.
  void forget();
  /// Adds a_k, b_k and the next vector. @return false: the space has no further vector
  bool extend();
  /// Goes to the next vector of a chain that is known.
  void repeat();

  /// v_k is factor() vector().
  const Vector& vector() const { return present_; }
  double factor() const { return 1 / length_of(position_); }
  Index position() const { return position_; }
  /// Number of vectors whose a_k is known.
  Index length() const { return std::ssize(diagonal_); }
  /// Length of the next vector before it was normalised; 0: there is none.
  double last_length() const { return last_length_; }
  RitzValues ritz_values() const;
  /// H v, in memory of the chain.
  Vector& product(const Vector& v);

 private:
  void exclude(Vector& v) const;
  /// The length of the vector of v_k: b_(k-1).
  double length_of(Index k) const;
  /// next = H v_k - a_k v_k - b_(k-1) v_(k-1). @return its length
  double subtract_neighbours();
  void move_on();

  const Hamiltonian& H_;
  transfer::VectorSpace space_;
  const std::vector<Vector>* excluded_;
  Vector last_, present_, next_;
  std::vector<double> diagonal_, off_diagonal_;
  double last_length_ = 0;
  Index position_ = 0;
};

}  // namespace larmor::quantum
