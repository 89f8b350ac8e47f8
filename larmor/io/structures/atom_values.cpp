#include "larmor/io/structures/atom_values.hpp"

#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/lattice/crystal.hpp"
#include "larmor/lattice/length_limits.hpp"

namespace larmor::io {

atoms::Box checked_box(const std::optional<std::array<Vec3<double>, 3>>& cell,
                       const std::array<bool, 3>& periodic, const SourcePosition& where) {
  const atoms::Box box = atoms::box_of(cell, periodic);
  with_position(where, [&] { lattice::validate({"", box.vectors, {{{0, 0, 0}, "", 1}}, 3, {}}); });
  return box;
}

Vec3<double> checked_position(const Vec3<double>& r, const TextRow& row,
                              const std::array<std::size_t, 3>& columns) {
  const double coordinate[3] = {r.x, r.y, r.z};
  for (std::size_t d = 0; d < 3; ++d)
    if (!lattice::within_coordinate_limits(coordinate[d]))
      throw InputError(
          std::string(1, "xyz"[d]) + " is " + std::string(row.word(columns[d])) + ", too far away",
          row.position(columns[d]), lattice::coordinate_limits);
  return r;
}

Vec3<double> read_position(const TextRow& row, std::size_t column) {
  const double x = row.real(column, "x"), y = row.real(column + 1, "y");
  return checked_position({x, y, row.real(column + 2, "z")}, row, {column, column + 1, column + 2});
}

double read_mass(const TextRow& row, std::size_t column) {
  const double mass = row.real(column, "the mass");
  if (!(mass > 0))
    throw InputError("the mass is " + std::string(row.word(column)), row.position(column),
                     "give the mass in g/mol, as a number above 0");
  return mass;
}

Vec3<double> read_vector(const TextRow& row, std::size_t column, const std::string& name) {
  const double x = row.real(column, name + " along x");
  const double y = row.real(column + 1, name + " along y");
  return {x, y, row.real(column + 2, name + " along z")};
}

Vec3<double> read_velocity(const TextRow& row, std::size_t column) {
  constexpr double fastest = 1e15;
  const Vec3<double> v = read_vector(row, column, "the velocity");
  const double component[3] = {v.x, v.y, v.z};
  for (std::size_t d = 0; d < 3; ++d)
    if (!(std::abs(component[d]) <= fastest))
      throw InputError("the velocity is " + std::string(row.word(column + d)),
                       row.position(column + d), "velocities lie between -1e15 and 1e15");
  return v;
}

}  // namespace larmor::io
