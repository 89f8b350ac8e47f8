#pragma once
// The structure that the atoms of every replica begin with, as the tables of a study say.

#include "larmor/atoms/system/named_structure.hpp"
#include "larmor/study/models/atoms/tables/atom_tables.hpp"

namespace larmor::study {

struct AtomSetup {
  atoms::NamedStructure structure;   ///< each of its species has an atom
  std::vector<double> molar_masses;  ///< of each species, g/mol
  std::string words;                 ///< "bcc, 4 x 4 x 4 cells (..), 128 sites"
  std::string file;                  ///< that was read; empty: none
  SourcePosition where;              ///< of what the structure comes from, for messages
};

/// Made when first asked for. @throws InputError for files, lattices and masses that make no sense
const AtomSetup& setup_of(const AtomTables& tables);

}  // namespace larmor::study
