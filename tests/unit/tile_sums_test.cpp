// Sums over all pairs of sites on the CPU, compared with sums pair by pair and term by term.
// Rooms: correlations

#include "larmor/correlations/pairs/cpu/tile_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "bench/naive_pairs.hpp"
#include "larmor/core/error.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::tile_sums_tests {
namespace {

using namespace larmor;
using namespace larmor::correlations::real_space;
using Vectors = std::vector<Vec3<double>>;
using Long = long double;

enum class Method { naive, tiles };
constexpr Method methods[] = {Method::naive, Method::tiles};

/// The quantities that a reduction must sum.
struct Request {
  PairReduction reduction;
  bool squared = false;
};

/// Two matrices of spins, a and b, and positions at random in a box of length 20.
struct Problem {
  Index sites, numbers;
  std::vector<double> a, b;  ///< (site, k)
  Vectors position;
  bool symmetric = false;  ///< a also serves as b

  Problem(Index sites_, Index replicas) : sites(sites_), numbers(3 * replicas) {
    std::mt19937_64 generator(static_cast<unsigned>(7 * sites + replicas));
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> place(0, 20);
    for (auto* matrix : {&a, &b})
      for (Index i = 0; i < sites * numbers; ++i) matrix->push_back(normal(generator) + 0.1);
    for (Index i = 0; i < sites; ++i)
      position.push_back({place(generator), place(generator), place(generator)});
  }

  Long correlation(Index r, Index other) const {
    Long sum = 0;
    for (Index k = 0; k < numbers; ++k)
      sum += static_cast<Long>(a[static_cast<std::size_t>(r * numbers + k)]) *
             (symmetric ? a : b)[static_cast<std::size_t>(other * numbers + k)];
    return sum;
  }

  /// Calls visit(r, r', C) for all pairs of sites.
  template <class Visit>
  void for_pairs(const Visit& visit) const {
    for (Index r = 0; r < sites; ++r)
      for (Index other = 0; other < sites; ++other) visit(r, other, correlation(r, other));
  }

  std::unique_ptr<PairSums> sums(const Request& request, Method method, int threads = 2) const {
    PairSettings settings{sites, numbers};
    settings.squared = request.squared;
    if (method == Method::naive) return bench::make_naive_sums(settings, request.reduction);
    return make_tile_sums(settings, request.reduction, threads);
  }

  std::vector<double> totals(const Request& request, Method method, int threads = 2,
                             int shares = 1) const {
    const auto made = sums(request, method, threads);
    if (symmetric) {
      made->set_rows(b.data());  // overwritten by set_both
      made->set_both(a.data());
    } else {
      made->set_rows(a.data());
      made->set_columns(b.data());
    }
    if (shares > 1) made->add();  // discarded by add({0, shares})
    for (int share = 0; share < shares; ++share) made->add({share, shares});
    return made->totals().take();
  }
};

const Vectors wave_vectors = {{0, 0, 0}, {0.3, -1.1, 0.7}, {2.1, 0.05, -0.4}};

Request fourier(const Problem& problem, bool squared) {
  return {FourierTerms{wave_vectors, problem.position}, squared};
}

ByDistance distances(const Problem& problem, const Vectors& periods) {
  return {problem.position, {0.37, 21, periods}};
}

Request values(double least, double greatest) { return {ByValue{{least, greatest, 9}}}; }

struct Labels {
  std::vector<std::int32_t> label;
  Index groups;

  Labels(Index sites, Index count) : groups(count) {
    std::mt19937_64 generator(5);
    for (Index i = 0; i < sites; ++i)
      label.push_back(static_cast<std::int32_t>(generator() % static_cast<std::uint64_t>(groups)));
  }
};

Request grouped(const Labels& labels, bool squared) {
  return {BetweenGroups{labels.label, labels.groups}, squared};
}

template <class T>
void expect_close(const std::vector<double>& found, const std::vector<T>& expected, Long scale) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_LT(std::abs(found[i] - static_cast<Long>(expected[i])), 1e-12L * scale) << i;
}

/// The expected size of a sum of random terms. It is the root of the sum of the squares of the
/// terms.
Long size_of_sums(const Problem& problem, bool squared) {
  Long sum = 0;
  problem.for_pairs([&](Index, Index, Long c) { sum += squared ? c * c * c * c : c * c; });
  return std::sqrt(sum);
}

