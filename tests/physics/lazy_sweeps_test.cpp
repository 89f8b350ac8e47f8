// Lazy sweeps of Metropolis updates: the graphs that need them and their effect on a site.
// tests/reliability/test_small_graphs.py compares averages with those over all states.
// Rooms: lattice, ising, phi4

#include "larmor/lattice/lazy_sweeps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/ising/potts/potts_sampler.hpp"
#include "larmor/phi4/field_sampler.hpp"

namespace larmor::lazy_sweeps_tests {

using lattice::GraphComponents;
using lattice::is_lazy_sweep;

bool ring_needs(Index sites) {
  GraphComponents components(sites);
  for (Index i = 0; i < sites; ++i) components.join(i, (i + 1) % sites);
  return components.need_lazy_sweeps();
}

/// @param apart number of sites without bonds, which are the last sites
GraphComponents torus(Index length, Index apart) {
  GraphComponents components(length * length + apart);
  for (Index y = 0; y < length; ++y)
    for (Index x = 0; x < length; ++x) {
      components.join(x + length * y, (x + 1) % length + length * y);
      components.join(x + length * y, x + length * ((y + 1) % length));
    }
  return components;
}

TEST(LazySweeps, AreThoseOfRingsAndSmallGraphs) {
  EXPECT_TRUE(ring_needs(3));
  EXPECT_TRUE(ring_needs(100000));
  EXPECT_TRUE(GraphComponents(1).need_lazy_sweeps());
  EXPECT_TRUE(torus(2, 0).need_lazy_sweeps());
  EXPECT_TRUE(torus(6, 0).need_lazy_sweeps());
  EXPECT_FALSE(torus(7, 0).need_lazy_sweeps());
  EXPECT_FALSE(torus(100, 0).need_lazy_sweeps());
  EXPECT_TRUE(torus(100, 1).need_lazy_sweeps());
  // Every site of one half has bonds to all sites of the other half, for any number of sites.
  constexpr Index half = 200;
  GraphComponents dense(2 * half);
  for (Index i = 0; i < half; ++i)
    for (Index j = 0; j < half; ++j) dense.join(i, half + j);
  EXPECT_TRUE(dense.need_lazy_sweeps());
}

TEST(LazySweeps, AreAboutOneOfEightAndNeverFarApart) {
  Index lazy = 0;
  std::uint64_t last = 0;
  for (std::uint64_t step = 0; step < 80000; ++step) {
    if (!is_lazy_sweep(step)) continue;
    ++lazy;
    EXPECT_LE(step - last, 13U);
    last = step;
  }
  EXPECT_NEAR(static_cast<double>(lazy), 10000, 5);
}

TEST(LazySweeps, ComeInRunsOfOneKind) {
  for (std::uint64_t step = 0; step < 200; ++step) {
    const Index alike = lattice::sweeps_of_one_kind(step, 9);
    ASSERT_GE(alike, 1);
    ASSERT_LE(alike, 9);
    for (Index n = 0; n < alike; ++n)
      EXPECT_EQ(is_lazy_sweep(step + static_cast<std::uint64_t>(n)), is_lazy_sweep(step));
    if (alike < 9)
      EXPECT_NE(is_lazy_sweep(step + static_cast<std::uint64_t>(alike)), is_lazy_sweep(step));
  }
}

constexpr std::uint64_t a_lazy_step = 8, another_step = 9, seed = 5;
constexpr Index replicas = 64;

/// Tests that half of the sites move within 4 sigma, or that all sites move.
void expect_moved(double moved, Index sites, std::uint64_t step) {
  const auto all = static_cast<double>(sites * replicas);
  if (is_lazy_sweep(step))
    EXPECT_NEAR(moved, all / 2, 4 * std::sqrt(all / 4));
  else
    EXPECT_EQ(moved, all);
}

/// The number of sites that move if no move costs energy.
double moved_of(const ising::PottsDefinition& definition, double kT, std::uint64_t step) {
  const ising::PottsModel model(Device::cpu(1), definition, replicas);
  ising::PottsState state(model, UpdateCounter());
  state.randomise(seed);
  state.step = step;
  ising::PottsSampler sampler(model, ising::Rule::metropolis, seed);
  sampler.set_temperatures(std::vector<double>(replicas, kT));
  sampler.run(state, 1);
  double moved = 0;
  for (const double of_replica : sampler.accepted()) moved += of_replica;
  return moved;
}

TEST(LazySweeps, MoveHalfOfTheFreeSitesOfAGraph) {
  for (const int states : {2, 3}) {
    ising::PottsDefinition free;
    free.sites = 40;
    free.states = states;
    free.bonds = {{0, 1, 0.0}};
    // A lattice of 8 x 8 needs lazy sweeps only at infinite temperature.
    ising::PottsDefinition hot;
    hot.sites = 64;
    hot.states = states;
    for (Index i = 0; i < 64; ++i) {
      hot.bonds.push_back({i, i / 8 * 8 + (i + 1) % 8, 1});
      hot.bonds.push_back({i, (i + 8) % 64, 1});
    }
    for (const std::uint64_t step : {a_lazy_step, another_step}) {
      expect_moved(moved_of(free, 1.5, step), free.sites, step);
      expect_moved(moved_of(hot, INFINITY, step), hot.sites, step);
    }
  }
}

TEST(LazySweeps, FlipHalfOfTheFreeSpinsOfALimitOfPhi4) {
  for (const auto& [grid, kappa] : {std::pair<clusters::RegularGrid, double>{{{1}, {true}}, 0.3},
                                    {{{16, 16}, {true, true}}, 0.0}})
    for (const std::uint64_t step : {a_lazy_step, another_step}) {
      phi4::FieldModel model(grid, 1, replicas, Device::cpu(1));
      model.set_couplings(std::vector<double>(replicas, kappa),
                          std::vector<double>(replicas, INFINITY));
      phi4::FieldState state(model, UpdateCounter());
      state.randomise(seed);
      state.step = step;
      phi4::FieldSampler sampler(model, seed);
      sampler.run(state, phi4::LocalRule::metropolis, 1);
      double moved = 0;
      for (const double of_replica : sampler.accepted()) moved += of_replica;
      expect_moved(moved, model.sites(), step);
    }
}

}  // namespace larmor::lazy_sweeps_tests
