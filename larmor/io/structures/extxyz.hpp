#pragma once
// Extended XYZ: reads positions, species and moments, and writes configurations of spins, for OVITO
// and ASE. Format: https://github.com/libAtoms/extxyz.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "larmor/io/files/durable_file.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::io {

/// Reads the first frame into plain positions. Known keys of the second line:
/// - Lattice: nine numbers, the three vectors one after the other; without it nothing is periodic
/// - pbc: "T T F"; without it all directions are periodic if there is a Lattice
/// - Properties: columns; species and pos are needed. One of moment, magmom, magmoms and
///   initial_magmoms gives the size of the moment (mu_B); default: 1. Other columns are skipped.
///
/// Positions are in the length unit of the study.
/// @throws InputError for a missing or malformed file, numbers that are not finite, moments that
/// are not positive, atoms at one place; MachineError if the file cannot be read
lattice::Geometry read_extxyz(const std::string& path);

/// The spins of the first frame, in the order of the file; their lengths do not matter. Properties
/// needs spin:R:3.
/// @throws InputError for a missing or malformed file, another number of atoms than `spins`, or a
/// spin of length 0; MachineError if it cannot be read
std::vector<Vec3<double>> read_extxyz_spins(const std::string& path, Index spins);

/// A configuration of spins.
struct ExtxyzFrame {
  std::vector<Vec3<double>> spins;  ///< (site), unit vectors in canonical order
  std::optional<double> time;       ///< written as Time=
};

/// Writes frames one after the other, each with Properties=species:S:1:pos:R:3:spin:R:3:moment:R:1.
/// Every number reads back bit for bit. Vacancies are omitted. The file appears complete or not at
/// all.
/// @throws InputError if the folder is missing, the file exists and must not be replaced, or a
/// species cannot be a word of the file; MachineError if writing fails; InternalError if a frame
/// does not have one spin per site
void write_extxyz(const std::string& path, const lattice::Geometry& geometry,
                  std::span<const ExtxyzFrame> frames, IfExists if_exists);

/// Writes frames of integers, for instance of Ising spins, with
/// Properties=species:S:1:pos:R:3:NAME:I:1. The file appears complete or not at all.
/// @param name name of the column @param frames each (site), in canonical order
/// @throws InputError, MachineError and InternalError for the errors of write_extxyz
void write_extxyz_states(const std::string& path, const lattice::Geometry& geometry,
                         const std::string& name, std::span<const std::vector<std::int64_t>> frames,
                         IfExists if_exists);

}  // namespace larmor::io