const Vectors open = {}, cube = {{9, 0, 0}, {0, 9, 0}, {0, 0, 9}},
              skewed = {{9, 0, 0}, {23, 9, 0}, {-4, 31, 8}}, one_period = {{3, 4, 5}},
              film = {{8, 0, 1}, {4, 7, 0}};

class TileSumsOf : public testing::TestWithParam<std::pair<Index, Index>> {
 protected:
  Problem problem{GetParam().first, GetParam().second};
};

TEST_P(TileSumsOf, PhasesAgreeWithPairs) {
  for (const bool squared : {false, true}) {
    std::vector<Long> expected(2 * wave_vectors.size());
    problem.for_pairs([&](Index r, Index other, Long c) {
      const Vec3<double>& from = problem.position[static_cast<std::size_t>(r)];
      const Vec3<double>& to = problem.position[static_cast<std::size_t>(other)];
      for (std::size_t n = 0; n < wave_vectors.size(); ++n) {
        const Vec3<double>& q = wave_vectors[n];
        const Long angle = Long{q.x} * (Long{from.x} - to.x) + Long{q.y} * (Long{from.y} - to.y) +
                           Long{q.z} * (Long{from.z} - to.z);
        expected[2 * n] += (squared ? c * c : c) * std::cos(angle);
        expected[2 * n + 1] -= (squared ? c * c : c) * std::sin(angle);
      }
    });
    const Long scale = size_of_sums(problem, squared);
    for (const Method method : methods)
      expect_close(problem.totals(fourier(problem, squared), method), expected, scale);
  }
}

TEST_P(TileSumsOf, DistancesAgreeBetweenMethods) {
  for (const Vectors& periods : {open, cube, skewed, one_period, film}) {
    const auto settings = distances(problem, periods);
    const auto expected = problem.totals({settings}, Method::naive);
    const auto found = problem.totals({settings}, Method::tiles);
    expect_close(found, expected, size_of_sums(problem, true));
    for (std::size_t pairs = 2; pairs < found.size(); pairs += 3)
      EXPECT_EQ(found[pairs], expected[pairs]);
  }
}

TEST_P(TileSumsOf, GroupsAgreeWithPairs) {
  for (const Index groups : {1, 5, 64})
    for (const bool squared : {false, true}) {
      Labels labels(problem.sites, groups);
      // Every third site is in no group of sites.
      for (std::size_t i = 1; i < labels.label.size(); i += 3) labels.label[i] = -1;
      std::vector<Long> expected(static_cast<std::size_t>(groups * groups));
      problem.for_pairs([&](Index r, Index other, Long c) {
        const auto from = labels.label[static_cast<std::size_t>(r)];
        const auto to = labels.label[static_cast<std::size_t>(other)];
        if (from < 0 || to < 0) return;
        expected[static_cast<std::size_t>(from * groups + to)] += squared ? c * c : c;
      });
      for (const Method method : methods)
        expect_close(problem.totals(grouped(labels, squared), method), expected,
                     size_of_sums(problem, squared));
    }
}

constexpr auto by_size = [](const auto& tested) {
  return "N" + std::to_string(tested.param.first) + "M" + std::to_string(tested.param.second);
};
INSTANTIATE_TEST_SUITE_P(Sizes, TileSumsOf,
                         testing::Values(std::pair<Index, Index>{1, 1},
                                         std::pair<Index, Index>{13, 7},
                                         std::pair<Index, Index>{130, 50},
                                         std::pair<Index, Index>{517, 7}),
                         by_size);
INSTANTIATE_TEST_SUITE_P(Depth, TileSumsOf, testing::Values(std::pair<Index, Index>{700, 1}),
                         by_size);

TEST_P(TileSumsOf, HalfOfThePairsWillDoWhereRowsAndColumnsAreTheSame) {
  problem.symmetric = true;
  const Labels labels(problem.sites, 5);
  for (const bool squared : {false, true}) {
    const Long scale = size_of_sums(problem, squared);
    expect_close(problem.totals(fourier(problem, squared), Method::tiles),
                 problem.totals(fourier(problem, squared), Method::naive), scale);
    expect_close(problem.totals(grouped(labels, squared), Method::tiles),
                 problem.totals(grouped(labels, squared), Method::naive), scale);
  }
  expect_close(problem.totals({distances(problem, skewed)}, Method::tiles),
               problem.totals({distances(problem, skewed)}, Method::naive),
               size_of_sums(problem, true));
}

