#pragma once
// Text dump files of LAMMPS (dump custom, write_dump), in metal units, with any number of frames
// and any box. The reader uses the columns id, type, element, mass, velocities vx vy vz and
// positions.
// Positions are xu yu zu, xsu ysu zsu, x y z or xs ys zs. If the columns ix iy iz exist, x y z
// and xs ys zs are moved by these numbers of box vectors. Other columns are skipped. Format:
// https://docs.lammps.org/dump.html.

#include <memory>
#include <optional>

#include "larmor/io/structures/frame_types.hpp"

namespace larmor::io {

class LammpsDumpReader {
 public:
  /// @throws InputError for a missing file or a folder, MachineError if it cannot be opened
  LammpsDumpReader(const std::string& path, TypeNames names);
  ~LammpsDumpReader();

  /// The next frame; nothing at the end of the file. Atoms are in the order of their ids, if they
  /// have ids. An element comes from the first of these that gives it: `names.given` for the type;
  /// the column `element`; the mass; `names.otherwise`.
  /// @throws InputError with file, line and word for values that are malformed, not finite or
  /// missing; MachineError if the file cannot be read
  std::optional<AtomFrame> next();

 private:
  class Frames;
  std::unique_ptr<Frames> frames_;
};

/// A frame as text. Columns are id type element xu yu zu, then mass and vx vy vz if they are known.
/// Without ids, atoms are counted from 1. Numbers read back as equal values, except for those of a
/// tilted box: LAMMPS rounds its bounds.
/// @throws InputError for atoms without a cell, or a left-handed one
std::string lammps_dump_text(const AtomFrame& frame, Index step);

}  // namespace larmor::io
