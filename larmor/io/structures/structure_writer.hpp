#pragma once
// Writes structures of atoms in all file formats that can be read.

#include "larmor/io/structures/atom_frames.hpp"

namespace larmor::io {

/// Can a file of this format have several frames?
constexpr bool holds_many_frames(StructureFormat format) {
  return format == StructureFormat::extxyz || format == StructureFormat::lammps_dump;
}

/// A frame as text of a format: `extxyz_text`, `lammps_data_text`, `lammps_dump_text` or
/// `poscar_text`. @param step step of dynamics, for dump files
/// @throws InputError for atoms that the format cannot represent
std::string structure_text(StructureFormat format, const AtomFrame& frame, Index step);

}  // namespace larmor::io
