#pragma once
// The potentials of a study, for the species of its structure.

#include "larmor/atoms/potential_forces.hpp"
#include "larmor/study/kinds/atoms/tables/atom_tables.hpp"

namespace larmor::study {

struct AtomPotentials {
  std::vector<std::unique_ptr<const atoms::Potential>> potentials;
  std::vector<std::string> words;  ///< one for each
  std::vector<std::string> files;  ///< that were read

  double cutoff() const;
};

/// @param species of the types of atoms
/// @throws InputError for whatever is wrong with tables and files, and for species that a potential
/// lacks; MachineError if a file cannot be read
AtomPotentials read_potentials(const AtomTables& tables, const std::vector<std::string>& species,
                               const Device& device);

}  // namespace larmor::study
