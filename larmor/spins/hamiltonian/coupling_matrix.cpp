#include "larmor/spins/hamiltonian/coupling_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::spins {
namespace {

constexpr int largest_diagonalised = 32;

double component(const Mat3<double>& A, int a, int b) {
  const Vec3<double>& row = A.row[a];
  return b == 0 ? row.x : b == 1 ? row.y : row.z;
}

/// exp(2 pi i q.R)
std::complex<double> phase(const WaveVector& q, const std::array<int, 3>& offset) {
  double turns = 0;
  for (std::size_t d = 0; d < 3; ++d) turns += q[d] * offset[d];
  return std::polar(1.0, 2 * std::numbers::pi * (turns - std::floor(turns)));
}

/// A unit vector without any symmetry of a lattice, so that eigenvectors are not orthogonal to it.
Eigen::VectorXcd arbitrary_vector(int size) {
  Eigen::VectorXcd v(size);
  for (int i = 0; i < size; ++i) {
    const double k = i + 1;
    v[i] = std::polar(1 + 0.5 * std::sin(1.7 * k * k), std::numbers::sqrt2 * k * k);
  }
  return v.normalized();
}

}  // namespace

CouplingMatrix::CouplingMatrix(int atoms, int components, std::vector<LatticeBond> bonds)
    : atoms_(atoms), components_(components), bonds_(std::move(bonds)) {
  for (LatticeBond& bond : bonds_) {
    if (bond.from <= bond.to) continue;
    std::swap(bond.from, bond.to);
    for (int& cells : bond.offset) cells = -cells;
    bond.A = bond.A.transposed();
  }
  const auto atoms_of = [](const LatticeBond& bond) { return std::pair(bond.from, bond.to); };
  std::stable_sort(bonds_.begin(), bonds_.end(), [&](const LatticeBond& a, const LatticeBond& b) {
    return atoms_of(a) < atoms_of(b);
  });
  for (std::size_t n = 0; n < bonds_.size(); ++n) {
    if (n == 0 || atoms_of(bonds_[n - 1]) != atoms_of(bonds_[n]))
      pairs_.push_back({bonds_[n].from, bonds_[n].to, n, n});
    pairs_.back().last = n + 1;
  }
}

std::vector<std::size_t> CouplingMatrix::axes() const {
  std::vector<std::size_t> axes;
  for (std::size_t d = 0; d < 3; ++d)
    if (std::any_of(bonds_.begin(), bonds_.end(),
                    [&](const LatticeBond& bond) { return bond.offset[d] != 0; }))
      axes.push_back(d);
  return axes;
}

bool CouplingMatrix::is_small() const { return size() <= largest_diagonalised; }

double CouplingMatrix::operations_of_blocks() const {
  return static_cast<double>(bonds_.size()) * (50 + 4 * components_ * components_);
}

double CouplingMatrix::operations_of_product() const {
  const double n = size();
  return 16.0 * components_ * components_ * static_cast<double>(pairs_.size()) + 40 * n;
}

double CouplingMatrix::usual_operations() const {
  constexpr double usual_products = 60;
  const double n = size();
  return operations_of_blocks() +
         (is_small() ? 1000 + 20 * n * n * n : usual_products * operations_of_product());
}

/// The blocks of J(q), one for each pair of atoms. A block contains the bonds in one direction, and
/// its adjoint the bonds in the reverse direction. This also holds for bonds between equal atoms.
std::vector<CouplingMatrix::Number> CouplingMatrix::blocks(const WaveVector& q) const {
  const auto n = static_cast<std::size_t>(components_);
  std::vector<Number> blocks(pairs_.size() * n * n);
  for (std::size_t p = 0; p < pairs_.size(); ++p)
    for (std::size_t b = pairs_[p].first; b < pairs_[p].last; ++b) {
      const Number turned = phase(q, bonds_[b].offset);
      Number* block = &blocks[p * n * n];
      for (int row = 0; row < components_; ++row)
        for (int column = 0; column < components_; ++column)
          *block++ += turned * component(bonds_[b].A, row, column);
    }
  return blocks;
}

void CouplingMatrix::multiply(const std::vector<Number>& blocks, const Number* v,
                              Number* product) const {
  const int n = components_;
  std::fill(product, product + size(), Number(0));
  // The product is written out because std::complex checks every product for infinities.
  const auto add = [](Number& sum, double re, double im, const Number& x) {
    sum += Number(re * x.real() - im * x.imag(), re * x.imag() + im * x.real());
  };
  const Number* block = blocks.data();
  for (const Pair& pair : pairs_) {
    const Number *to = v + n * pair.to, *from = v + n * pair.from;
    Number *at_from = product + n * pair.from, *at_to = product + n * pair.to;
    for (int row = 0; row < n; ++row)
      for (int column = 0; column < n; ++column, ++block) {
        add(at_from[row], block->real(), block->imag(), to[column]);
        add(at_to[column], block->real(), -block->imag(), from[row]);
      }
  }
}

