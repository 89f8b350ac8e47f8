#include "larmor/spins/hamiltonian/onsite_quadratic.hpp"

#include <Eigen/Dense>

namespace larmor::spins {

std::vector<OnsiteCoupling> onsite_quadratic(const Mat3<double>& M) {
  Eigen::Matrix3d matrix;
  for (int i = 0; i < 3; ++i) matrix.row(i) << M.row[i].x, M.row[i].y, M.row[i].z;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  std::vector<OnsiteCoupling> couplings;
  for (int n = 0; n < 3; ++n) {
    const Eigen::Vector3d axis = solver.eigenvectors().col(n);
    couplings.push_back({{axis.x(), axis.y(), axis.z()}, 0.5 * solver.eigenvalues()[n]});
  }
  return couplings;
}

}  // namespace larmor::spins
