#pragma once
// Structures of atoms in files. It reads extended XYZ and LAMMPS dump files with all frames, LAMMPS
// data files and VASP's POSCAR, and writes all of these formats.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/io/structures/frame_types.hpp"

namespace larmor::io {

enum class StructureFormat { extxyz, lammps_data, lammps_dump, poscar };

/// The format that follows from the file's name, as in `structure_format`; nothing if it does not
/// follow.
std::optional<StructureFormat> format_of_name(const std::string& path);

/// The format by the ending or the beginning of the name (.extxyz .xyz; .data .lmp data.*; .dump
/// .lammpstrj dump.*; POSCAR* CONTCAR* .poscar .vasp). If the name does not give it, the format
/// follows from the first lines of the file.
/// @throws InputError if there is no such file, or its format is unknown; MachineError if it cannot
/// be read
StructureFormat structure_format(const std::string& path);

/// Reads structures one after the other.
class StructureReader {
 public:
  /// @throws InputError, MachineError for the errors of structure_format
  StructureReader(const std::string& path, TypeNames names);
  ~StructureReader();

  /// The next structure; nothing at the end of the file.
  /// @throws InputError with file, line and word for values that are malformed, not finite, or
  /// missing; MachineError if the file cannot be read
  std::optional<AtomFrame> next();

 private:
  class Frames;
  std::unique_ptr<Frames> frames_;
};

/// A column that is written behind all other columns.
struct AtomColumn {
  std::string name;
  std::size_t width;
  const double* values;  ///< [atoms, width]
};

/// The frame as text. Keys are Lattice, Properties, pbc, then `keys` and the further keys of the
/// file. Columns are species, pos, then id:I:1, masses:R:1, velocities:R:3 and momenta:R:3 if they
/// are known. The further columns of the file and then `columns` follow. Momenta are those of ASE,
/// m v in sqrt(amu eV). Numbers read back as equal values.
/// @param keys text " key=value" for each key
/// @throws InputError if a species cannot be a word of the file
std::string extxyz_text(const AtomFrame& frame, const std::string& keys,
                        const std::vector<AtomColumn>& columns);

/// Can a file of this format have several frames?
constexpr bool holds_many_frames(StructureFormat format) {
  return format == StructureFormat::extxyz || format == StructureFormat::lammps_dump;
}

/// A frame as text of a format: `extxyz_text`, `lammps_data_text`, `lammps_dump_text` or
/// `poscar_text`. @param step step of dynamics, for dump files
/// @throws InputError for atoms that the format cannot represent
std::string structure_text(StructureFormat format, const AtomFrame& frame, Index step);

}  // namespace larmor::io
