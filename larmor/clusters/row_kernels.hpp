#pragma once
// Hot loops of cluster updates on a CPU, compiled once per instruction set: bonds by random words,
// and bonds of reflections.

#include <cstdint>

#include "larmor/core/maths/philox.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/types.hpp"

namespace larmor::clusters {

/// Number of sites, or of bonds of a graph, whose words come from eight calls of Philox.
/// @param words_shift as in GridView
constexpr Index sites_of_group(int words_shift) { return Index{32} >> words_shift; }

struct BondRowKernels {
  /// Compares the random words of the sites of some groups with a threshold.
  /// @param bits one bit per axis, 1 for words below the threshold [groups * sites_of_group]
  void (*below)(const RandomKey& key, Index replica, int words_shift, std::uint32_t threshold,
                Index first_group, Index groups, std::uint8_t* bits);
  /// Draws the random words of some groups. @param words (group, word of a site, site of the group)
  void (*words)(const RandomKey& key, Index replica, int words_shift, Index first_group,
                Index groups, std::uint32_t* words);
  /// Draws one word from each of some calls. @param word number of the word in its call, 0 to 3
  /// @param count a multiple of 8
  void (*words_of_calls)(const RandomKey& key, Index replica, const std::uint64_t* calls,
                         const std::uint64_t* word, Index count, std::uint32_t* words);
  /// Clears a bit in `bonds` for each bond that is not satisfied. A bond is satisfied if its states
  /// are equal, or for antiferromagnetic bonds, if they differ.
  void (*keep_satisfied)(const std::uint8_t* a, const std::uint8_t* b, Index count,
                         bool antiferromagnetic, std::uint8_t bit, std::uint8_t* bonds);
  /// Draws the first word of each label. @param count a multiple of 8
  void (*label_words)(const RandomKey& key, Index replica, const std::uint32_t* labels, Index count,
                      std::uint32_t* words);
};

LARMOR_CPU_KERNELS(BondRowKernels, bond_row_kernels)

/// For clusters of reflections.
struct ReflectionRowKernels {
  /// Sets a bit in `bonds` for active bonds, as is_active of reflection_cluster_view.hpp does.
  /// @param a, b projections of the ends of each bond @param words random word of each bond
  /// @param K coupling of all bonds
  void (*activate)(const float* a, const float* b, const std::uint32_t* words, Index count, float K,
                   std::uint8_t bit, std::uint8_t* bonds);
};

LARMOR_CPU_KERNELS(ReflectionRowKernels, reflection_row_kernels)

}  // namespace larmor::clusters
