#include "larmor/spins/hamiltonian/lowered_term.hpp"

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

bool differs_by_replica(const LoweredTerm& term) {
  return term.exchange_of_replica || term.field_of_replica || term.has_own_field;
}

void merge_single_replica(std::vector<LoweredTerm>& terms) {
  for (LoweredTerm& term : terms) {
    if (term.exchange_of_replica)
      for (PairCoupling& pair : term.pairs)
        pair.bilinear =
            pair.bilinear + isotropic(term.exchange_of_replica(pair.bond.i, pair.bond.j, 0));
    if (term.field_of_replica)
      term.field = [shared = term.field, own = term.field_of_replica](Index site) {
        return shared ? shared(site) + own(site, 0) : own(site, 0);
      };
    if (term.field_of_replica) term.by_atom = false;
    term.exchange_of_replica = nullptr;
    term.field_of_replica = nullptr;
  }
}

void shift_replicas(Index first, std::vector<LoweredTerm>& terms) {
  if (first == 0) return;
  for (LoweredTerm& term : terms) {
    if (term.exchange_of_replica)
      term.exchange_of_replica = [first, all = term.exchange_of_replica](Index i, Index j,
                                                                         Index replica) {
        return all(i, j, first + replica);
      };
    if (term.field_of_replica)
      term.field_of_replica = [first, all = term.field_of_replica](Index site, Index replica) {
        return all(site, first + replica);
      };
  }
}

}  // namespace larmor::spins
