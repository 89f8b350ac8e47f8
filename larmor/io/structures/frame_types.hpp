#pragma once
// Types that the readers and writers of structures share: a frame of a file, and the names of
// LAMMPS's types of atoms.

#include <optional>
#include <string>
#include <vector>

#include "larmor/atoms/system/named_structure.hpp"
#include "larmor/core/error.hpp"

namespace larmor::io {

/// A structure and its position in a file.
struct AtomFrame {
  atoms::NamedStructure atoms;
  SourcePosition where;         ///< start of the frame
  SourcePosition where_box;     ///< position of its cell
  std::vector<int> line;        ///< line of each atom in the file [atoms]
  std::string further_keys;     ///< other keys of extended XYZ, " key=value" each, unchanged
  std::string further_columns;  ///< other columns of extended XYZ, "name:type:width:" each
  std::vector<std::string> further_values;  ///< values of these columns, "a b c" [atoms], or empty

  SourcePosition where_atom(Index atom) const {
    return {where.file, line[static_cast<std::size_t>(atom)], 0, ""};
  }
};

/// Element names for the types 1, 2, .. in LAMMPS files.
struct TypeNames {
  std::vector<std::string> given;      ///< overrides the file; empty: no names given
  std::vector<std::string> otherwise;  ///< used if neither the file nor masses give the element

  /// Nothing if no names are given. @param type from 0 @throws InputError for a type without a name
  std::optional<std::string> given_name(std::size_t type, const SourcePosition& where) const;
  /// @throws InputError for a type without a name
  std::string other_name(std::size_t type, const SourcePosition& where) const;
};

}  // namespace larmor::io
