#pragma once
// Atoms, and what is known of each, as files of structures have them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

/// Its box spans a volume always: open directions that have no vector in the cell get one of
/// length 1.
struct NamedStructure : Structure {
  std::optional<std::array<Vec3<double>, 3>> cell;  ///< as it was given, Angstrom
  std::vector<std::string> species;                 ///< names of the types, each once
  std::vector<Index> ids;                           ///< [atoms], or none
  std::vector<double> masses;                       ///< g/mol [atoms], or none
  std::vector<Vec3<double>> velocities;             ///< Angstrom/ps [atoms], or none

  Index atoms() const { return static_cast<Index>(positions.size()); }
  /// Is the volume of the box that of the cell?
  bool has_volume() const { return cell && *cell == box.vectors; }
  /// The type of a species, a new one if there is none of this name.
  std::int32_t type_of(std::string_view name) {
    std::size_t n = 0;
    while (n < species.size() && species[n] != name) ++n;
    if (n == species.size()) species.emplace_back(name);
    return static_cast<std::int32_t>(n);
  }
};

/// The box of a cell that may lack vectors along open directions (zero).
Box box_of(const std::optional<std::array<Vec3<double>, 3>>& cell,
           const std::array<bool, 3>& periodic);

}  // namespace larmor::atoms
