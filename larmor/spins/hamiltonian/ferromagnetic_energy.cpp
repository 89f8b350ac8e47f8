#include "larmor/spins/hamiltonian/ferromagnetic_energy.hpp"

namespace larmor::spins {

double ferromagnetic_energy(const BondTable& table, const lattice::Geometry& geometry) {
  std::vector<double> of_row(static_cast<std::size_t>(table.rows()));
  for (Index row = 0; row < table.rows(); ++row)
    table.for_each_value(row, [&](int, const TermValue& v) {
      of_row[static_cast<std::size_t>(row)] -= 0.5 * (v.bilinear.row[2].z + v.biquadratic);
    });
  double energy = 0;
  Index spins = 0;
  for (Index site = 0; site < table.sites(); ++site) {
    if (geometry.occupied(site)) {
      ++spins;
      energy += of_row[static_cast<std::size_t>(table.row(site))];
      continue;
    }
    // Removes the halves of bonds to this vacancy that its neighbours counted.
    table.for_each_value(table.row(site), [&](int bond, const TermValue& v) {
      if (geometry.occupied(table.neighbour(site, bond)))
        energy += 0.5 * (v.bilinear.row[2].z + v.biquadratic);
    });
  }
  return energy / static_cast<double>(spins);
}

}  // namespace larmor::spins
