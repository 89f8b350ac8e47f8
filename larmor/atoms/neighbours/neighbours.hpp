#pragma once
// Who is near whom: a row of neighbours for every atom. Each pair stands in the rows of both of its
// atoms, and every periodic image counts, one of the atom itself too, so that a box may be smaller
// than the cutoff.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "larmor/atoms/cell/periodic_image.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {

/// BITS: the neighbours of a row are in the order of their atom, then of their image.
struct NeighbourRows {
  std::vector<Index> first;  ///< of each row among the entries, and their number [atoms + 1]
  std::vector<std::int32_t> neighbour;     ///< [entries]
  std::vector<Image> image;                ///< [entries]
  std::vector<Vec3<double>> displacement;  ///< r_j + image - r_i, Angstrom [entries]
  std::vector<Index> mirror;  ///< the entry of the same pair in the other's row [entries]

  Index atoms() const { return static_cast<Index>(first.size()) - 1; }
  Index entries() const { return static_cast<Index>(neighbour.size()); }
};

/// @throws InputError for a box without a volume, or far smaller than the cutoff
void require_box(const Box& box, double cutoff);

/// Two atoms on the same place.
class CoincidentAtoms : public InputError {
 public:
  CoincidentAtoms(Index first, Index second);
  const Index first, second;  ///< counted from 0
};

/// An entry of a row.
struct Neighbour {
  std::int32_t atom;
  Image image;
  Vec3<double> displacement;  ///< Angstrom
};

/// Finds the neighbours of one atom after the other, without keeping them.
class NeighbourSearch {
 public:
  /// @param positions must outlive it @throws as find_neighbours
  NeighbourSearch(const Box& box, std::span<const Vec3<double>> positions, double cutoff);
  ~NeighbourSearch();

  /// All within the cutoff, in the order of a row. By several threads at once.
  /// @throws CoincidentAtoms
  void find(Index atom, std::vector<Neighbour>& row) const;

 private:
  struct Grid;
  std::unique_ptr<const Grid> grid_;
};

/// All pairs closer than the cutoff.
/// @param positions those of an open direction may lie outside the box
/// @throws CoincidentAtoms; InputError for a box without a volume or far smaller than the cutoff,
/// or a position that is far away;
/// UnphysicalError for a position that is not finite
NeighbourRows find_neighbours(const Box& box, std::span<const Vec3<double>> positions,
                              double cutoff);

}  // namespace larmor::atoms
