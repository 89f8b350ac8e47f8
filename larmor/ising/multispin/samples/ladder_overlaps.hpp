#pragma once
// Overlaps of the copies of many samples at every rung, counted for 64 samples at a time. The
// counts are the spins, and the products of two spins of a bond, that are opposite in two copies.
// They cover all sites, and each layer across some axes.

#include "larmor/ising/multispin/samples/sample_ladders.hpp"

namespace larmor::ising {

/// Counts of two copies of a sample at one rung.
struct OppositeSpins {
  std::int64_t spins, bonds;
  const std::int32_t* of_layer;  ///< the layers of all axes, one axis after the other
};

class LadderOverlaps {
 public:
  /// @param layer_of_site number of the layer, from 0, of every site, for each axis; may be empty
  LadderOverlaps(const SampleLadders& ladders,
                 const std::vector<std::vector<std::int32_t>>& layer_of_site);

  /// Counts at one moment.
  class Counts {
   public:
    /// @param sample number in the process @param copies two different ones
    OppositeSpins of(Index rung, Index sample, std::array<Index, 2> copies) const;

   private:
    friend class LadderOverlaps;
    tempering::LadderLayout layout_;
    Index layers_;                         ///< layers of all axes
    std::vector<SampleSums> sums_;         ///< (pair of words, sample)
    std::vector<std::int32_t> of_layers_;  ///< (pair of words, sample, layer)
  };

  /// Counts the present spins at their present rungs. Waits for a GPU.
  Counts count();

 private:
  const SampleLadders& ladders_;
  Index layers_ = 0;  ///< layers of all axes
  Index axes_;
  Array<WordPair> pairs_;      ///< (64 samples, pair of copies, rung)
  Array<std::int32_t> layer_;  ///< number among all layers, (axis, position)
  Array<std::uint32_t> by_rung_;
};

}  // namespace larmor::ising
