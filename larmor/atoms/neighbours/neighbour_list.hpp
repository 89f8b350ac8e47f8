#pragma once
// Neighbours of atoms that move. Pairs are searched within the cutoff and a skin, and again only
// when an atom has moved so far that a pair may have come within the cutoff unseen.
//
// With positions x0 and box h0 of the last search and A = h h0^-1, a pair that was farther apart
// than cutoff + skin now has a distance of at least
//
//   (1 - |A - 1|) (cutoff + skin) - 2 max_i |x_i - A x0_i|,   |.| of a matrix: the Frobenius norm;
//
// the search is made again when this is below the cutoff. In a box that stays as it is, this is
// when an atom has moved more than half the skin.

#include "larmor/atoms/neighbours/neighbours.hpp"

namespace larmor::atoms {

class NeighbourList {
 public:
  /// @throws InputError unless cutoff > 0 and skin >= 0
  NeighbourList(double cutoff, double skin);

  /// All pairs within the cutoff. BITS: those of find_neighbours(box, positions, cutoff), in the
  /// same order and with the same displacements, whenever pairs were searched.
  /// @param positions of the same atoms each time, finite
  /// @return valid until the next call
  const NeighbourRows& rows(const Box& box, std::span<const Vec3<double>> positions, int threads);

  Index searches() const { return searches_; }

 private:
  bool is_outrun(const Box& box, std::span<const Vec3<double>> positions) const;
  void search(const Box& box, std::span<const Vec3<double>> positions);
  void move_pairs(const Box& box, std::span<const Vec3<double>> positions, int threads);
  void keep_pairs_within_cutoff();

  double cutoff_, skin_;
  Box box_{};                            ///< of the last search
  std::vector<Vec3<double>> positions_;  ///< of the last search; empty: there was none
  NeighbourRows found_;                  ///< within cutoff and skin, displacements of today
  NeighbourRows rows_;
  std::vector<Index> kept_;  ///< entry of rows_ that a found one is; -1: none, it is too far
  Index searches_ = 0;
};

}  // namespace larmor::atoms