TEST_P(TileSumsOf, ValuesAreCountedAsPairByPair) {
  for (const bool symmetric : {false, true}) {
    problem.symmetric = symmetric;
    const auto found = problem.totals(values(-3.1, 4.7), Method::tiles);
    const auto wanted = problem.totals(values(-3.1, 4.7), Method::naive);
    ASSERT_EQ(found.size(), 11 + 6);
    Long pairs = 0;
    for (std::size_t n = 0; n < found.size(); ++n) {
      const bool correlation = n == 11 || n == 14;
      EXPECT_NEAR(found[n], wanted[n], correlation ? 1e-12 * std::abs(wanted[n]) : 0) << n;
      if (n < 11) pairs += found[n];
    }
    EXPECT_EQ(pairs, problem.sites * (problem.sites - 1));
  }
}

TEST(TileSums, OfEqualValuesTheFirstPairIsExtreme) {
  // C is 1 or -1, so that all tiles have equal values. The first edge and the last edge belong to
  // their bins.
  Problem problem(1300, 1);
  problem.numbers = 1;
  problem.a.assign(1300, 1);
  problem.b = problem.a;
  for (const Index site : {700, 900, 1250}) problem.a[static_cast<std::size_t>(site)] = -1;
  const std::vector<double> one_way{0, 3 * 1299, 0, 0, 0, 0, 0, 0, 0, 1297 * 1299, 0};
  const std::vector<double> both_ways{0, 2 * 3 * 1297, 0, 0, 0, 0, 0, 0, 0, 1297 * 1296 + 3 * 2, 0};
  for (const bool symmetric : {false, true}) {
    problem.symmetric = symmetric;
    std::vector<double> wanted = symmetric ? both_ways : one_way;
    if (symmetric)
      wanted.insert(wanted.end(), {1, 1, 2, -1, 1, 701});
    else
      wanted.insert(wanted.end(), {1, 1, 2, -1, 701, 1});
    for (const Method method : methods) EXPECT_EQ(problem.totals(values(-1, 1), method), wanted);
  }
}

TEST(TileSums, ValuesNextToAnEdgeAreInTheBinAboveIt) {
  const CountOfValue count_of({-1, 1, 8});
  const double tiny = 1e-13;
  EXPECT_EQ(count_of(-1.1), 0);
  EXPECT_EQ(count_of(std::numeric_limits<double>::quiet_NaN()), 0);
  EXPECT_EQ(count_of(-1 - tiny), 1);
  EXPECT_EQ(count_of(-0.25 - tiny), 4);
  EXPECT_EQ(count_of(-0.25 - 1e-6), 3);
  EXPECT_EQ(count_of(0), 5);
  EXPECT_EQ(count_of(1), 8);
  EXPECT_EQ(count_of(1 + tiny), 8);
  EXPECT_EQ(count_of(1 + 1e-6), 9);
  EXPECT_EQ(count_of(1e300), 9);
}

class SymmetricOrNot : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(TileSums, SymmetricOrNot, testing::Bool());

TEST_P(SymmetricOrNot, SumsHaveTheSameBitsForAnyNumberOfThreadsAndShares) {
  // These sites need more than one block of columns and several tiles of rows.
  Problem problem(4391, 1);
  problem.symmetric = GetParam();
  const Labels labels(problem.sites, 9);
  const auto all = [&](int threads, int shares) {
    std::vector<double> sums =
        problem.totals(fourier(problem, true), Method::tiles, threads, shares);
    for (const auto& more :
         {problem.totals({distances(problem, skewed)}, Method::tiles, threads, shares),
          problem.totals(grouped(labels, true), Method::tiles, threads, shares),
          problem.totals(values(-2, 2), Method::tiles, threads, shares)})
      sums.insert(sums.end(), more.begin(), more.end());
    return sums;
  };
  const std::vector<double> one = all(1, 1);
  for (const auto& [threads, shares] : {std::pair(2, 1), {3, 2}, {2, 7}, {1, 50}})
    EXPECT_EQ(one, all(threads, shares)) << threads << " threads, " << shares << " shares";
}

