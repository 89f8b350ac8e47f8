#pragma once
// The stages of a study: spin waves, the initial phase, the measurement phase.

#include <string>
#include <vector>

#include "larmor/imports/uppasd/crystal.hpp"
#include "larmor/imports/uppasd/hamiltonian.hpp"
#include "larmor/imports/uppasd/quantities.hpp"

namespace larmor::imports::uppasd {

/// Sets [[stage]], and [initial] if the initial phase replaces it.
/// @throws InputError for modes and values that cannot be imported
void set_stages(Value& study, const InputFile& input, const UppasdCrystal& crystal,
                const UppasdHamiltonian& hamiltonian, const Quantities& quantities,
                std::vector<std::string>& notes);

}  // namespace larmor::imports::uppasd
