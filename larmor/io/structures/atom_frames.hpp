#pragma once
// Structures of atoms in files: extended XYZ and dump files of LAMMPS (all frames), data files of
// LAMMPS, POSCAR of VASP; and extended XYZ out.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "larmor/atoms/system/named_structure.hpp"
#include "larmor/core/error.hpp"

namespace larmor::io {

/// A structure and where it stands.
struct AtomFrame {
  atoms::NamedStructure atoms;
  SourcePosition where;         ///< of the frame
  SourcePosition where_box;     ///< of its cell
  std::vector<int> line;        ///< of the file [atoms]
  std::string further_keys;     ///< of extended XYZ, " key=value" each, as they stand there
  std::string further_columns;  ///< of extended XYZ, "name:type:width:" each
  std::vector<std::string> further_words;  ///< in these columns, "a b c" [atoms], or none

  SourcePosition where_atom(Index atom) const {
    return {where.file, line[static_cast<std::size_t>(atom)], 0, ""};
  }
};

enum class StructureFormat { extxyz, lammps_data, lammps_dump, poscar };

/// By the ending or the beginning of a file's name, as below; nothing where that says nothing.
std::optional<StructureFormat> format_of_name(const std::string& path);

/// By the ending or the beginning of its name (.extxyz .xyz; .data .lmp data.*; .dump .lammpstrj
/// dump.*; POSCAR* CONTCAR* .poscar .vasp), else by its first lines.
/// @throws InputError if there is no such file, or it is none of these; MachineError if it cannot
/// be read
StructureFormat structure_format(const std::string& path);

/// Names of the types 1, 2, .. of files of LAMMPS.
struct TypeNames {
  std::vector<std::string> given;      ///< whatever the file says; empty: nothing is given
  std::vector<std::string> otherwise;  ///< where neither the file nor masses tell the element

  /// Nothing where none are given. @param type from 0 @throws InputError for a type that has none
  std::optional<std::string> given_name(std::size_t type, const SourcePosition& where) const;
  /// @throws InputError for a type that has none
  std::string other_name(std::size_t type, const SourcePosition& where) const;
};

/// Reads structures one after the other.
class StructureReader {
 public:
  /// @throws InputError, MachineError as structure_format
  StructureReader(const std::string& path, TypeNames names);
  ~StructureReader();

  /// The next structure; nothing at the end of the file.
  /// @throws InputError naming file, line and word for whatever is malformed, not finite, or
  /// missing; MachineError if the file cannot be read
  std::optional<AtomFrame> next();

 private:
  class Frames;
  std::unique_ptr<Frames> frames_;
};

/// Columns behind the others.
struct AtomColumn {
  std::string name;
  std::size_t width;
  const double* values;  ///< [atoms, width]
};

/// The frame as text: Lattice, Properties, pbc, then `keys` and those of the file; species, pos,
/// then id:I:1, masses:R:1, velocities:R:3 and momenta:R:3 (of ASE, m v in sqrt(amu eV)) where they
/// are known, further columns of the file, then `columns`. Numbers are written so that they read
/// back as the same ones.
/// @param keys " key=value" each
/// @throws InputError if a species cannot be a word of the file
std::string extxyz_text(const AtomFrame& frame, const std::string& keys,
                        const std::vector<AtomColumn>& columns);

}  // namespace larmor::io
