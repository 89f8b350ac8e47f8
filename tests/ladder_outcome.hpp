#pragma once
// Outcomes that tests of sample ladders compare.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "larmor/ising/multispin/samples/ladder_overlaps.hpp"

namespace larmor::testing_support {

/// All numbers that a run of ladders changes.
struct LadderOutcome {
  std::vector<std::uint64_t> spins;
  std::vector<std::int32_t> rungs, words;
  std::vector<std::int8_t> labels;
  std::vector<std::int64_t> accepted, from_first, from_last, round_trips;
  friend bool operator==(const LadderOutcome&, const LadderOutcome&) = default;
};

inline LadderOutcome outcome_of(const ising::SampleLadders& ladders) {
  const ising::SampleLadderState state = ladders.state();
  const ising::LadderExchangeCounts counts = ladders.counts();
  return {state.spins,     state.rungs,       ladders.words_at_rungs(), state.labels,
          counts.accepted, counts.from_first, counts.from_last,         counts.round_trips};
}

/// Values of k_B T for `rungs` rungs, which rise from `first` by equal factors.
inline std::vector<double> rising_ladder(Index rungs, double first, double factor) {
  std::vector<double> ladder{first};
  while (std::ssize(ladder) < rungs) ladder.push_back(ladder.back() * factor);
  return ladder;
}

/// Ladders after some sweeps and exchanges.
inline ising::SampleLadders ladders_in_use(const Device& device, const std::vector<Index>& size,
                                           const tempering::LadderLayout& layout) {
  ising::SampleLadders ladders(ising::grid_graph({size, {}}), {1, true, 19}, layout, 23, device);
  ladders.samples().randomise(5);
  ladders.set_ladder(rising_ladder(layout.rungs, 1.5, 1.2));
  UpdateCounter steps;
  ladders.run(9, 1, steps);
  return ladders;
}

/// Tests that LadderOverlaps counts the overlaps that a loop over spins gives.
inline void expect_overlaps_of_copies(const Device& device, const std::vector<Index>& size,
                                      const tempering::LadderLayout& layout) {
  const ising::SampleLadders ladders = ladders_in_use(device, size, layout);
  const ising::SampleGraph graph = ising::grid_graph({size, {}});
  std::vector<std::vector<std::int32_t>> layers;
  Index stride = 1, all_layers = 0;
  for (const Index length : size) {
    std::vector<std::int32_t>& of_site = layers.emplace_back();
    for (Index site = 0; site < graph.sites; ++site)
      of_site.push_back(static_cast<std::int32_t>(site / stride % length));
    stride *= length;
    all_layers += length;
  }
  ising::LadderOverlaps overlaps(ladders, layers);
  const auto counts = overlaps.count();
  const std::vector<std::uint64_t> packed = ladders.samples().packed();
  const std::vector<std::int32_t> words = ladders.words_at_rungs();
  EXPECT_FALSE(std::is_sorted(words.begin(), words.end())) << "nothing was exchanged";
  for (Index sample = 0; sample < layout.samples; sample += 7)
    for (Index rung = 0; rung < layout.rungs; ++rung)
      for (Index a = 0; a < layout.copies; ++a)
        for (Index b = 0; b < layout.copies; ++b) {
          if (a == b) continue;
          const auto opposite = [&](Index site) {
            const auto spin = [&](Index copy) {
              const Index word = words[static_cast<std::size_t>(
                  layout.ladder_at(copy, sample) * layout.rungs + rung)];
              return packed[static_cast<std::size_t>(word * graph.sites + site)] >>
                         (sample % ising::samples_of_word) &
                     1u;
            };
            return static_cast<Index>(spin(a) ^ spin(b));
          };
          std::int64_t spins = 0, bonds = 0;
          std::vector<std::int32_t> of_layer(static_cast<std::size_t>(all_layers));
          for (Index site = 0; site < graph.sites; ++site) {
            spins += opposite(site);
            std::size_t first = 0;
            for (std::size_t axis = 0; axis < size.size(); ++axis) {
              of_layer[first +
                       static_cast<std::size_t>(layers[axis][static_cast<std::size_t>(site)])] +=
                  static_cast<std::int32_t>(opposite(site));
              first += static_cast<std::size_t>(size[axis]);
            }
          }
          for (const ising::SignedBond& bond : graph.bonds)
            bonds += opposite(bond.i) ^ opposite(bond.j);
          const ising::OppositeSpins found = counts.of(rung, sample, {a, b});
          ASSERT_EQ(found.spins, spins);
          ASSERT_EQ(found.bonds, bonds);
          ASSERT_EQ(std::vector(found.of_layer, found.of_layer + all_layers), of_layer);
        }
}

/// Tests that move_to_rungs moves spins and changes nothing else.
inline void expect_spins_at_their_rungs(const Device& device) {
  const tempering::LadderLayout layout{4, 2, 128};
  ising::SampleLadders ladders = ladders_in_use(device, {4, 6}, layout);
  const std::vector<std::uint64_t> before = ladders.samples().packed();
  const std::vector<std::int32_t> words = ladders.words_at_rungs();
  ladders.move_to_rungs();
  const std::vector<std::uint64_t> after = ladders.samples().packed();
  for (Index replica = 0; replica < layout.replicas(); ++replica) {
    const ising::SamplePlace place = ladders.place_of(replica);
    EXPECT_EQ(ladders.rungs()[static_cast<std::size_t>(replica)], replica % layout.rungs);
    for (Index site = 0; site < ladders.sites(); ++site) {
      const auto spin = [&](const std::vector<std::uint64_t>& packed, Index word) {
        return packed[static_cast<std::size_t>(word * ladders.sites() + site)] >> place.sample & 1u;
      };
      ASSERT_EQ(spin(after, place.word), spin(before, words[static_cast<std::size_t>(replica)]));
    }
  }
}

}  // namespace larmor::testing_support
