#pragma once
// The search of neighbours: a row for every atom. Each pair is in the rows of both of its atoms.
// Every periodic image counts, also images of the atom itself, so that a box may be smaller than
// the cutoff.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "larmor/atoms/cell/periodic_image.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {

/// Rows of neighbours. BITS: a row is sorted by the neighbour, then by its image.
struct NeighbourRows {
  std::vector<Index> first;  ///< first entry of each row, and the number of entries [atoms + 1]
  std::vector<std::int32_t> neighbour;     ///< [entries]
  std::vector<Image> image;                ///< [entries]
  std::vector<Vec3<double>> displacement;  ///< r_j + image - r_i, Angstrom [entries]
  std::vector<Index> mirror;  ///< entry of this pair in the row of the neighbour [entries]

  Index atoms() const { return static_cast<Index>(first.size()) - 1; }
  Index entries() const { return static_cast<Index>(neighbour.size()); }
};

/// @throws InputError for a box without a volume, or far smaller than the cutoff
void require_box(const Box& box, double cutoff);

/// The error for two atoms at one position.
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

/// Finds the neighbours of single atoms, without storing all rows.
class NeighbourSearch {
 public:
  /// @param positions must outlive the search @throws the errors of find_neighbours
  NeighbourSearch(const Box& box, std::span<const Vec3<double>> positions, double cutoff);
  ~NeighbourSearch();

  /// All neighbours of an atom within the cutoff, in the order of a row. Several threads may call
  /// this function at once.
  /// @throws CoincidentAtoms
  void find(Index atom, std::vector<Neighbour>& row) const;

 private:
  struct Grid;
  std::unique_ptr<const Grid> grid_;
};

/// All pairs closer than the cutoff.
/// @param positions may lie outside the box along an open direction
/// @throws CoincidentAtoms
/// @throws InputError for a box without a volume or far smaller than the cutoff, or a position that
/// is far away
/// @throws UnphysicalError for a position that is not finite
NeighbourRows find_neighbours(const Box& box, std::span<const Vec3<double>> positions,
                              double cutoff);

}  // namespace larmor::atoms
