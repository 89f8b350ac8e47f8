#include "larmor/io/atom_values.hpp"

#include <cmath>

#include "larmor/core/located.hpp"
#include "larmor/lattice/crystal.hpp"

namespace larmor::io {

atoms::Box checked_box(const std::optional<std::array<Vec3<double>, 3>>& cell,
                       const std::array<bool, 3>& periodic, const SourcePosition& where) {
  const atoms::Box box = atoms::box_of(cell, periodic);
  located(where, [&] { lattice::validate({"", box.vectors, {{{0, 0, 0}, "", 1}}, 3, {}}); });
  return box;
}

Vec3<double> read_position(const TextRow& row, std::size_t column) {
  // Beyond, no distance between atoms is anything but rounding.
  constexpr double farthest = 1e15;
  const auto coordinate = [&](std::size_t d, const char* name) {
    const double value = row.real(column + d, name);
    if (std::abs(value) > farthest)
      throw InputError(
          std::string(name) + " is " + std::string(row.word(column + d)) + ", too far away",
          row.position(column + d), "coordinates lie between -1e15 and 1e15");
    return value;
  };
  const double x = coordinate(0, "x"), y = coordinate(1, "y");
  return {x, y, coordinate(2, "z")};
}

double read_mass(const TextRow& row, std::size_t column) {
  const double mass = row.real(column, "the mass");
  if (!(mass > 0))
    throw InputError("the mass is " + std::string(row.word(column)), row.position(column),
                     "give it in g/mol, more than 0");
  return mass;
}

Vec3<double> read_velocity(const TextRow& row, std::size_t column) {
  const double x = row.real(column, "the velocity along x");
  const double y = row.real(column + 1, "the velocity along y");
  return {x, y, row.real(column + 2, "the velocity along z")};
}

}  // namespace larmor::io
