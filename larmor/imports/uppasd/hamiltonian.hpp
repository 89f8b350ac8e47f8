#pragma once
// All terms that inpsd.dat names, as tables of the study, and numbers for users.

#include <string>
#include <vector>

#include "larmor/imports/uppasd/anisotropy.hpp"
#include "larmor/imports/uppasd/couplings.hpp"

namespace larmor::imports::uppasd {

struct UppasdHamiltonian {
  std::vector<Coupling> exchange;  ///< J, or tensors
  CouplingKind exchange_kind = CouplingKind::exchange;
  std::vector<Coupling> dmi, biquadratic;
  std::vector<SiteAnisotropy> anisotropies;
};

/// @throws InputError, MachineError for the errors of its files
UppasdHamiltonian read_hamiltonian(const InputFile& input, const UppasdCrystal& crystal,
                                   std::vector<std::string>& notes);

/// Sets the tables of all terms.
void set_hamiltonian(Value& study, const UppasdHamiltonian& hamiltonian, const InputFile& input,
                     const UppasdCrystal& crystal, const Quantities& quantities,
                     std::vector<std::string>& notes);

/// The isotropic exchange matrix sum_R J_ab(R) in UppASD's convention, by rows, in mRy. A tensor
/// counts by a third of its trace. Random alloys count all chemical types.
std::vector<double> exchange_sums(const UppasdHamiltonian& hamiltonian, std::size_t sites);

/// J0, the energy of the ferromagnet and its mean-field T_c, in UppASD's convention; empty for
/// random alloys and without exchange.
std::string exchange_note(const UppasdHamiltonian& hamiltonian, const UppasdCrystal& crystal,
                          const Quantities& quantities);

}  // namespace larmor::imports::uppasd
