// Pairs of sites summed by group, by distance and by displacement, compared with direct loops.
// Skips without a GPU.
// Rooms: correlations

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "larmor/core/device/array.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "tests/named.hpp"

namespace {

using namespace larmor;
using larmor::testing_support::Named;
using namespace larmor::correlations::real_space;

struct Sample {
  Index sites, numbers;
  std::vector<double> a, b;
  std::vector<Vec3<double>> position;
  std::vector<std::int32_t> group;

  Sample(Index sites_, Index numbers_, Index groups) : sites(sites_), numbers(numbers_) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> between(-1, 1);
    for (Index i = 0; i < sites * numbers; ++i) {
      a.push_back(between(random));
      b.push_back(between(random));
    }
    for (Index i = 0; i < sites; ++i) {
      position.push_back({9 * between(random), 7 * between(random), 5 * between(random)});
      group.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(groups + 1)) - 1);
    }
  }
  double product(Index row, Index column) const {
    double c = 0;
    for (Index k = 0; k < numbers; ++k)
      c += a[static_cast<std::size_t>(row * numbers + k)] *
           b[static_cast<std::size_t>(column * numbers + k)];
    return c;
  }
};

/// Sums over all pairs (row, column), except those with bin(row, column) < 0.
template <class Bin>
std::vector<double> direct_sums(const Sample& sample, Index bins, bool squared, const Bin& bin) {
  std::vector<double> sums(static_cast<std::size_t>(bins));
  for (Index row = 0; row < sample.sites; ++row)
    for (Index column = 0; column < sample.sites; ++column) {
      const Index n = bin(row, column);
      const double c = sample.product(row, column);
      if (n >= 0 && n < bins) sums[static_cast<std::size_t>(n)] += squared ? c * c : c;
    }
  return sums;
}

std::vector<double> totals(FusedSums& sums, const Device& device, const Sample& sample) {
  const Array<double> a(device, sample.a), b(device, sample.b);
  sums.set_rows(a.data());
  sums.set_columns(b.data());
  sums.add();
  return sums.totals().take();
}

enum class Arithmetic { plain, tensor_cores, tf32x3, half_split };

class PairBins : public testing::TestWithParam<std::tuple<Named<Arithmetic>, bool>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
    device_.backend = Backend::cuda;
    const auto& [named, squared] = GetParam();
    const Arithmetic arithmetic = named.value;
    if (arithmetic != Arithmetic::plain && !has_tensor_core_sums(device_))
      GTEST_SKIP() << "no tensor cores of compute capability 9.0";
    plain_ = arithmetic == Arithmetic::plain;
    if (arithmetic == Arithmetic::tf32x3) precision_ = PairPrecision::tf32x3;
    if (arithmetic == Arithmetic::half_split) precision_ = PairPrecision::half_split;
    squared_ = squared;
  }
  PairSettings settings(Index sites, Index numbers) const {
    PairSettings chosen{sites, numbers, precision_, squared_};
    chosen.largest = static_cast<double>(numbers);
    chosen.plain = plain_;
    return chosen;
  }
  void expect_close(const std::vector<double>& found, const std::vector<double>& wanted) const {
    ASSERT_EQ(found.size(), wanted.size());
    double scale = 0;
    for (const double x : wanted) scale = std::max(scale, std::abs(x));
    const double bound = precision_ == PairPrecision::full ? 1e-11 : 1e-5;
    for (std::size_t n = 0; n < found.size(); ++n)
      EXPECT_NEAR(found[n], wanted[n], bound * scale) << n;
  }
  Device device_;
  PairPrecision precision_ = PairPrecision::full;
  bool plain_ = false, squared_ = false;
};

TEST_P(PairBins, GroupsAreThoseOfALoop) {
  for (const Index groups : {1, 3, 32}) {
    const Sample sample(517, 21, groups);
    const auto sums = make_fused_sums(device_, settings(sample.sites, sample.numbers),
                                      BetweenGroups{sample.group, groups});
    const auto bin = [&](Index row, Index column) {
      const Index g = sample.group[static_cast<std::size_t>(row)];
      const Index h = sample.group[static_cast<std::size_t>(column)];
      return g < 0 || h < 0 ? -1 : g * groups + h;
    };
    expect_close(totals(*sums, device_, sample),
                 direct_sums(sample, groups * groups, squared_, bin));
  }
}

