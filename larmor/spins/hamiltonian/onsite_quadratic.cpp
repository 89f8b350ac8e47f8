#include "larmor/spins/hamiltonian/onsite_quadratic.hpp"

#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::spins {

std::vector<OnsiteCoupling> onsite_quadratic(const Mat3<double>& M) {
  Eigen::Matrix3d matrix;
  for (int i = 0; i < 3; ++i) matrix.row(i) << M.row[i].x, M.row[i].y, M.row[i].z;
  const Eigensystem<Eigen::Matrix3d> solved = eigensystem(matrix);
  std::vector<OnsiteCoupling> couplings;
  for (int n = 0; n < 3; ++n) {
    const Eigen::Vector3d axis = solved.vectors.col(n);
    couplings.push_back({{axis.x(), axis.y(), axis.z()}, 0.5 * solved.values[n]});
  }
  return couplings;
}

}  // namespace larmor::spins
