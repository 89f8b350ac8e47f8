#pragma once
// Makes the initial structure of the atoms of every replica from the tables of a study.

#include "larmor/atoms/system/named_structure.hpp"
#include "larmor/io/structures/frame_types.hpp"
#include "larmor/study/models/atoms/tables/atom_tables.hpp"

namespace larmor::study {

struct AtomSetup {
  /// One for all replicas, or one for each. All have one list of species, and each species has an
  /// atom in one of the structures.
  std::vector<atoms::NamedStructure> structures;
  std::vector<SourcePosition> where;  ///< position of each structure, for messages
  std::vector<double> molar_masses;   ///< one for each species, g/mol
  std::string words;                  ///< "bcc, 4 x 4 x 4 cells (..), 128 sites"
  std::string file;                   ///< file that was read; empty: none

  const std::vector<std::string>& species() const { return structures.front().species; }
  /// The structure of a replica of the study.
  const atoms::NamedStructure& of(Index replica) const {
    return structures[structures.size() == 1 ? 0 : static_cast<std::size_t>(replica)];
  }
  bool structures_differ() const { return structures.size() > 1; }
  /// Have all structures equally many atoms?
  bool has_equal_numbers() const;
  /// Do all structures list equal types of atoms in one order?
  bool has_equal_atoms() const;
  /// Number of atoms of the replicas before this one. @param replica may be the number of replicas
  Index atoms_before(Index replica) const;
  /// The number of atoms of the largest structure.
  Index most_atoms() const;
  /// The most atoms that any `replicas` of the study have together.
  Index most_atoms_of(Index replicas) const;
  bool has_single_atom() const;  ///< has a structure only one atom?
  bool is_periodic() const;      ///< are all boxes periodic in all directions?
};

/// The setup is made at the first call. @throws InputError for invalid files, lattices and masses
const AtomSetup& setup_of(const AtomTables& tables);

/// Reads the structure that a table names and repeats it.
/// @param folder folder of the study @throws InputError for invalid tables and files
io::AtomFrame read_structure(const StructureTable& table, const std::string& folder);

}  // namespace larmor::study