TEST_P(SymmetricOrNot, SumsOverManyColumnsAreComplete) {
  // If all numbers of a and b are 1, C is K everywhere. Thus sums count pairs exactly.
  Problem problem(4391, 1);
  problem.symmetric = GetParam();
  std::fill(problem.a.begin(), problem.a.end(), 1);
  problem.b = problem.a;
  const Labels labels(problem.sites, 3);
  std::vector<double> of_group(3);
  for (const auto g : labels.label) ++of_group[static_cast<std::size_t>(g)];
  const auto sums = problem.totals(grouped(labels, true), Method::tiles);
  for (std::size_t g = 0; g < 3; ++g)
    for (std::size_t h = 0; h < 3; ++h) EXPECT_EQ(sums[3 * g + h], 9 * of_group[g] * of_group[h]);
  const auto phases = problem.totals(fourier(problem, false), Method::tiles);
  EXPECT_EQ(phases[0], 3.0 * 4391 * 4391);
  EXPECT_EQ(phases[1], 0);
  auto wide = distances(problem, cube);
  wide.bins.width = 100;
  wide.bins.bins = 1;
  EXPECT_EQ(problem.totals({wide}, Method::tiles),
            (std::vector<double>{3.0 * 4391 * 4391, 9.0 * 4391 * 4391, 1.0 * 4391 * 4391}));
}

TEST(TileSums, BinDistancesToTheNearestImageOfALattice) {
  // Shells of a triangular lattice lie on edges of bins, and the box is skewed.
  const auto geometry =
      lattice::make_lattice(lattice::named_crystal("triangular", 1.0), {9, 7}, {true});
  Problem problem(geometry.sites(), 1);
  for (Index i = 0; i < geometry.sites(); ++i)
    problem.position[static_cast<std::size_t>(i)] = geometry.position(i);
  Vectors periods;
  for (std::size_t d = 0; d < 2; ++d)
    periods.push_back(static_cast<double>(geometry.size[d]) * geometry.crystal.cell[d]);
  const ByDistance settings{problem.position, {1, 4, periods}};
  std::vector<Long> expected(12);
  problem.for_pairs([&](Index r, Index other, Long c) {
    const Vec3<double> d = lattice::separation(geometry, r, other);
    const auto bin = static_cast<std::size_t>(std::sqrt(dot(d, d)) + 1e-6);
    if (bin >= 4) return;
    expected[3 * bin] += c;
    expected[3 * bin + 1] += c * c;
    expected[3 * bin + 2] += 1;
  });
  EXPECT_EQ(static_cast<double>(expected[2]), 63);            // every site with itself
  EXPECT_EQ(static_cast<double>(expected[5]), 63 * (6 + 6));  // distances 1 and sqrt 3
  for (const Method method : methods) {
    const auto found = problem.totals({settings}, method);
    expect_close(found, expected, size_of_sums(problem, true));
    for (std::size_t bin = 0; bin < 4; ++bin)
      EXPECT_EQ(found[3 * bin + 2], static_cast<double>(expected[3 * bin + 2]));
  }
}

TEST(TileSums, OfNoSitesAreZero) {
  const Problem nothing(0, 7);
  const Problem some(7, 2);
  const Labels labels(0, 2);
  Labels of_none(7, 2);
  std::fill(of_none.label.begin(), of_none.label.end(), -1);
  for (const Method method : methods) {
    EXPECT_EQ(nothing.totals(fourier(nothing, true), method), std::vector<double>(6));
    EXPECT_EQ(nothing.totals({distances(nothing, cube)}, method), std::vector<double>(63));
    EXPECT_EQ(nothing.totals(grouped(labels, false), method), std::vector<double>(4));
    EXPECT_EQ(some.totals(grouped(of_none, true), method), std::vector<double>(4));
    EXPECT_EQ(nothing.totals(values(-1, 1), method), std::vector<double>(17));
    EXPECT_EQ(Problem(1, 2).totals(values(-1, 1), method), std::vector<double>(17));
  }
}

TEST(TileSums, OfNoWaveVectorsAreNone) {
  const Problem problem(11, 1);
  const Request request{FourierTerms{{}, problem.position}, true};
  for (const Method method : methods) EXPECT_TRUE(problem.totals(request, method).empty());
}

