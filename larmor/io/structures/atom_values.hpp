#pragma once
// Reads and checks cells, positions, masses and velocities of files of atoms.

#include "larmor/atoms/system/named_structure.hpp"
#include "larmor/core/error.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {

/// Calls atoms::box_of for a cell that the file gives at `where`. @throws InputError if the cell
/// has no volume
atoms::Box checked_box(const std::optional<std::array<Vec3<double>, 3>>& cell,
                       const std::array<bool, 3>& periodic, const SourcePosition& where);

/// Checks a position from these columns. @throws InputError if it is too far away for exact
/// distances
Vec3<double> checked_position(const Vec3<double>& r, const TextRow& row,
                              const std::array<std::size_t, 3>& columns);

/// Reads a position from three columns, beginning at `column`. @throws InputError if it is too far
/// away for exact distances
Vec3<double> read_position(const TextRow& row, std::size_t column);

/// Mass in g/mol. @throws InputError unless it is positive
double read_mass(const TextRow& row, std::size_t column);

/// Reads three numbers, beginning at `column`. @throws InputError, which calls them `name`
Vec3<double> read_vector(const TextRow& row, std::size_t column, const std::string& name);

/// Reads the three numbers of a velocity. @throws InputError for the errors of read_vector, and for
/// numbers beyond 1e15
Vec3<double> read_velocity(const TextRow& row, std::size_t column);

}  // namespace larmor::io
