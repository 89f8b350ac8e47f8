#include "larmor/study/models/spins/tables/initial_table.hpp"

namespace larmor::study {

std::vector<StateInfo> states_by_name(bool with_random) {
  std::vector<StateInfo> states{
      {"aligned", "all along `direction`"},
      {"sublattices", "each basis atom along its own entry of `directions`"},
      {"spiral", "turns `direction` about `normal` by q.r"},
      {"domain-wall", "from `direction` to its opposite along `normal`"},
      {"skyrmion", "a core against `direction`, in surroundings along `direction`"},
      {"antiskyrmion",
       "a skyrmion whose in-plane spins turn around the centre in the opposite sense"},
      {"skyrmion-lattice", "skyrmions on a triangular lattice: three spirals superposed"},
      {"vortex",
       "spins in the plane that circle a core along `direction`, or point away from the core"},
      {"hopfion", "a skyrmion tube closed to a ring about z, in surroundings along `direction`"},
      {"file", "spins from a `file`, one for each site"}};
  if (with_random)
    states.insert(states.begin(),
                  {{"random", "random directions"},
                   {"cone",
                    "random directions around `direction`: the angle to it is uniform between 0 "
                    "and `angle`, equal in all replicas"},
                   {"random-signs",
                    "each spin along or against `direction` or its entry of `directions`, equal in "
                    "all replicas"}});
  return states;
}

FieldTable<InitialTable> InitialTable::fields() {
  FieldTable<InitialTable> table;
  return add_initial_fields(table, true);
}

}  // namespace larmor::study
