#include "larmor/spins/hamiltonian/replica_terms.hpp"

namespace larmor::spins {

bool differs_by_replica(const LoweredTerm& term) {
  return term.exchange_of_replica || term.field_of_replica || term.has_own_field;
}

void settle_on_one_replica(std::vector<LoweredTerm>& terms) {
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

void count_replicas_from(Index first, std::vector<LoweredTerm>& terms) {
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
