#pragma once
// The bilinear bonds of a lattice in reciprocal space,
//
//     J_ia,jb(q) = sum_R A_ab(R) exp(2 pi i q.R),
//
// for atoms i, j of the cell and spin components a, b. A(R) is the bond from atom i to atom j of
// the cell R. Small matrices are diagonalised. For large, sparse matrices the Lanczos iteration
// finds only the largest eigenvalue. Each of its estimates is a lower bound, v* J v for some unit
// vector v.

#include <array>
#include <complex>
#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::spins {

/// One bond that represents all its translates.
struct LatticeBond {
  int from, to;
  std::array<int, 3> offset;  ///< offset of the cell of `to`, in cells
  Mat3<double> A;
  friend bool operator==(const LatticeBond&, const LatticeBond&) = default;
};

using WaveVector = std::array<double, 3>;  ///< in reciprocal lattice vectors

class CouplingMatrix {
 public:
  struct Eigenvalue {
    double value = 0;
    WaveVector slope{};        ///< derivative by q; zero unless requested
    bool is_converged = true;  ///< false: the value is a lower bound
    double operations = 0;     ///< floating-point operations, approximately
  };

  CouplingMatrix() = default;
  /// @param components number of spin components: 1 if every A is isotropic, otherwise 3
  CouplingMatrix(int atoms, int components, std::vector<LatticeBond> bonds);

  bool is_zero() const { return bonds_.empty(); }
  /// The reciprocal lattice vectors along which J(q) changes.
  std::vector<std::size_t> axes() const;
  /// The largest eigenvalue. If it is degenerate, `slope` belongs to one of its eigenvectors.
  /// @param most_operations limit after which the iteration ends if it has a rough estimate
  Eigenvalue largest_eigenvalue(const WaveVector& q, bool with_slope, double most_operations) const;
  /// Typical number of operations for one eigenvalue.
  double usual_operations() const;

  friend bool operator==(const CouplingMatrix&, const CouplingMatrix&) = default;

 private:
  using Number = std::complex<double>;
  using Vector = std::vector<Number>;
  /// Bonds [first, last) between two atoms.
  struct Pair {
    int from, to;
    std::size_t first, last;
    friend bool operator==(const Pair&, const Pair&) = default;
  };

  int size() const { return components_ * atoms_; }
  bool is_small() const;
  double operations_of_blocks() const;
  double operations_of_product() const;
  std::vector<Number> blocks(const WaveVector& q) const;
  void multiply(const std::vector<Number>& blocks, const Number* v, Number* product) const;
  Eigenvalue by_diagonalisation(const std::vector<Number>& blocks, Vector* vector) const;
  Eigenvalue by_iteration(const std::vector<Number>& blocks, double most_operations,
                          Vector& vector) const;
  WaveVector slope(const WaveVector& q, const Vector& vector) const;

  int atoms_ = 0, components_ = 1;
  std::vector<LatticeBond> bonds_;
  std::vector<Pair> pairs_;
};

}  // namespace larmor::spins
