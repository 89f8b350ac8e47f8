#pragma once
// Neighbours of moving atoms. Pairs are searched within the cutoff plus a skin. The search is
// repeated only when a pair that was not found may have come within the cutoff.
//
// Let x and h be the current positions and box, x0 and h0 those of the last search, and A = h
// h0^-1. A pair that was farther apart than cutoff + skin now has a distance of at least
//
//   (1 - |A - 1|) (cutoff + skin) - 2 max_i |x_i - A x0_i|,   |.| of a matrix: the Frobenius norm;
//
// The search is repeated if this distance is below the cutoff. In a constant box, this happens if
// an atom has moved by more than half the skin.

#include "larmor/atoms/neighbours/neighbours.hpp"

namespace larmor::atoms {

class NeighbourList {
 public:
  /// @throws InputError unless cutoff > 0 and skin >= 0
  NeighbourList(double cutoff, double skin);

  /// All pairs within the cutoff. BITS: they have the order and the displacements of
  /// find_neighbours(box, positions, cutoff), and do not depend on the time of the last search.
  /// @param positions finite positions; each call gives them for one list of atoms
  /// @return valid until the next call
  const NeighbourRows& rows(const Box& box, std::span<const Vec3<double>> positions, int threads);

  Index searches() const { return searches_; }

 private:
  bool is_outdated(const Box& box, std::span<const Vec3<double>> positions) const;
  void search(const Box& box, std::span<const Vec3<double>> positions);
  void move_pairs(const Box& box, std::span<const Vec3<double>> positions, int threads);
  void keep_pairs_within_cutoff();

  double cutoff_, skin_;
  Box box_{};                            ///< box of the last search
  std::vector<Vec3<double>> positions_;  ///< positions of the last search; empty before any
  NeighbourRows found_;                  ///< within cutoff and skin, with current displacements
  NeighbourRows rows_;
  std::vector<Index> kept_;  ///< entry in rows_ of each found entry; -1 if the pair is too far
  Index searches_ = 0;
};

}  // namespace larmor::atoms
