// Overlaps computed by hand, the choice of replicas that are copies, and jackknife errors.
// Rooms: overlaps

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "larmor/core/error.hpp"
#include "larmor/overlaps/copy_pairs.hpp"
#include "larmor/overlaps/copy_sums.hpp"
#include "larmor/overlaps/overlap_bins.hpp"
#include "larmor/overlaps/overlap_estimates.hpp"

namespace {

using namespace larmor;
using namespace larmor::overlaps;

/// A graph of sites on a ring.
CopyGraph ring(Index sites) {
  CopyGraph graph;
  graph.sites = graph.spins = sites;
  std::vector<double> position;
  for (Index i = 0; i < sites; ++i) {
    graph.bonds.push_back(
        {static_cast<std::int32_t>(i), static_cast<std::int32_t>((i + 1) % sites)});
    position.push_back(static_cast<double>(i));
  }
  graph.axes.push_back(wave_axis(static_cast<double>(sites), position));
  return graph;
}

std::vector<double> sums_of(const CopyGraph& graph, int q, const std::vector<std::uint8_t>& a,
                            const std::vector<std::uint8_t>& b) {
  std::vector<double> sums(static_cast<std::size_t>(graph.numbers()));
  sum_states(graph, q, a.data(), b.data(), sums.data());
  return sums;
}

TEST(OverlapSums, OfIsingSpinsAreThoseByHand) {
  // The products of the copies at the four sites are +1 +1 +1 -1.
  const std::vector<double> sums = sums_of(ring(4), 2, {0, 1, 0, 1}, {0, 1, 0, 0});
  EXPECT_DOUBLE_EQ(sums[overlap], 0.5);
  EXPECT_DOUBLE_EQ(sums[overlap_size], 0.5);
  EXPECT_DOUBLE_EQ(sums[square], 0.25);
  EXPECT_DOUBLE_EQ(sums[fourth], 0.0625);
  // Two of the four bonds begin and end at equal products, and two do not.
  EXPECT_DOUBLE_EQ(sums[link_overlap], 0);
  EXPECT_DOUBLE_EQ(sums[bond_square], 1);
  // The phases exp(i k x) are 1, i, -1 and -i, so the sum is 1 + i - 1 + i.
  EXPECT_NEAR(sums[first_wave], 4.0 / 16, 1e-15);
}

TEST(OverlapSums, OfPottsSpinsAreThoseOfTheirSimplexVectors) {
  // Potts states are corners of a triangle. The q_mn are the overlaps of vectors in a plane.
  const CopyGraph graph = ring(6);
  const std::vector<std::uint8_t> a{0, 1, 2, 2, 0, 1}, b{0, 1, 1, 2, 2, 2};
  const auto vectors = [](const std::vector<std::uint8_t>& states) {
    std::vector<double> of_sites;
    for (const std::uint8_t state : states) {
      const double angle = 2 * std::numbers::pi * state / 3;
      of_sites.insert(of_sites.end(), {std::cos(angle), std::sin(angle), 0});
    }
    return of_sites;
  };
  const std::vector<double> sums = sums_of(graph, 3, a, b);
  std::vector<double> expected(sums.size());
  sum_vectors(graph, vectors(a).data(), vectors(b).data(), expected.data());
  for (std::size_t n = 0; n < sums.size(); ++n) EXPECT_NEAR(sums[n], expected[n], 1e-14) << n;
  EXPECT_GT(expected[first_wave], 0.01);
}

TEST(OverlapSums, VacanciesCountForNothing) {
  CopyGraph graph = ring(4);
  graph.spins = 3;
  const std::vector<double> up{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0};
  std::vector<double> sums(static_cast<std::size_t>(graph.numbers()));
  sum_vectors(graph, up.data(), up.data(), sums.data());
  EXPECT_DOUBLE_EQ(sums[overlap], 1);
  EXPECT_DOUBLE_EQ(sums[square], 1);
}

TEST(OverlapSums, SitesOfOnePositionAreOfOnePlane) {
  const WaveAxis axis = wave_axis(2, {0, 0.5, 1, 1.5, 0, 1.5 + 1e-9});
  EXPECT_EQ(axis.planes(), 4);
  EXPECT_EQ(axis.plane, (std::vector<std::int32_t>{0, 1, 2, 3, 0, 3}));
  EXPECT_NEAR(axis.cosine[1], 0, 1e-15);
  EXPECT_NEAR(axis.sine[1], 1, 1e-15);
}

TEST(CopyPairs, OfSamplesAreAllPairsOfTheirCopies) {
  const auto units = CopyUnits::of({4, 3, 2}, 2);
  EXPECT_EQ(units.count(), 2);
  EXPECT_EQ(units.pairs(1), (std::vector<std::array<Index, 2>>{{3, 4}, {3, 5}, {4, 5}}));
}

TEST(CopyPairs, OfOneSampleHaveEachCopyOnce) {
  const auto units = CopyUnits::of({4, 5, 1}, 1);
  EXPECT_EQ(units.count(), 2);
  EXPECT_EQ(units.pairs(1), (std::vector<std::array<Index, 2>>{{2, 3}}));
}

TEST(CopyPairs, AProcessWithOneOfSeveralSamplesHasItAsAUnit) {
  EXPECT_EQ(CopyUnits::of({4, 2, 1}, 6).count(), 1);
  EXPECT_TRUE(CopyUnits::of({4, 2, 1}, 6).are_samples);
}

TEST(CopyPairs, ReplicasAreFoundWhereTheyAreNow) {
  const tempering::LadderLayout layout{3, 2, 1};
  EXPECT_EQ(replicas_by_rung(layout, {2, 0, 1, 1, 0, 2}), (std::vector<Index>{1, 2, 0, 4, 3, 5}));
  EXPECT_THROW(replicas_by_rung(layout, {2, 2, 1, 1, 0, 2}), InternalError);
}

TEST(OverlapBins, HaveAsManyValuesInEach) {
  const OverlapBins bins = OverlapBins::of_states(16, 2, 101);
  EXPECT_EQ(bins.count(), 17);
  for (Index n = 0; n <= 16; ++n) EXPECT_EQ(bins.bin((2.0 * n - 16) / 16), n);
  const OverlapBins wide = OverlapBins::of_states(512, 2, 101);
  std::vector<int> values(static_cast<std::size_t>(wide.count()));
  for (Index n = 0; n <= 512; ++n)
    ++values[static_cast<std::size_t>(wide.bin((2.0 * n - 512) / 512))];
  for (std::size_t bin = 1; bin + 1 < values.size(); ++bin) EXPECT_EQ(values[bin], values[1]);
  EXPECT_LE(std::abs(values.front() - values.back()), 1);
  const double width = wide.edges()[2] - wide.edges()[1];
  EXPECT_NEAR((wide.edges()[1] - wide.edges()[0]) / width,
              static_cast<double>(values.front()) / values[1], 1e-12);
}

TEST(OverlapBins, OfVectorsCoverAllOverlaps) {
  const OverlapBins bins = OverlapBins::of_vectors(4);
  EXPECT_EQ(bins.bin(-1), 0);
  EXPECT_EQ(bins.bin(0.1), 2);
  EXPECT_EQ(bins.bin(1), 3);
}

TEST(OverlapEstimates, AreThoseOfTheMeansOverSamples) {
  // There are two samples. They have q^2 = 0.2 and 0.4, q^2 at k = 0.05 and 0.15, and q^4 = 0.1 and
  // 0.2.
  std::vector<double> of_units{0, 0.4, 0.2, 0.1, 0.3, 1, -1.0, 0.05,
                               0, 0.6, 0.4, 0.2, 0.5, 1, -1.2, 0.15};
  GlassParameters scale;
  scale.spins = 64;
  scale.bonds_of_spin = 3;
  scale.lengths = {4};
  scale.has_energy = true;
  scale.variance = 1;
  std::map<std::string, UnitEstimate> by_name;
  for (const UnitEstimate& estimate : overlap_estimates(scale, of_units, 1.5))
    by_name[estimate.name] = estimate;
  EXPECT_NEAR(by_name["overlap_square"].value, 0.3, 1e-15);
  EXPECT_NEAR(by_name["overlap_square"].error, 0.1, 1e-15);
  EXPECT_NEAR(by_name["overlap_binder"].value, (3 - 0.15 / 0.09) / 2, 1e-14);
  EXPECT_NEAR(by_name["spin_glass_susceptibility"].value, 64 * 0.3, 1e-13);
  const double xi = std::sqrt(2.0) / (2 * std::sin(std::numbers::pi / 4));
  EXPECT_NEAR(by_name["spin_glass_correlation_length"].value, xi, 1e-14);
  EXPECT_NEAR(by_name["correlation_length_ratio"].value, xi / 4, 1e-14);
  EXPECT_NEAR(by_name["energy_from_links"].value, -3 * (1 - 0.4) / 1.5, 1e-14);
  EXPECT_NEAR(by_name["energy"].error, 0.1, 1e-14);
}

TEST(OverlapEstimates, AreOfTheLongestAxes) {
  GlassParameters scale;
  scale.spins = 32;
  scale.lengths = {2, 4, 4};
  const std::vector<double> of_unit{0, 0, 0.3, 0, 0, 1, 0, 0.9, 0.1, 0.2};
  for (const UnitEstimate& estimate : overlap_estimates(scale, of_unit, 1)) {
    if (estimate.name == "spin_glass_susceptibility_at_k") {
      EXPECT_NEAR(estimate.value, 32 * 0.15, 1e-14);
    }
    EXPECT_TRUE(std::isnan(estimate.error)) << "one sample has no error";
  }
}

TEST(OverlapEstimates, BinderCumulantOfNormalOverlapsIsZeroWithErrorsThatCover) {
  // For normal q, [q^4] / [q^2]^2 is 3. The ratio of the means of 200 samples has a small bias.
  constexpr int runs = 400, samples = 200;
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  int covered = 0;
  double sum = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> of_units;
    for (int sample = 0; sample < samples; ++sample) {
      const double q = normal(random);
      of_units.insert(of_units.end(), {q, std::abs(q), q * q, q * q * q * q, 0, 1, 0});
    }
    for (const UnitEstimate& estimate : overlap_estimates(GlassParameters(), of_units, 1)) {
      if (estimate.name != "overlap_binder") continue;
      covered += std::abs(estimate.value) < estimate.error;
      sum += estimate.value;
    }
  }
  EXPECT_NEAR(static_cast<double>(covered) / runs, 0.65, 0.08);
  EXPECT_LT(std::abs(sum / runs), 0.05);
}

}  // namespace
