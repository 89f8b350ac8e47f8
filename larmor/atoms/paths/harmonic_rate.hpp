#pragma once
// Rates of thermal escape of atoms by harmonic transition-state theory (G. H. Vineyard, J. Phys.
// Chem. Solids 3, 121 (1957)):
//
//   k(T) = n prod_j nu_j(minimum) / prod_j nu_j(saddle) exp(-(E_saddle - E_minimum) / k_B T)
//
// with the frequencies nu of all stable modes and the number n of equivalent saddles. This is the
// rate of paths/escape.hpp with kappa = |w| of the unstable mode.

#include "larmor/atoms/paths/stationary_structure.hpp"
#include "larmor/paths/escape.hpp"

namespace larmor::atoms {

/// @throws UnphysicalError if minimum and saddle have different numbers of rigid motions
paths::Escape escape_of_atoms(const StationaryStructure& minimum, const StationaryStructure& saddle,
                              double equivalent_saddles);

/// |w| of the unstable mode, 1/ps. @param saddle with one unstable mode
double dynamical_factor(const StationaryStructure& saddle);

}  // namespace larmor::atoms