/// @param vector receives the eigenvector; may be null
CouplingMatrix::Eigenvalue CouplingMatrix::by_diagonalisation(const std::vector<Number>& blocks,
                                                              Vector* vector) const {
  Eigen::MatrixXcd J(size(), size());
  Vector axis(static_cast<std::size_t>(size()));
  for (int column = 0; column < size(); ++column) {
    axis[static_cast<std::size_t>(column)] = 1;
    multiply(blocks, axis.data(), J.col(column).data());
    axis[static_cast<std::size_t>(column)] = 0;
  }
  const Eigensystem<Eigen::MatrixXcd> solved = eigensystem(J, vector != nullptr);
  if (vector) {
    const auto last = solved.vectors.col(size() - 1);
    vector->assign(last.begin(), last.end());
  }
  Eigenvalue found;
  found.value = solved.values[size() - 1];
  found.operations = usual_operations();
  return found;
}

/// Lanczos iteration. When the basis is full, the iteration restarts from the best vector so far.
/// Vectors are not orthogonalised to all earlier vectors. So rounding repeats eigenvalues, but all
/// eigenvalues stay correct.
CouplingMatrix::Eigenvalue CouplingMatrix::by_iteration(const std::vector<Number>& blocks,
                                                        double most_operations,
                                                        Vector& vector) const {
  constexpr int most_rounds = 12, fewest_products = 24, most_kept = 4'000'000;
  constexpr double tolerance = 1e-8;
  const int basis = std::clamp(most_kept / size(), fewest_products, 96);
  Eigen::MatrixXcd V(size(), basis + 1);
  Eigen::VectorXd alpha(basis), beta(basis);
  Eigen::VectorXcd best = arbitrary_vector(size());
  Eigenvalue found;
  found.is_converged = false;
  for (int round = 0; round < most_rounds && !found.is_converged; ++round) {
    V.col(0) = best;
    int next_look = 12;
    for (int n = 0; n < basis; ++n) {
      multiply(blocks, V.col(n).data(), V.col(n + 1).data());
      found.operations += operations_of_product();
      if (n > 0) V.col(n + 1) -= beta[n - 1] * V.col(n - 1);
      alpha[n] = V.col(n).dot(V.col(n + 1)).real();
      V.col(n + 1) -= alpha[n] * V.col(n);
      beta[n] = V.col(n + 1).norm();
      const bool is_spent = found.operations > most_operations && n + 1 >= fewest_products;
      const double scale = alpha.head(n + 1).cwiseAbs().maxCoeff() + beta.head(n + 1).maxCoeff();
      const bool is_exhausted = beta[n] <= 1e-14 * scale;
      if (n + 1 == next_look || n + 1 == basis || is_spent || is_exhausted) {
        next_look += next_look / 2;
        const Eigensystem<Eigen::MatrixXd> small =
            eigensystem_of_tridiagonal(alpha.head(n + 1), beta.head(n));
        const Eigen::VectorXd top = small.vectors.col(n);
        found.value = small.values[n];
        found.is_converged = is_exhausted || beta[n] * std::abs(top[n]) <= tolerance * scale;
        if (found.is_converged || is_spent || n + 1 == basis) {
          best = (V.leftCols(n + 1) * top).normalized();
          break;
        }
      }
      V.col(n + 1) /= beta[n];
    }
    if (found.operations > most_operations) break;
  }
  vector.assign(best.begin(), best.end());
  return found;
}

/// The derivative v* (dJ/dq) v of an eigenvalue, where v is its eigenvector. Changes of v
/// contribute only in second order.
WaveVector CouplingMatrix::slope(const WaveVector& q, const Vector& vector) const {
  WaveVector slope{};
  for (const LatticeBond& bond : bonds_) {
    if (bond.offset == std::array<int, 3>{}) continue;
    Number sum = 0;
    for (int a = 0; a < components_; ++a)
      for (int b = 0; b < components_; ++b)
        sum += std::conj(vector[static_cast<std::size_t>(components_ * bond.from + a)]) *
               component(bond.A, a, b) *
               vector[static_cast<std::size_t>(components_ * bond.to + b)];
    const double imaginary = (phase(q, bond.offset) * sum).imag();
    for (std::size_t d = 0; d < 3; ++d)
      slope[d] -= 4 * std::numbers::pi * bond.offset[d] * imaginary;
  }
  return slope;
}

CouplingMatrix::Eigenvalue CouplingMatrix::largest_eigenvalue(const WaveVector& q, bool with_slope,
                                                              double most_operations) const {
  const std::vector<Number> of_pairs = blocks(q);
  Vector vector;
  Eigenvalue found = is_small() ? by_diagonalisation(of_pairs, with_slope ? &vector : nullptr)
                                : by_iteration(of_pairs, most_operations, vector);
  if (with_slope) found.slope = slope(q, vector);
  found.operations += operations_of_blocks();
  return found;
}

}  // namespace larmor::spins
