#pragma once
// What files of atoms have in common: cells, positions, masses and velocities that are checked
// where they are read.

#include "larmor/atoms/system/named_structure.hpp"
#include "larmor/core/error.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {

/// atoms::box_of, of a cell that stands at `where`. @throws InputError if it spans no volume
atoms::Box checked_box(const std::optional<std::array<Vec3<double>, 3>>& cell,
                       const std::array<bool, 3>& periodic, const SourcePosition& where);

/// A position that stands in these columns. @throws InputError if it is too far away for distances
/// to mean anything
Vec3<double> checked_position(const Vec3<double>& r, const TextRow& row,
                              const std::array<std::size_t, 3>& columns);

/// Three numbers from a column on. @throws InputError if one is too far away for distances to mean
/// anything
Vec3<double> read_position(const TextRow& row, std::size_t column);

/// g/mol. @throws InputError unless it is positive
double read_mass(const TextRow& row, std::size_t column);

/// Three numbers from a column on. @throws InputError calling them `name`
Vec3<double> read_vector(const TextRow& row, std::size_t column, const std::string& name);

/// Three numbers of a velocity. @throws InputError as read_vector
Vec3<double> read_velocity(const TextRow& row, std::size_t column);

}  // namespace larmor::io
