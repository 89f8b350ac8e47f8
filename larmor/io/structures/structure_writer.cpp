#include "larmor/io/structures/structure_writer.hpp"

#include "larmor/core/error.hpp"
#include "larmor/io/structures/lammps_data.hpp"
#include "larmor/io/structures/lammps_dump.hpp"
#include "larmor/io/structures/poscar.hpp"

namespace larmor::io {

std::string structure_text(StructureFormat format, const AtomFrame& frame, Index step) {
  switch (format) {
    case StructureFormat::extxyz:
      return extxyz_text(frame, "", {});
    case StructureFormat::lammps_data:
      return lammps_data_text(frame);
    case StructureFormat::lammps_dump:
      return lammps_dump_text(frame, step);
    case StructureFormat::poscar:
      return poscar_text(frame);
  }
  throw InternalError("a format of structures has no writer");
}

}  // namespace larmor::io
