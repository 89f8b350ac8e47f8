#pragma once
// Structures of atoms into files of every format that they are read from.

#include "larmor/io/structures/atom_frames.hpp"

namespace larmor::io {

/// May frames follow one another in a file of this format?
constexpr bool holds_many_frames(StructureFormat format) {
  return format == StructureFormat::extxyz || format == StructureFormat::lammps_dump;
}

/// A frame as text of a format: `extxyz_text`, `lammps_data_text`, `lammps_dump_text` or
/// `poscar_text`. @param step of dynamics, which dump files have
/// @throws InputError for atoms that the format cannot hold
std::string structure_text(StructureFormat format, const AtomFrame& frame, Index step);

}  // namespace larmor::io
