#pragma once
// The initial phase `ip_mode Y`: three spirals superposed.
//
//   m(r) ~ sum_(k = 0, 1, 2) [ n cos(2 pi q_k.r) + s_k sin(2 pi q_k.r) ]
//
// q_k and s_k are q and s (qm_svec), turned about n (qm_nvec) by k 120 degrees. UppASD takes the q
// of the qfile with the lowest energy. This state is Larmor's skyrmion lattice.

#include <string>
#include <vector>

#include "larmor/imports/uppasd/hamiltonian.hpp"
#include "larmor/imports/uppasd/quantities.hpp"

namespace larmor::imports::uppasd {

/// [initial] of the study. @throws InputError for an axis other than z, for wave vectors along the
/// axis, or without wave vectors
Value three_waves(const InputFile& input, const UppasdCrystal& crystal,
                  const UppasdHamiltonian& hamiltonian, const Entry& ip_mode,
                  const Quantities& quantities, std::vector<std::string>& notes);

}  // namespace larmor::imports::uppasd