TEST_P(PairBins, DistancesAreThoseOfALoop) {
  const Sample sample(300, 12, 1);
  const std::vector<std::vector<Vec3<double>>> boxes{
      {}, {{18, 0, 0}, {0, 14, 0}}, {{18, 0, 0}, {8, 14, 0}, {3, -2, 10}}};
  for (const std::vector<Vec3<double>>& periods : boxes) {
    const DistanceBins binning{0.37, 40, periods};
    const auto sums = make_fused_sums(device_, settings(sample.sites, sample.numbers),
                                      ByDistance{sample.position, binning});
    const auto bin = [&](Index row, Index column) {
      const Vec3<double> d = sample.position[static_cast<std::size_t>(row)] -
                             sample.position[static_cast<std::size_t>(column)];
      double nearest = dot(d, d);
      for (int image = 0; image < 7 * 7 * 31; ++image) {
        const int step[] = {image % 7 - 3, image / 7 % 7 - 3, image / 49 - 15};
        Vec3<double> e = d;
        for (std::size_t i = 0; i < periods.size(); ++i)
          e = e + static_cast<double>(step[i]) * periods[i];
        nearest = std::min(nearest, dot(e, e));
      }
      return static_cast<Index>(std::sqrt(nearest) / binning.width);
    };
    expect_close(totals(*sums, device_, sample), direct_sums(sample, binning.bins, squared_, bin));
  }
}

TEST_P(PairBins, DisplacementsAreThoseOfALoop) {
  // Two atoms in each of 7 x 6 x 5 cells, open along the second vector, with some vacancies.
  const Sample sample(391, 12, 1);
  DisplacementBins bins;
  bins.atoms = 2;
  bins.size = {7, 6, 5};
  bins.periodic = {true, false, true};
  std::vector<lattice::SiteIndex> site;
  for (Index n = 0; std::ssize(site) < sample.sites; ++n)
    if (n % 15 != 4) site.push_back({static_cast<int>(n % 2), {n / 2 % 7, n / 14 % 6, n / 84}});
  struct Box {
    std::array<Index, 3> least, count;
  };
  for (const Box& box : {Box{{0, 0, 0}, {1, 1, 1}}, Box{{-2, -3, -1}, {5, 7, 3}},
                         Box{{-3, -5, 0}, {7, 11, 1}}, Box{{-3, -1, -2}, {7, 3, 5}}}) {
    bins.least = box.least;
    bins.count = box.count;
    const auto sums = make_fused_sums(device_, settings(sample.sites, sample.numbers),
                                      ByDisplacement{site, bins});
    const auto bin = [&](Index row, Index column) -> Index {
      const lattice::SiteIndex& from = site[static_cast<std::size_t>(row)];
      const lattice::SiteIndex& to = site[static_cast<std::size_t>(column)];
      Index n = from.basis * bins.atoms + to.basis;
      for (std::size_t d = 0; d < 3; ++d) {
        Index step = to.cell[d] - from.cell[d];
        if (bins.periodic[d])
          step = (step + 2 * bins.size[d] + (bins.size[d] - 1) / 2) % bins.size[d] -
                 (bins.size[d] - 1) / 2;
        const Index place = step - bins.least[d];
        if (place < 0 || place >= bins.count[d]) return -1;
        n = n * bins.count[d] + place;
      }
      return n;
    };
    expect_close(totals(*sums, device_, sample), direct_sums(sample, bins.bins(), squared_, bin));
  }
}

TEST_P(PairBins, SumsAskForTheLargestProduct) {
  const Sample sample(10, 3, 2);
  PairSettings unbounded = settings(10, 3);
  unbounded.largest = 0;
  EXPECT_THROW(make_fused_sums(device_, unbounded, BetweenGroups{sample.group, 2}), InternalError);
}

TEST_P(PairBins, MalformedRequestsAreRefusedAsOnACpu) {
  const Sample sample(10, 3, 2);
  EXPECT_THROW(make_fused_sums(device_, settings(11, 3), BetweenGroups{sample.group, 2}),
               InputError);
  EXPECT_THROW(make_fused_sums(device_, settings(10, 0), BetweenGroups{sample.group, 2}),
               InputError);
}

