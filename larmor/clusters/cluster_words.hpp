#pragma once
// Random words of clusters. Each bond and each cluster has a word that is a function of Philox
// keys. So the order of the work changes no bit.

#include <cstdint>

#include "larmor/core/maths/philox.hpp"

namespace larmor::clusters {

/// Keys of the streams of random words that one update uses. Each is a function of the seed, the
/// step and the replica.
struct ClusterKeys {
  std::uint64_t seed, step, first_replica;

  LARMOR_HD RandomKey of(Stream stream) const { return {seed, step, stream, first_replica}; }
};

inline namespace LARMOR_ISA_NAMESPACE {

/// BITS: the words of a Philox call belong to sites that are eight apart. Eight consecutive calls
/// fill a group of consecutive sites: 32 with one axis, 16 with two, 8 with three or four. Bond n
/// of a graph has the words of site n of a grid of one axis.
struct WordPlace {
  std::uint64_t call;
  int word;
};
LARMOR_INLINE WordPlace word_place(std::uint64_t site, int axis, int words_shift) {
  const int group_shift = 5 - words_shift;
  const auto slot = static_cast<int>((site & ((1u << group_shift) - 1)) >> 3);
  return {((site >> group_shift) << 3) | (site & 7), (slot << words_shift) + axis};
}

/// Word n of four. The words are not indexed by n, because a GPU would then keep them in memory.
LARMOR_INLINE std::uint64_t chosen_word(const RandomWords<std::uint64_t>& words, int n) {
  const std::uint64_t low = (n & 1) != 0 ? words.w[1] : words.w[0];
  const std::uint64_t high = (n & 1) != 0 ? words.w[3] : words.w[2];
  return (n & 2) != 0 ? high : low;
}
LARMOR_INLINE std::uint64_t word_at(const ClusterKeys& keys, Index replica,
                                    const WordPlace& place) {
  return chosen_word(
      philox(keys.of(Stream::cluster_bond), place.call, static_cast<std::uint64_t>(replica)),
      place.word);
}

/// The word that decides the update of a cluster. @param label its least site
LARMOR_INLINE std::uint64_t label_word(const ClusterKeys& keys, Index replica,
                                       std::uint64_t label) {
  return philox(keys.of(Stream::cluster_state), label, static_cast<std::uint64_t>(replica)).w[0];
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::clusters
