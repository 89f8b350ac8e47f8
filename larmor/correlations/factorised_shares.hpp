#pragma once
// How the factorised sum is cut up among threads: by the sizes alone, so that the bits do not
// depend on how many there are.

#include <algorithm>

#include "larmor/core/pack.hpp"
#include "larmor/correlations/factorised_kernel.hpp"

namespace larmor::correlations {

/// From first up to, but not with, last.
struct IndexRange {
  Index first, last;
};

/// A share is a piece of the sites, some blocks of replicas and a group of wave vectors. Wave
/// vectors of a group share the reading of the spins, blocks that of the phases.
class FactorisedShares {
 public:
  static constexpr Index group = 8;                 ///< wave vectors
  static constexpr Index numbers = 6 * lane_count;  ///< of a sum: (re and im, 3, lane)

  FactorisedShares(Index sites, Index replicas, Index wave_vectors)
      : sites_(sites),
        wave_vectors_(wave_vectors),
        blocks_((replicas + lane_count - 1) / lane_count),
        groups_((wave_vectors + group - 1) / group) {
    // Enough for many threads, where there is work for them.
    constexpr Index wanted = 64, worth_a_piece = 8192;
    const Index groups = std::max<Index>(groups_, 1);
    pieces_ = std::clamp<Index>(wanted / groups, 1,
                                (sites + worth_a_piece - 1) / worth_a_piece + (sites == 0));
    block_parts_ = std::clamp<Index>(wanted / (groups * pieces_), 1, blocks_);
  }

  Index count() const { return pieces_ * block_parts_ * groups_; }
  Index pieces() const { return pieces_; }
  Index piece(Index share) const { return share / (block_parts_ * groups_); }

  /// Whole tiles, but for the last.
  IndexRange sites(Index share) const {
    const Index tiles = (sites_ + tile_sites - 1) / tile_sites, n = piece(share);
    return {n * tiles / pieces_ * tile_sites,
            std::min(sites_, (n + 1) * tiles / pieces_ * tile_sites)};
  }
  IndexRange blocks(Index share) const {
    const Index n = share / groups_ % block_parts_;
    return {n * blocks_ / block_parts_, (n + 1) * blocks_ / block_parts_};
  }
  IndexRange wave_vectors(Index share) const {
    const Index first = share % groups_ * group;
    return {first, std::min(wave_vectors_, first + group)};
  }

  /// Numbers of all sums, (piece, q, block, numbers).
  Index sums() const { return pieces_ * wave_vectors_ * blocks_ * numbers; }
  /// Where one of them begins.
  Index place(Index of_piece, Index q, Index block) const {
    return ((of_piece * wave_vectors_ + q) * blocks_ + block) * numbers;
  }

 private:
  Index sites_, wave_vectors_, blocks_, groups_, pieces_, block_parts_;
};

}  // namespace larmor::correlations
