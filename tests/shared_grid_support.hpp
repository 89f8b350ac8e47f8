#pragma once
// One grid of bits that several ranks share, compared with that of one rank, on any device. The
// ranks are threads here.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "tests/ranks_in_threads.hpp"

namespace larmor::ising {

struct GridOutcome {
  std::vector<std::uint64_t> packed;
  std::vector<std::int64_t> bonds, magnetisations;
  std::vector<std::int8_t> spins;  ///< spins of the last replica, for small grids

  friend bool operator==(const GridOutcome&, const GridOutcome&) = default;
};

/// @param world ranks that share the grid; null: one rank
inline GridOutcome outcome_of_sweeps(const GridShape& shape, const Couplings& couplings, Rule rule,
                                     const Device& device, const Communicator* world) {
  BitLattice lattice(shape, couplings, {1, 3, 5}, 20, device, rule, world);
  lattice.randomise(11);
  lattice.set_temperatures({0.5, 2.3, 6.0});
  UpdateCounter steps;
  lattice.sweep(2, steps);
  // The run starts from a state that every rank receives as a whole.
  BitLattice other(shape, couplings, {1, 3, 5}, 20, device, rule, world);
  other.set_packed(lattice.packed());
  other.set_temperatures({0.5, 2.3, 6.0});
  other.sweep(2, steps);
  const BitLattice::Sums sums = other.sums();
  GridOutcome outcome{other.packed(), sums.bonds, sums.spins, {}};
  // Only small grids are compared site by site, since this is slow.
  constexpr Index most_sites = 1 << 17;
  if (other.sites() > most_sites) return outcome;
  outcome.spins = other.spins(2);
  std::vector<std::int8_t> spins;
  for (Index replica = 0; replica < other.replicas(); ++replica) {
    const std::vector<std::int8_t> own = other.spins(replica);
    spins.insert(spins.end(), own.begin(), own.end());
  }
  lattice.set_spins(spins);
  EXPECT_EQ(lattice.packed(), outcome.packed);
  return outcome;
}

/// Tests ferromagnets and +-J couplings with every rule.
/// @param numbers_of_ranks numbers for which the grid has enough planes
inline void expect_grid_of_one_rank(const GridShape& shape, const Device& device,
                                    const std::vector<int>& numbers_of_ranks) {
  const Couplings negative{-0.7, false, 0, {}}, glass{1, true, 3, {9, 9, 4, 9, 1ull << 20}};
  for (const Couplings& couplings : {negative, glass})
    for (const Rule rule : {Rule::metropolis, Rule::heat_bath, Rule::glauber}) {
      const GridOutcome expected = outcome_of_sweeps(shape, couplings, rule, device, nullptr);
      for (const int ranks : numbers_of_ranks) {
        if (ranks > shape.size.back()) continue;
        testing_support::on_ranks(ranks, [&](const Communicator& world, auto&) {
          EXPECT_EQ(outcome_of_sweeps(shape, couplings, rule, device, &world), expected)
              << ranks << " ranks, rule " << static_cast<int>(rule) << ", J " << couplings.J;
        });
      }
    }
}

}  // namespace larmor::ising
