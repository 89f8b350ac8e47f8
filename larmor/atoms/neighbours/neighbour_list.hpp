#pragma once
// Neighbours of moving atoms. Pairs are searched within the cutoff plus a skin. The search is
// repeated only when a pair that was not found may have come within the cutoff.
//
// With positions x0 and box h0 of the last search and A = h h0^-1, a pair that was farther apart
// than cutoff + skin now has a distance of at least
//
//   (1 - |A - 1|) (cutoff + skin) - 2 max_i |x_i - A x0_i|,   |.| of a matrix: the Frobenius norm;
//
// the search is repeated when this is below the cutoff. In a constant box, this is when an atom has
// moved more than half the skin.

#include "larmor/atoms/neighbours/neighbours.hpp"

namespace larmor::atoms {

class NeighbourList {
 public:
  /// @throws InputError unless cutoff > 0 and skin >= 0
  NeighbourList(double cutoff, double skin);

  /// All pairs within the cutoff. BITS: those of find_neighbours(box, positions, cutoff), with its
  /// order and its displacements, whenever the search was.
  /// @param positions positions of the same atoms each time, finite
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
