// Sums over pairs of sites by their displacement in cells, compared with sums pair by pair and with
// exact numbers.
// Rooms: correlations

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "bench/naive_pairs.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/cpu/tile_sums.hpp"

namespace larmor::displacement_tiles_tests {
namespace {

using namespace larmor;
using namespace larmor::correlations::real_space;
using Cells = std::optional<std::array<Index, 3>>;

enum class Method { naive, tiles };

struct Sample {
  lattice::Geometry geometry;
  std::vector<lattice::SiteIndex> site;
  Index numbers;
  std::vector<double> a, b;  ///< (site, k)
  bool symmetric = false;    ///< a also serves as b

  /// @param left_out every `left_out`-th site is a vacancy; 0: no site is
  Sample(const char* crystal, const std::vector<Index>& size, const std::vector<bool>& periodic,
         Index left_out, Index replicas)
      : geometry(lattice::make_lattice(lattice::named_crystal(crystal, 1.0), size, periodic)),
        numbers(3 * replicas) {
    std::mt19937_64 random(3);
    for (Index n = 0; n < geometry.sites(); ++n)
      if (left_out == 0 || n % left_out != 1) site.push_back(geometry.decode(n));
    // Sites are stored in an order that is not that of the lattice.
    std::shuffle(site.begin(), site.end(), random);
    std::normal_distribution<double> normal;
    for (auto* matrix : {&a, &b})
      for (Index i = 0; i < sites() * numbers; ++i) matrix->push_back(normal(random) + 0.1);
  }
  Index sites() const { return std::ssize(site); }