TEST_P(PairBins, SharesOfRowsAddUpToTheSameBits) {
  const Sample sample(700, 12, 5);
  const auto whole = make_fused_sums(device_, settings(700, 12), BetweenGroups{sample.group, 5});
  const std::vector<double> wanted = totals(*whole, device_, sample);
  std::vector<double> row_block_sums;
  std::unique_ptr<FusedSums> last;
  for (const RowShare share : {RowShare{0, 4}, RowShare{1, 4}, RowShare{2, 4}, RowShare{3, 4}}) {
    last = make_fused_sums(device_, settings(700, 12), BetweenGroups{sample.group, 5}, share);
    totals(*last, device_, sample);
    for (const RowShare inner : {RowShare{0, 3}, RowShare{1, 3}, RowShare{2, 3}}) last->add(inner);
    const std::span<double> own = last->row_block_sums();
    std::vector<double> numbers(own.size());
    copy_bytes(Device{}, numbers.data(), device_, own.data(), own.size_bytes());
    row_block_sums.resize(numbers.size());
    for (std::size_t n = 0; n < numbers.size(); ++n) row_block_sums[n] += numbers[n];
  }
  copy_bytes(device_, last->row_block_sums().data(), Device{}, row_block_sums.data(),
             row_block_sums.size() * sizeof(double));
  EXPECT_EQ(last->totals().take(), wanted);
}

/// Atoms and cells of a sample that is periodic along one even and one odd number of cells.
std::vector<lattice::SiteIndex> cells_of(const DisplacementBins& bins, Index sites) {
  std::vector<lattice::SiteIndex> site;
  for (Index n = 0; std::ssize(site) < sites; ++n)
    if (n % 15 != 4)
      site.push_back({static_cast<int>(n % 2),
                      {n / 2 % bins.size[0], n / 2 / bins.size[0] % bins.size[1],
                       n / 2 / bins.size[0] / bins.size[1]}});
  return site;
}

TEST_P(PairBins, HalfOfThePairsAreEnoughWhereBothMatricesAreTheSame) {
  DisplacementBins displacement;
  displacement.atoms = 2;
  displacement.size = {8, 9, 7};
  displacement.periodic = {true, true, false};
  displacement.least = {-3, -2, -1};
  displacement.count = {8, 5, 3};
  // These sites need 1 to 4 blocks of rows, and 8 blocks with some empty units.
  for (const Index sites : {100, 200, 300, 391, 899}) {
    const Sample sample(sites, 12, 5);
    const std::vector<lattice::SiteIndex> cells = cells_of(displacement, sites);
    const PairSettings pairs = settings(sites, 12);
    const std::vector<Vec3<double>> q{{0, 0, 0}, {0.3, -0.2, 0.9}, {1.1, 0.4, -0.6}};
    const auto kinds = [&](const RowShare& share) {
      std::vector<std::unique_ptr<FusedSums>> sums;
      sums.push_back(make_fused_sums(device_, pairs, FourierTerms{q, sample.position}, share));
      sums.push_back(make_fused_sums(device_, pairs, BetweenGroups{sample.group, 5}, share));
      sums.push_back(
          make_fused_sums(device_, pairs, ByDistance{sample.position, {0.37, 40, {}}}, share));
      sums.push_back(make_fused_sums(device_, pairs, ByDisplacement{cells, displacement}, share));
      return sums;
    };
    const Array<double> a(device_, sample.a);
    const auto all = kinds({}), half = kinds({}), first = kinds({0, 2}), second = kinds({1, 2});
    for (std::size_t kind = 0; kind < all.size(); ++kind) {
      all[kind]->set_rows(a.data());
      all[kind]->set_columns(a.data());
      all[kind]->add();
      for (const auto* sums : {&half, &first, &second}) {
        (*sums)[kind]->set_both(a.data());
        (*sums)[kind]->add();
      }
      const std::vector<double> of_half = half[kind]->totals().take();
      expect_close(of_half, all[kind]->totals().take());
      const std::span<double> row_block_sums = first[kind]->row_block_sums(),
                              others = second[kind]->row_block_sums();
      std::vector<double> x(row_block_sums.size()), y(row_block_sums.size());
      copy_bytes(Device{}, x.data(), device_, row_block_sums.data(), row_block_sums.size_bytes());
      copy_bytes(Device{}, y.data(), device_, others.data(), others.size_bytes());
      for (std::size_t n = 0; n < x.size(); ++n) x[n] += y[n];
      copy_bytes(device_, row_block_sums.data(), Device{}, x.data(), row_block_sums.size_bytes());
      EXPECT_EQ(first[kind]->totals().take(), of_half) << kind;
    }
  }
}

/// C of row `row` of sample.a with row `column` of b.
double product_with(const Sample& sample, const std::vector<double>& b, Index row, Index column) {
  double c = 0;
  for (Index k = 0; k < sample.numbers; ++k)
    c += sample.a[static_cast<std::size_t>(row * sample.numbers + k)] *
         b[static_cast<std::size_t>(column * sample.numbers + k)];
  return c;
}

