#pragma once
// The hot loops of clusters on a CPU, compiled once per instruction set.

#include <cstdint>

#include "larmor/core/maths/philox.hpp"

namespace larmor::clusters {

/// Sites (or bonds of a graph) that eight calls of Philox serve. @param words_shift of GridView
constexpr Index sites_of_group(int words_shift) { return Index{32} >> words_shift; }

struct BondRowKernels {
  /// Random words of the sites of some groups below one threshold, bit by bit of the axes.
  /// @param bits [groups * sites_of_group]
  void (*below)(const RandomKey& key, Index replica, int words_shift, std::uint32_t threshold,
                Index first_group, Index groups, std::uint8_t* bits);
  /// The words themselves. @param words (group, word of a site, site of the group)
  void (*words)(const RandomKey& key, Index replica, int words_shift, Index first_group,
                Index groups, std::uint32_t* words);
  /// One word of each of some calls. @param word 0 to 3, of each @param count a multiple of 8
  void (*words_of_calls)(const RandomKey& key, Index replica, const std::uint64_t* calls,
                         const std::uint64_t* word, Index count, std::uint32_t* words);
  /// Clears a bit of those bonds that are not satisfied.
  void (*keep_satisfied)(const std::uint8_t* a, const std::uint8_t* b, Index count,
                         bool antiferromagnetic, std::uint8_t bit, std::uint8_t* bonds);
  /// The first word of each label. @param count a multiple of 8
  void (*label_words)(const RandomKey& key, Index replica, const std::uint32_t* labels, Index count,
                      std::uint32_t* words);
};

const BondRowKernels& bond_row_kernels();

}  // namespace larmor::clusters
