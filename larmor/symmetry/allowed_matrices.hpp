#pragma once
// Linear spaces of 3x3 matrices that a group of operations leaves unchanged, with letters for their
// parameters. A matrix A of a bond with the energy - e_i^T A e_j becomes R A R^T under an operation
// that keeps the order of the two sites, and R A^T R^T under one that reverses it. Axial vectors
// have the same matrices as polar ones. (Moriya, Phys. Rev. 120 (1960) 91, for the antisymmetric
// part.)

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::symmetry {

/// An operation of the group of a bond or a site.
struct MatrixOperation {
  Mat3<double> rotation;
  bool reverses = false;  ///< does it exchange the two sites of the bond?

  Mat3<double> apply(const Mat3<double>& matrix) const;
};

/// A basis matrix has the entry 1 where every other basis matrix of its part has 0.
struct MatrixSpace {
  std::vector<Mat3<double>> symmetric;
  std::vector<Mat3<double>> antisymmetric;

  std::size_t parameters() const { return symmetric.size() + antisymmetric.size(); }
  /// The basis: first symmetric, then antisymmetric.
  std::vector<Mat3<double>> all() const;
};

/// The matrices of a bond that all operations of its group leave unchanged.
MatrixSpace allowed_exchange(const std::vector<MatrixOperation>& group);

/// The symmetric matrices without trace that a site allows, for the energy - e^T A e.
MatrixSpace allowed_anisotropy(const std::vector<MatrixOperation>& group);

/// The mean over the group, which is the part of a matrix that the group allows.
Mat3<double> allowed_part(const std::vector<MatrixOperation>& group, const Mat3<double>& matrix);

/// The operation that changes a matrix most, if it changes the matrix by more than the tolerance of
/// input relative to its largest entry.
std::optional<MatrixOperation> forbidding(const std::vector<MatrixOperation>& group,
                                          const Mat3<double>& matrix);

/// The letter of a parameter: A, B, ..., Z, A1, ...
std::string letter(std::size_t parameter);

/// Entries such as "A", "-B/2" or "A + C", by rows. @param first number of the first letter
std::array<std::array<std::string, 3>, 3> with_letters(const std::vector<Mat3<double>>& basis,
                                                       std::size_t first = 0);

/// The components of the vector D in D.(e_i x e_j), with letters. @param antisymmetric basis
std::array<std::string, 3> dmi_with_letters(const std::vector<Mat3<double>>& antisymmetric,
                                            std::size_t first);

/// "[[A, 0, 0], [0, A, 0], [0, 0, B]]"
std::string matrix_text(const std::array<std::array<std::string, 3>, 3>& entries);

}  // namespace larmor::symmetry
