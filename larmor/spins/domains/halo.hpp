#pragma once
// What ranks that share a lattice send one another of a field, by storage position.

#include <cstdint>
#include <span>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

/// Ascending positions, for each rank.
using PositionsOfRanks = std::vector<std::vector<std::int32_t>>;
/// What each rank owns, ascending.
using RangesOfRanks = std::vector<std::vector<SiteRange>>;

/// What one rank sends and receives.
struct Halo {
  PositionsOfRanks out;  ///< of this rank's that each reads
  PositionsOfRanks in;   ///< of theirs that this rank reads

  explicit Halo(std::size_t ranks = 0) : out(ranks), in(ranks) {}
  /// Positions that this rank receives.
  Index received() const;
  /// What of it lies among some sites.
  Halo among(std::span<const SiteRange> sites) const;
};

/// What a rank owns in two, as few ranges: at least what others read, and the rest.
struct EdgeAndInterior {
  std::vector<SiteRange> edge, interior;

  /// @param read_by_others in any order @param least positions of an interior that is worth it;
  /// where there are fewer, all is edge
  EdgeAndInterior() = default;
  EdgeAndInterior(const std::vector<SiteRange>& owned, std::vector<std::int32_t> read_by_others,
                  Index least);
};

/// What completes parts of `of_part` positions, from multiples of it on, for whoever owns the
/// first.
Halo halo_of_parts(const RangesOfRanks& owned, int rank, Index of_part);

/// Numbers of a field that some positions have in some blocks.
Index numbers_at(const SpinLayout& layout, Index positions, Index blocks);

// In the memory of a CPU. Number: double or float.

/// Sends and receives what a field has in blocks [first_block, last_block).
template <class Number>
void exchange(const Communicator& world, const SpinLayout& layout, const Halo& halo, Number* field,
              Index first_block, Index last_block);

/// Brings what other ranks own of some blocks.
template <class Number>
void complete(const Communicator& world, const SpinLayout& layout, const RangesOfRanks& owned,
              Number* field, Index first_block, Index last_block);

}  // namespace larmor::spins
