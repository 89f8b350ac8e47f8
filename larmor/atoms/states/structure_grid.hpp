#pragma once
// Structures as whole numbers, to tell states of atoms apart. The numbers of a structure do not
// change if equal atoms are exchanged, if an atom moves by a box vector, or if all atoms drift.
//
// The drift t is measured from the atoms of a first structure, by the iteration
//
//   t = sum_i w(d_i) d_i / sum_i w(d_i),  w(d) = (1 - d^2 / c^2)^2 for d < c.
//
// The vector d_i points from the nearest first atom to atom i. The cutoff c is half of the shortest
// distance between first atoms. So a few atoms that left their sites do not count. A
// lattice vector is not a drift: a vacancy at another site is another structure.
//
// The numbers are the type and the place of each atom, sorted, in cells of about 0.2 Angstrom. The
// cells divide each box vector into a multiple of 48 parts. So sites of a lattice do not lie on
// faces of cells.

#include <span>
#include <vector>

#include "larmor/atoms/cell/box.hpp"
#include "larmor/core/types.hpp"

namespace larmor::atoms {

class StructureGrid {
 public:
  /// @param first a relaxed structure @param box periodic in all directions
  StructureGrid(const Box& box, std::vector<std::int32_t> types, std::vector<Vec3<double>> first);

  /// The drift of a structure.
  Vec3<double> drift_of(std::span<const Vec3<double>> positions) const;
  /// The numbers of a structure without its drift: type and three cells of each atom, sorted.
  std::vector<Index> numbers_of(std::span<const Vec3<double>> positions) const;
  /// Atoms in the middles of the cells, the atoms of each type in the order of the numbers.
  std::vector<Vec3<double>> positions_of(std::span<const Index> numbers) const;
  /// Is each atom closer than `distance` to the atom of its number, apart from a common drift?
  bool is_near(std::span<const Vec3<double>> a, std::span<const Vec3<double>> b,
               double distance) const;

 private:
  Vec3<double> from_nearest(const Vec3<double>& position) const;

  Box box_;
  std::vector<std::int32_t> types_;
  std::vector<Vec3<double>> first_;
  std::array<Index, 3> cells_;
  double cutoff_;
};

}  // namespace larmor::atoms
