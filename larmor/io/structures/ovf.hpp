#pragma once
// OVF 2.0, the vector field files of OOMMF, which micromagnetic programs and viewers read. Format:
// OOMMF User's Guide, M. J. Donahue and D. G. Porter, "Vector Field File Format (OVF)",
// https://math.nist.gov/oommf/doc.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "larmor/core/input/units.hpp"
#include "larmor/io/files/durable_file.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::io {

/// The form of the data block: text, or 8-byte IEEE numbers with the least significant byte first.
enum class OvfData { text, binary_8 };

struct OvfOptions {
  OvfData data = OvfData::binary_8;
  /// Are the values moments (mu_B; 1 in reduced units) instead of unit vectors?
  bool moments = false;
  std::string title;
  std::optional<double> time;  ///< ps, or reduced; written as a Desc line
  UnitSystem units = UnitSystem::reduced;
};

/// Writes one configuration, with one value per site. A lattice with one atom in its cell and
/// vectors along +x, +y and +z (chain, square, sc) becomes a rectangular mesh with the sites as its
/// nodes. Other lattices become an irregular mesh, in which each value follows its position.
/// Numbers in text read back bit for bit.
/// @param spins unit vectors in canonical order [sites]
/// @throws InputError if the folder is missing, or the file exists and must not be replaced;
/// MachineError if writing fails; InternalError if there is not one spin per site
void write_ovf(const std::string& path, const lattice::Geometry& geometry,
               std::span<const Vec3<double>> spins, const OvfOptions& options, IfExists if_exists);

/// Vectors on the nodes of a rectangular mesh.
struct OvfField {
  std::string title;
  std::string mesh_unit;
  std::string value_units;           ///< as in the file: one for all components, or three
  std::array<Index, 3> nodes;        ///< along x, y, z
  Vec3<double> base;                 ///< position of the first node, in mesh_unit
  Vec3<double> step;                 ///< distance between nodes, in mesh_unit
  std::vector<Vec3<double>> values;  ///< node (x, y, z) at x + nodes[0] (y + nodes[1] z)
};

/// Reads a rectangular mesh of three-component values from text, Binary 4 or Binary 8.
/// @throws InputError for a missing or malformed file, another version of OVF, an irregular mesh,
///         values of another dimension or not finite; MachineError if the file cannot be read
OvfField read_ovf(const std::string& path);

}  // namespace larmor::io
