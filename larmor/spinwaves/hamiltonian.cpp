#include "larmor/spinwaves/hamiltonian.hpp"

#include <algorithm>

namespace larmor::spinwaves {

Vec3<double> Hamiltonian::field(Index site) const {
  Vec3<double> h{0, 0, 0};
  for (const spins::LoweredTerm& term : terms) {
    if (term.field) h += term.field(site);
    if (term.field_of_replica) h += term.field_of_replica(site, replica);
  }
  return h;
}

std::vector<spins::OnsiteCoupling> Hamiltonian::onsite(Index site) const {
  std::vector<spins::OnsiteCoupling> all;
  for (const spins::LoweredTerm& term : terms) {
    if (!term.onsite) continue;
    const std::vector<spins::OnsiteCoupling> own = term.onsite(site);
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

bool Hamiltonian::has_pairs() const {
  return std::any_of(terms.begin(), terms.end(),
                     [](const spins::LoweredTerm& term) { return !term.pairs.empty(); });
}

bool Hamiltonian::has_long_range() const {
  return std::any_of(terms.begin(), terms.end(),
                     [](const spins::LoweredTerm& term) { return term.long_range.has_value(); });
}

bool Hamiltonian::known_by_atom() const {
  return geometry.is_perfect() && moments.by_atom() &&
         std::all_of(terms.begin(), terms.end(), spins::known_by_atom);
}

}  // namespace larmor::spinwaves