TEST(TileSums, ThatAreNotNumbersShow) {
  Problem problem(40, 1);
  problem.a[5] = std::numeric_limits<double>::quiet_NaN();
  for (const double sum : problem.totals(fourier(problem, false), Method::tiles))
    EXPECT_TRUE(std::isnan(sum));
}

TEST(TileSums, NeedBothMatrices) {
  const Problem problem(11, 1);
  for (const Method method : methods) {
    const auto sums = problem.sums(fourier(problem, true), method);
    sums->set_rows(problem.a.data());
    EXPECT_THROW(sums->add(), InternalError);
    sums->set_both(problem.a.data());
    EXPECT_NO_THROW(sums->add());
  }
}

/// The problem that the error message names, in one line.
/// @param sites, numbers N and K of the matrices
std::string refusal(const PairReduction& reduction, Index sites = 11, Index numbers = 3) {
  try {
    make_tile_sums({sites, numbers}, reduction, 1);
  } catch (const InputError& error) {
    return error.problem();
  }
  return "nothing";
}

TEST(TileSums, OfMalformedRequestsAreRefused) {
  Problem problem(11, 1);
  Labels labels(11, 2);
  const FourierTerms phases{wave_vectors, problem.position};
  const ByDistance bins = distances(problem, cube);
  const BetweenGroups groups{labels.label, labels.groups};
  const ByValue of_values{{-1, 1, 9}};
  for (const PairReduction& reduction : {PairReduction(phases), PairReduction(bins),
                                         PairReduction(groups), PairReduction(of_values)}) {
    EXPECT_EQ(refusal(reduction), "nothing");
    EXPECT_EQ(refusal(reduction, 11, 0),
              "sums over pairs of sites need numbers at each site, K = 1 or more, not 0");
    EXPECT_EQ(refusal(reduction, -1), "sums over pairs of sites cannot have -1 sites");
  }
  EXPECT_EQ(refusal(phases, 12), "there are 11 positions for 12 sites");
  EXPECT_EQ(refusal(groups, 12), "there are 11 labels for 12 sites");

  const auto changed = [](auto reduction, const auto& change) {
    change(reduction);
    return reduction;
  };
  EXPECT_EQ(refusal(changed(bins, [](auto& by) { by.bins.width = 0; })),
            "bins of distances need a width that is positive and finite");
  EXPECT_EQ(refusal(changed(bins, [](auto& by) { by.bins.bins = 0; })),
            "there can be 1 to 10000000 bins of distances, not 0");
  EXPECT_EQ(refusal(changed(of_values, [](auto& by) { by.bins.bins = 0; })),
            "there can be 1 to 10000000 bins of correlations, not 0");
  for (const double greatest : {-1.0, -2.0, std::numeric_limits<double>::infinity()})
    EXPECT_EQ(refusal(changed(of_values, [&](auto& by) { by.bins.greatest = greatest; })),
              "bins of correlations need a width that is positive and finite");
  const Vectors flat = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, four(4, {1, 0, 0}), none = {{0, 0, 0}};
  EXPECT_EQ(refusal(distances(problem, flat)), "the periods of a box are not independent");
  EXPECT_EQ(refusal(distances(problem, none)), "the periods of a box are not independent");
  EXPECT_EQ(refusal(distances(problem, four)), "a box has three periods at most");
  EXPECT_EQ(refusal(changed(groups, [](auto& between) { between.groups = 0; })),
            "there can be 1 to 10000 groups of sites, not 0");

  labels.label[4] = 2;
  EXPECT_EQ(refusal(groups),
            "site 4 has the label 2, but a label must be from 0 to below 2, or -1 for no group");
  labels.label[4] = -2;
  EXPECT_EQ(refusal(groups),
            "site 4 has the label -2, but a label must be from 0 to below 2, or -1 for no group");
  problem.position[3].y = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(phases), "the position of site 3 is not finite");
  EXPECT_EQ(refusal(bins), "the position of site 3 is not finite");
  problem.position[3].y = 0;
  const Vectors q = {{0, 0, std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_EQ(refusal(FourierTerms{q, problem.position}), "wave vector 0 is not finite");
}

}  // namespace
}  // namespace larmor::tile_sums_tests
