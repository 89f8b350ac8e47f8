#pragma once
// Units of molecular dynamics: Angstrom, ps, eV, K, masses in g/mol, pressures in eV/Angstrom^3.
//
// LAMMPS's metal units round these constants: k_B = 8.617343e-5 eV/K, 1.0364269e-4 for `mass` below
// and 1.6021765e6 bar in an eV/Angstrom^3. These three values differ from CODATA 2018 by the
// fractions 1.1e-6, 6e-8 and 8e-8.

#include "larmor/core/input/units.hpp"

namespace larmor::atoms {

struct AtomUnits {
  double k_B;   ///< eV/K
  double mass;  ///< eV ps^2/Angstrom^2 in 1 g/mol, so that m v^2 is an energy

  static constexpr AtomUnits material(const Constants& constants = codata_2018) {
    // 1 g/mol = 1e-3 kg / N_A, 1 Angstrom/ps = 100 m/s.
    return {constants.k_B, 10 / (constants.N_A * constants.e)};
  }
  static constexpr AtomUnits reduced() { return {1, 1}; }
};

/// eV/Angstrom^3 in 1 GPa.
constexpr double gigapascal(const Constants& constants = codata_2018) {
  return 1e-21 / constants.e;
}
/// eV/Angstrom^3 in 1 bar.
constexpr double bar(const Constants& constants = codata_2018) {
  return 1e-4 * gigapascal(constants);
}

}  // namespace larmor::atoms
