#pragma once
// Atoms, and what is known of each, as files of structures have them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "larmor/atoms/box.hpp"
#include "larmor/core/types.hpp"

namespace larmor::atoms {

struct Structure {
  /// Spans a volume always: open directions that have no vector in the cell get one of length 1.
  Box box;
  std::optional<std::array<Vec3<double>, 3>> cell;  ///< as it was given, Angstrom
  std::vector<std::string> species;                 ///< names, each once
  std::vector<std::int32_t> kind;                   ///< numbers of their species [atoms]
  std::vector<Vec3<double>> positions;              ///< Angstrom [atoms]
  std::vector<Index> ids;                           ///< [atoms], or none
  std::vector<double> masses;                       ///< g/mol [atoms], or none
  std::vector<Vec3<double>> velocities;             ///< Angstrom/ps [atoms], or none

  Index atoms() const { return static_cast<Index>(positions.size()); }
  /// Is the volume of the box that of the cell?
  bool has_volume() const { return cell && *cell == box.vectors; }
  /// The number of a species, a new one if there is none of this name.
  std::int32_t kind_of(std::string_view name) {
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
