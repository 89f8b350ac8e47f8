// Isoenergetic cluster moves. From every pair of states, a move keeps the energy. It has the
// probability of the reverse move.
// Rooms: ising

#include "larmor/ising/clusters/isoenergetic_move.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace larmor::isoenergetic_move_tests {

using ising::IsoenergeticMove;
using lattice::CoupledPair;
using States = std::vector<std::uint8_t>;
using Pair = std::pair<States, States>;

/// A graph of 2 x 3 sites. Each subset of its couplings has another sum.
std::vector<CoupledPair> ladder_bonds() {
  return {{0, 1, 0.31}, {2, 3, -1.2}, {4, 5, 0.7},  {0, 2, -0.53},
          {2, 4, 1.9},  {1, 3, 0.11}, {3, 5, -0.83}};
}

/// All pairs of states of `sites` sites.
std::vector<Pair> all_pairs(int q, std::size_t sites) {
  std::vector<States> states{{}};
  for (std::size_t site = 0; site < sites; ++site) {
    std::vector<States> longer;
    for (const States& s : states)
      for (int state = 0; state < q; ++state) {
        longer.push_back(s);
        longer.back().push_back(static_cast<std::uint8_t>(state));
      }
    states = std::move(longer);
  }
  std::vector<Pair> pairs;
  for (const States& a : states)
    for (const States& b : states) pairs.emplace_back(a, b);
  return pairs;
}

/// The results of a move and their probabilities, over all sites at which the move may start.
std::map<Pair, double> moves_from(const IsoenergeticMove& move, const Pair& pair,
                                  std::size_t eligible) {
  std::map<Pair, double> ends;
  for (std::size_t n = 0; n < eligible; ++n) {
    Pair moved = pair;
    const double middle = (static_cast<double>(n) + 0.5) / static_cast<double>(eligible);
    move(moved.first.data(), moved.second.data(),
         static_cast<std::uint32_t>(std::ldexp(middle, 32)));
    ends[moved] += 1 / static_cast<double>(eligible);
  }
  return ends;
}

std::size_t differing(const Pair& pair) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < pair.first.size(); ++i) count += pair.first[i] != pair.second[i];
  return count;
}

/// @param flips_both as in the constructor of IsoenergeticMove
void expect_balance(int q, std::size_t sites, double field, bool flips_both) {
  std::vector<CoupledPair> bonds;
  for (const CoupledPair& bond : ladder_bonds())
    if (std::max(bond.i, bond.j) < static_cast<Index>(sites)) bonds.push_back(bond);
  const auto energy_of = [&](const States& s) {
    double sum = 0;
    for (const CoupledPair& bond : bonds)
      sum -= bond.J * (s[static_cast<std::size_t>(bond.i)] == s[static_cast<std::size_t>(bond.j)]);
    for (const std::uint8_t state : s) sum -= field * (state == 0);
    return sum;
  };
  const IsoenergeticMove move(static_cast<Index>(sites), bonds, flips_both);
  std::size_t changed = 0;
  for (const Pair& pair : all_pairs(q, sites)) {
    const std::size_t differ = differing(pair);
    const std::size_t eligible = flips_both && 2 * differ > sites ? sites - differ : differ;
    if (eligible == 0) {
      Pair moved = pair;
      EXPECT_EQ(move(moved.first.data(), moved.second.data(), 7), 0);
      EXPECT_EQ(moved, pair);
      continue;
    }
    for (const auto& [moved, chance] : moves_from(move, pair, eligible)) {
      changed += moved != Pair{pair.second, pair.first} && moved != pair;
      ASSERT_NEAR(energy_of(moved.first) + energy_of(moved.second),
                  energy_of(pair.first) + energy_of(pair.second), 1e-12);
      const std::map<Pair, double> back = moves_from(move, moved, eligible);
      ASSERT_NEAR(back.count(pair) ? back.at(pair) : 0, chance, 1e-12);
    }
  }
  EXPECT_GT(changed, 100u) << "the move does more than swap the copies";
}

TEST(IsoenergeticMove, OfIsingSpinsIsInDetailedBalance) { expect_balance(2, 6, 0, true); }
TEST(IsoenergeticMove, OfIsingSpinsInAFieldIsInDetailedBalance) {
  expect_balance(2, 6, 0.4, false);
}
TEST(IsoenergeticMove, OfPottsSpinsIsInDetailedBalance) { expect_balance(3, 4, 0.4, false); }

TEST(IsoenergeticMove, ReachesAllSitesThatBondsConnect) {
  // The copies differ on a ring of sites, except for two opposite sites.
  std::vector<CoupledPair> ring;
  for (Index i = 0; i < 8; ++i) ring.push_back({i, (i + 1) % 8, 1});
  const IsoenergeticMove move(8, ring, false);
  States a(8, 0), b(8, 1);
  b[0] = b[4] = 0;
  EXPECT_EQ(move(a.data(), b.data(), 0), 3);
  EXPECT_EQ(a, (States{0, 1, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(b, (States{0, 0, 0, 0, 0, 1, 1, 1}));
}

TEST(IsoenergeticMove, OfMostlyUnlikeCopiesFlipsASmallClusterInBoth) {
  std::vector<CoupledPair> ring;
  for (Index i = 0; i < 8; ++i) ring.push_back({i, (i + 1) % 8, 1});
  const IsoenergeticMove move(8, ring, true);
  States a(8, 0), b(8, 1);
  b[2] = b[3] = 0;
  EXPECT_EQ(move(a.data(), b.data(), 0), 2);
  EXPECT_EQ(a, (States{0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ(b, (States{1, 1, 1, 1, 1, 1, 1, 1}));
}

}  // namespace larmor::isoenergetic_move_tests