  ByDisplacement reduction(const Cells& cells = std::nullopt) const {
    return {site, displacement_bins(geometry, cells)};
  }
  std::vector<double> totals(const ByDisplacement& reduction, Method method, int threads = 2,
                             int shares = 1) const {
    const PairSettings settings{sites(), numbers};
    const auto sums = method == Method::naive ? bench::make_naive_sums(settings, reduction)
                                              : make_tile_sums(settings, reduction, threads);
    sums->set_rows(a.data());
    sums->set_columns(b.data());
    if (symmetric) sums->set_both(a.data());
    for (int share = 0; share < shares; ++share) sums->add({share, shares});
    return sums->totals().take();
  }
};

std::vector<Sample> samples() {
  return {{"kagome", {5, 4}, {true}, 0, 4},
          {"kagome", {6, 9}, {true, false}, 5, 2},
          {"chain", {1}, {true}, 0, 1},
          {"chain", {2}, {true}, 0, 1},
          {"chain", {41}, {false}, 7, 3},
          {"sc", {7, 3, 4}, {true, false, true}, 3, 2},
          {"bcc", {4, 5, 6}, {true}, 0, 1},
          {"square", {29, 37}, {true}, 11, 2},
          {"sc", {1, 1, 19}, {true, true, true}, 0, 2}};
}

class DisplacementTilesOf : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Matrices, DisplacementTilesOf, testing::Bool());

TEST_P(DisplacementTilesOf, SamplesAgreeWithPairs) {
  auto all = samples();
  for (Sample& sample : all) {
    sample.symmetric = GetParam();
    std::vector<Cells> boxes{std::nullopt, Cells({0, 0, 0})};
    std::array<Index, 3> half{};
    for (std::size_t d = 0; d < 3; ++d) half[d] = sample.geometry.size[d] / 3;
    boxes.emplace_back(half);
    for (const Cells& cells : boxes) {
      const ByDisplacement displacements = sample.reduction(cells);
      const auto found = sample.totals(displacements, Method::tiles);
      const auto wanted = sample.totals(displacements, Method::naive);
      ASSERT_EQ(std::ssize(found), 3 * displacements.bins.bins());
      ASSERT_EQ(found.size(), wanted.size());
      for (std::size_t n = 0; n < found.size(); ++n) {
        EXPECT_NEAR(found[n], wanted[n], 1e-12 * (100 + std::abs(wanted[n]))) << n;
        if (n % 3 == 2) {
          EXPECT_EQ(found[n], wanted[n]) << n;
        }
      }
    }
  }
}

TEST_P(DisplacementTilesOf, SamplesHaveTheSameBitsForAnyNumberOfThreadsAndShares) {
  Sample sample("kagome", {36, 41}, {true}, 13, 1);
  sample.symmetric = GetParam();
  const auto one = sample.totals(sample.reduction(), Method::tiles, 1);
  for (const auto& [threads, shares] : {std::pair(2, 1), {3, 2}, {2, 7}})
    EXPECT_EQ(one, sample.totals(sample.reduction(), Method::tiles, threads, shares));
}

TEST_P(DisplacementTilesOf, SamplesCountEveryPairOnce) {
  Sample sample("kagome", {6, 5}, {true, false}, 0, 1);
  sample.symmetric = GetParam();
  std::fill(sample.a.begin(), sample.a.end(), 1);
  sample.b = sample.a;
  const ByDisplacement displacements = sample.reduction();
  const DisplacementBins& bins = displacements.bins;
  EXPECT_EQ(bins.least, (std::array<Index, 3>{-2, -4, 0}));
  EXPECT_EQ(bins.count, (std::array<Index, 3>{6, 9, 1}));
  const auto sums = sample.totals(displacements, Method::tiles);
  for (Index bin = 0; bin < bins.bins(); ++bin) {
    // Every cell has one partner along the periodic vector, and 5 - |dy| partners along the open
    // vector.
    const Index dy = bin % bins.count[1] + bins.least[1];
    const auto pairs = static_cast<double>(6 * (5 - std::abs(dy)));
    const double* of_bin = sums.data() + 3 * bin;
    EXPECT_EQ(of_bin[2], pairs) << bin;
    EXPECT_EQ(of_bin[0], 3 * pairs) << bin;
    EXPECT_EQ(of_bin[1], 9 * pairs) << bin;
  }
}

TEST(DisplacementTiles, KnowTheWayFromOneSiteToTheOther) {
  // One pair counts: from atom 1 of cell (4, 0) to atom 2 of cell (1, 2). The nearest image of cell
  // (1, 2) is at (+2, +2).
  Sample sample("kagome", {5, 5}, {true}, 0, 1);
  std::fill(sample.a.begin(), sample.a.end(), 0);
  sample.b = sample.a;
  for (Index n = 0; n < sample.sites(); ++n) {
    const auto at = static_cast<std::size_t>(n);
    const lattice::SiteIndex& s = sample.site[at];
    if (s.basis == 1 && s.cell == std::array<Index, 3>{4, 0, 0}) sample.a[3 * at] = 2;
    if (s.basis == 2 && s.cell == std::array<Index, 3>{1, 2, 0}) sample.b[3 * at] = 3;
  }
  const ByDisplacement displacements = sample.reduction();
  for (const Method method : {Method::naive, Method::tiles}) {
    const auto sums = sample.totals(displacements, method);
    const std::size_t wanted = ((1 * 3 + 2) * 5 + (2 + 2)) * 5 + (2 + 2);
    for (std::size_t bin = 0; bin < sums.size() / 3; ++bin) {
      EXPECT_EQ(sums[3 * bin], bin == wanted ? 6 : 0) << bin;
      EXPECT_EQ(sums[3 * bin + 1], bin == wanted ? 36 : 0) << bin;
    }
  }
}

template <class Request>
std::string refusal(const Request& request) {
  try {
    request();
  } catch (const InputError& error) {
    return error.problem();
  }
  return "nothing";
}

TEST(DisplacementTiles, OfMalformedRequestsAreRefused) {
  Sample sample("kagome", {5, 4}, {true, false}, 0, 1);
  const auto box = [&](Index x, Index y, Index z) {
    return refusal([&] { displacement_bins(sample.geometry, Cells({x, y, z})); });
  };
  EXPECT_EQ(box(2, 3, 0), "nothing");
  EXPECT_EQ(box(3, 3, 0),
            "displacements of 3 cells along lattice vector 1 are too long: the sample has 5 cells "
            "along this vector and is periodic");
  EXPECT_EQ(box(2, 4, 0),
            "displacements of 4 cells along lattice vector 2 are too long: the sample has 4 cells "
            "along this vector");
  EXPECT_EQ(box(2, 3, 1),
            "displacements of 1 cell along lattice vector 3 are too long: the sample has 1 cell "
            "along this vector");
  lattice::Geometry plain = sample.geometry;
  plain.plain_positions = true;
  EXPECT_EQ(refusal([&] { displacement_bins(plain, std::nullopt); }),
            "plain positions have no displacements in cells");

  ByDisplacement displacements = sample.reduction();
  PairSettings settings{sample.sites(), 3};
  const auto make = [&] { make_tile_sums(settings, displacements, 1); };
  EXPECT_EQ(refusal(make), "nothing");
  settings.numbers = 0;
  EXPECT_EQ(refusal(make),
            "sums over pairs of sites need numbers at each site, K = 1 or more, not 0");
  settings.numbers = 3;
  settings.sites -= 1;
  EXPECT_EQ(refusal(make), "there are 60 atoms and cells for 59 sites");
  settings.sites += 1;
  displacements.bins.count[1] = 100'000'000;
  EXPECT_EQ(refusal(make), "there can be 10000000 bins of displacements at most, not 4500000000");
  displacements.bins.count[1] = 7;
  sample.site[8].cell[0] = 5;
  EXPECT_EQ(refusal(make), "site 8 belongs to no atom and cell of the sample");
  sample.site[8].cell[0] = 0;
  sample.site[9].basis = 3;
  EXPECT_EQ(refusal(make), "site 9 belongs to no atom and cell of the sample");
}

}  // namespace
}  // namespace larmor::displacement_tiles_tests
