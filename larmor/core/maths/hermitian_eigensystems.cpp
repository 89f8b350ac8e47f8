#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/core/maths/eigensystem_by_eigen.hpp"

namespace larmor {

Eigensystem<Eigen::MatrixXcd> eigensystem(const Eigen::MatrixXcd& matrix, bool with_vectors) {
  return eigensystem_of(matrix, with_vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
}

}  // namespace larmor
