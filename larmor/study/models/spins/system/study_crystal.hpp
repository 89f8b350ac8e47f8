#pragma once
// The crystal of a study of spins, without its couplings.

#include <string>

#include "larmor/lattice/crystal.hpp"
#include "larmor/symmetry/surroundings.hpp"

namespace larmor::study {

struct StudyCrystal {
  lattice::Crystal crystal;
  symmetry::Surroundings surroundings;
  bool is_reduced = true;  ///< are its units reduced?
};

/// Reads only [lattice], so that a study whose couplings are not yet known has a crystal too.
/// @param folder folder of the files that the study names; empty: the folder of the study
/// @throws InputError with the position of the first mistake, for another model kind, and for plain
/// positions
StudyCrystal crystal_of_study(const std::string& path, const std::string& folder);

}  // namespace larmor::study
