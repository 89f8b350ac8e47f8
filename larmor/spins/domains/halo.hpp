#pragma once
// Field values that ranks with a shared lattice exchange, by storage position.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

/// Ascending positions for each rank.
using PositionsOfRanks = std::vector<std::vector<std::int32_t>>;
/// Owned ranges of each rank, ascending.
using RangesOfRanks = std::vector<std::vector<SiteRange>>;

/// Positions that one rank sends and receives.
struct Halo {
  PositionsOfRanks out;  ///< own positions that each other rank reads
  PositionsOfRanks in;   ///< positions of each other rank that this rank reads

  explicit Halo(std::size_t ranks = 0) : out(ranks), in(ranks) {}
  /// Number of positions that this rank receives.
  Index received() const;
  /// The halo restricted to some sites.
  Halo among(std::span<const SiteRange> sites) const;
};

/// Divides the positions of a rank into few ranges. The edge has all positions that other ranks
/// read, and possibly more. The interior has the rest.
struct EdgeAndInterior {
  std::vector<SiteRange> edge, interior;

  /// @param read_by_others in any order
  /// @param least smallest useful number of interior positions. If there are fewer, all positions
  ///        belong to the edge.
  EdgeAndInterior() = default;
  EdgeAndInterior(const std::vector<SiteRange>& owned, std::vector<std::int32_t> read_by_others,
                  Index least);
};

/// The halo that completes blocks of `block_sites` positions. Each block begins at a multiple of
/// `block_sites`. The rank that owns the first position of a block receives its other positions.
Halo halo_of_blocks(const RangesOfRanks& owned, int rank, Index block_sites);

/// Number of values of a field at some positions in some blocks.
Index numbers_at(const SpinLayout& layout, Index positions, Index blocks);

// The next two functions are versions for CPU memory. Number is double or float.

/// Sends and receives the halo of a field in blocks [first_block, last_block).
template <class Number>
void exchange(const Communicator& world, const SpinLayout& layout, const Halo& halo, Number* field,
              Index first_block, Index last_block);

/// Receives the positions of all other ranks in some blocks.
template <class Number>
void complete(const Communicator& world, const SpinLayout& layout, const RangesOfRanks& owned,
              Number* field, Index first_block, Index last_block);

}  // namespace larmor::spins
