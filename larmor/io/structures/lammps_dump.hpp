#pragma once
// Text dump files of LAMMPS (dump custom, write_dump), in metal units: any number of frames, any
// box. Columns that are read: id, type, element, mass, positions (xu yu zu, xsu ysu zsu, x y z or
// xs ys zs, the latter two with ix iy iz where they are there), velocities vx vy vz. Others are
// skipped. Format: https://docs.lammps.org/dump.html.

#include <memory>
#include <optional>

#include "larmor/io/structures/atom_frames.hpp"

namespace larmor::io {

class LammpsDumpReader {
 public:
  /// @throws InputError for a missing file or a folder, MachineError if it cannot be opened
  LammpsDumpReader(const std::string& path, TypeNames names);
  ~LammpsDumpReader();

  /// The next frame; nothing at the end of the file. Atoms are in the order of their ids, if they
  /// have some. An element is what the names give for the type; else the column `element`; else
  /// what the mass says; else what the names say otherwise.
  /// @throws InputError naming file, line and word for whatever is malformed, not finite or
  /// missing; MachineError if the file cannot be read
  std::optional<AtomFrame> next();

 private:
  class Frames;
  std::unique_ptr<Frames> frames_;
};

/// A frame as text: id type element xu yu zu, then mass and vx vy vz where they are known. Without
/// ids atoms are counted from 1. Numbers are written so that they read back as the same ones,
/// beside those of a box that leans, whose bounds LAMMPS rounds.
/// @throws InputError for atoms without a cell, or a left-handed one
std::string lammps_dump_text(const AtomFrame& frame, Index step);

}  // namespace larmor::io
