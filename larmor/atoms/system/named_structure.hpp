#pragma once
// Atoms with the names, masses and velocities that files of structures give.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

/// The box always has a volume: if the cell has no vector along an open direction, the box has a
/// vector of length 1 there.
struct NamedStructure : Structure {
  std::optional<std::array<Vec3<double>, 3>> cell;  ///< as the file gives it, Angstrom
  std::vector<std::string> species;                 ///< names of the types, each once
  std::vector<Index> ids;                           ///< [atoms], or empty
  std::vector<double> masses;                       ///< g/mol [atoms], or empty
  std::vector<Vec3<double>> velocities;             ///< Angstrom/ps [atoms], or empty

  Index atoms() const { return static_cast<Index>(positions.size()); }
  /// Does the cell determine the volume of the box?
  bool has_volume() const { return cell && *cell == box.vectors; }
  /// The type of a species; a new type if no species has this name.
  std::int32_t type_of(std::string_view name) {
    std::size_t n = 0;
    while (n < species.size() && species[n] != name) ++n;
    if (n == species.size()) species.emplace_back(name);
    return static_cast<std::int32_t>(n);
  }
};

/// The box of a cell. Its vectors along open directions may be missing (zero).
Box box_of(const std::optional<std::array<Vec3<double>, 3>>& cell,
           const std::array<bool, 3>& periodic);

}  // namespace larmor::atoms
