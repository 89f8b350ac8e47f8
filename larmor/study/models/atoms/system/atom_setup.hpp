#pragma once
// Makes the initial structure of the atoms of every replica from the tables of a study.

#include "larmor/atoms/system/named_structure.hpp"
#include "larmor/io/structures/frame_types.hpp"
#include "larmor/study/models/atoms/tables/atom_tables.hpp"

namespace larmor::study {

struct AtomSetup {
  atoms::NamedStructure structure;   ///< each of its species has an atom
  std::vector<double> molar_masses;  ///< one for each species, g/mol
  std::string words;                 ///< "bcc, 4 x 4 x 4 cells (..), 128 sites"
  std::string file;                  ///< file that was read; empty: none
  SourcePosition where;              ///< position of the structure's table, for messages
};

/// The setup is made at the first call. @throws InputError for invalid files, lattices and masses
const AtomSetup& setup_of(const AtomTables& tables);

/// Reads the structure that a table names and repeats it.
/// @param folder folder of the study @throws InputError for invalid tables and files
io::AtomFrame read_structure(const StructureTable& table, const std::string& folder);

}  // namespace larmor::study