/// Tests that counts equal those of a loop, and that no other pair exceeds C of the extreme pairs.
void expect_counts(const Sample& sample, const std::vector<double>& b, const CorrelationBins& bins,
                   const std::vector<double>& found) {
  const CountOfValue count_of(bins);
  std::vector<double> counts(static_cast<std::size_t>(counts_of(bins)));
  ExtremePairs wanted;
  for (Index row = 0; row < sample.sites; ++row)
    for (Index column = 0; column < sample.sites; ++column) {
      if (row == column) continue;
      const double c = product_with(sample, b, row, column);
      counts[static_cast<std::size_t>(count_of(c))] += 1;
      wanted.update(
          ExtremePair{c, static_cast<std::int32_t>(row), static_cast<std::int32_t>(column)});
    }
  ASSERT_EQ(std::ssize(found), totals_of(bins));
  EXPECT_EQ(std::vector<double>(found.begin(), found.begin() + counts_of(bins)), counts);
  const ExtremePairs pairs = ExtremePairs::load(found.data() + counts_of(bins));
  for (const auto& [pair, other] :
       {std::pair(pairs.largest, wanted.largest), std::pair(pairs.smallest, wanted.smallest)}) {
    ASSERT_EQ(pair.row < 0, other.row < 0);
    if (pair.row < 0) continue;
    ASSERT_NE(pair.row, pair.column);
    EXPECT_EQ(pair.c, other.c);
    EXPECT_EQ(pair.c, product_with(sample, b, pair.row, pair.column));
  }
}

void expect_values_counted(const Device& device, const PairSettings& settings) {
  const CorrelationBins bins{-2.13, 2.41, 37};
  Sample sample(settings.sites, settings.numbers, 1);
  // The numbers are multiples of 1/8. Thus products are exact in every precision, and many are
  // equal.
  for (auto* matrix : {&sample.a, &sample.b})
    for (double& x : *matrix) x = std::round(8 * x) / 8;
  const auto all = make_fused_sums(device, settings, ByValue{bins});
  expect_counts(sample, sample.b, bins, totals(*all, device, sample));
  const Array<double> a(device, sample.a);
  all->set_both(a.data());
  all->add();
  const std::vector<double> whole = all->totals().take();
  expect_counts(sample, sample.a, bins, whole);
  for (const int share : {0, 1, 2}) all->add({share, 3});
  EXPECT_EQ(all->totals().take(), whole) << settings.sites;
  // The sums are shares of two ranks.
  const auto first = make_fused_sums(device, settings, ByValue{bins}, {0, 2});
  const auto second = make_fused_sums(device, settings, ByValue{bins}, {1, 2});
  for (const auto* share : {&first, &second}) {
    (*share)->set_both(a.data());
    (*share)->add();
  }
  const std::span<double> row_block_sums = first->row_block_sums(),
                          others = second->row_block_sums();
  std::vector<double> x(row_block_sums.size()), y(row_block_sums.size());
  copy_bytes(Device{}, x.data(), device, row_block_sums.data(), row_block_sums.size_bytes());
  copy_bytes(Device{}, y.data(), device, others.data(), others.size_bytes());
  for (std::size_t n = 0; n < x.size(); ++n) x[n] += y[n];
  copy_bytes(device, row_block_sums.data(), Device{}, x.data(), row_block_sums.size_bytes());
  EXPECT_EQ(first->totals().take(), whole) << settings.sites;
}

TEST_P(PairBins, ValuesAreCountedAsInALoop) {
  if (squared_) GTEST_SKIP() << "C^2 is not counted";
  for (const Index sites : {1, 100, 391}) expect_values_counted(device_, settings(sites, 12));
}

TEST_P(PairBins, ValuesOfManyPanelsAreCountedAsInALoop) {
  if (squared_) GTEST_SKIP() << "C^2 is not counted";
  expect_values_counted(device_, settings(899, 12));
}

INSTANTIATE_TEST_SUITE_P(
    Arithmetics, PairBins,
    testing::Combine(testing::Values(Named<Arithmetic>{"plain", Arithmetic::plain},
                                     Named<Arithmetic>{"tensor_cores", Arithmetic::tensor_cores},
                                     Named<Arithmetic>{"tf32x3", Arithmetic::tf32x3},
                                     Named<Arithmetic>{"half_split", Arithmetic::half_split}),
                     testing::Bool()),
    [](const auto& tested) {
      return std::get<0>(tested.param).name +
             std::string(std::get<1>(tested.param) ? "_squared" : "");
    });

}  // namespace
