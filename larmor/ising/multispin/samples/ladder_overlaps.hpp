#pragma once
// Overlaps of the copies of many samples at every rung, counted for 64 samples at a time. They are
// computed from numbers of opposite spins in two copies, and of bonds whose product of spins is
// opposite in two copies. Opposite spins are counted over all sites, and also in each layer across
// some axes.

#include "larmor/ising/multispin/samples/sample_ladders.hpp"

namespace larmor::ising {

/// Counts of two copies of a sample at one rung.
struct OppositeSpins {
  std::int64_t spins, bonds;
  /// Counts of opposite spins in the layers of all axes, one axis after the other.
  const std::int32_t* of_layer;
};

class LadderOverlaps {
 public:
  /// @param layer_of_site for each axis, the number of every site's layer, from 0; may be empty
  LadderOverlaps(const SampleLadders& ladders,
                 const std::vector<std::vector<std::int32_t>>& layer_of_site);

  /// Counts at one moment.
  class Counts {
   public:
    /// @param sample number of the sample in the process @param copies numbers of two different
    /// copies
    OppositeSpins of(Index rung, Index sample, std::array<Index, 2> copies) const;

   private:
    friend class LadderOverlaps;
    tempering::LadderLayout layout_;
    Index layers_;                         ///< number of layers of all axes
    std::vector<SampleSums> sums_;         ///< (pair of words, sample)
    std::vector<std::int32_t> of_layers_;  ///< (pair of words, sample, layer)
  };

  /// Counts the current spins at their current rungs. Waits for a GPU.
  Counts count();

 private:
  const SampleLadders& ladders_;
  Index layers_ = 0;  ///< number of layers of all axes
  Index axes_;
  Array<WordPair> pairs_;      ///< (64 samples, pair of copies, rung)
  Array<std::int32_t> layer_;  ///< number of a position's layer among all layers, (axis, position)
  Array<std::uint32_t> by_rung_;
};

}  // namespace larmor::ising
