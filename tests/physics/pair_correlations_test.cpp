// Correlations over all pairs of sites, compared with direct loops over pairs and replicas.
// Rooms: correlations

#include "larmor/correlations/pairs/pair_correlations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "larmor/core/error.hpp"
#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::pair_correlations_tests {

using namespace larmor::correlations;
using namespace larmor::correlations::real_space;
using testing_support::HostVectors;
using testing_support::TestSystem;

constexpr const char* kagome = "[lattice]\ntype='kagome'\nsize=[4,3]\n[[exchange]]\nshell=1\nJ=1\n";
constexpr const char* cluster =
    "[lattice]\ntype='bcc'\nsize=[2,3,2]\nperiodic=false\n[[exchange]]\nshell=1\nJ=-1\n";
constexpr const char* alloy =
    "[lattice]\ntype='square'\nsize=[5,4]\n[[alloy]]\nby='Co'\nfraction=0.3\nmoment=1\n"
    "[[alloy]]\nby='vacancy'\nfraction=0.2\nspecies='A'\n[[exchange]]\nshell=1\nJ=1\n";

PairCorrelationsSettings everything(const TestSystem& system, bool connected) {
  PairCorrelationsSettings settings;
  settings.q = q_explicit(system.geometry, {{0.25, 0, 0}, {0.1, 0.37, 0.2}, {0, 0, 0}});
  settings.bins = 5;
  settings.width = 0.6;
  settings.displacement = displacement_bins(system.geometry, std::nullopt);
  // Groups are the species of an alloy, or else the basis atoms. Every fifth site is in no group.
  for (Index site = 0; site < system.geometry.sites(); ++site) {
    const bool is_cobalt = system.geometry.species(site) == "Co";
    const auto atom = static_cast<std::int32_t>(system.geometry.basis_index(site));
    settings.group.push_back(site % 5 == 3 ? -1 : is_cobalt ? 1 : atom);
  }
  settings.groups = 1 + *std::max_element(settings.group.begin(), settings.group.end());
  settings.distribution = CorrelationBins{-0.61, 0.83, 7};
  settings.connected = connected;
  return settings;
}

/// Spins that prefer one side, so that means and correlations are not zero. [replica][site]
std::vector<std::vector<Vec3<double>>> configurations(const TestSystem& system) {
  std::vector<std::vector<Vec3<double>>> all;
  for (Index replica = 0; replica < system.replicas(); ++replica)
    all.push_back(system.state.configuration(replica));
  return all;
}

struct Direct {
  PairCorrelationsValues values;

  Direct(const TestSystem& system, const PairCorrelationsSettings& s, const LeftOut& left_out) {
    const auto spins = configurations(system);
    const auto& geometry = system.geometry;
    const auto Q = static_cast<std::size_t>(s.q.size()), G = static_cast<std::size_t>(s.groups);
    const auto bins = static_cast<std::size_t>(s.bins);
    values.structure.assign(Q, 0);
    values.spin_glass.assign(Q, 0);
    for (auto* v : {&values.mean, &values.mean_square, &values.pairs}) v->assign(bins, 0);
    if (s.displacement)
      for (auto* v : {&values.displaced_mean, &values.displaced_square, &values.displaced_pairs})
        v->assign(static_cast<std::size_t>(s.displacement->bins()), 0);
    values.groups.assign(G * G, 0);
    values.groups_square.assign(G * G, 0);
    values.distribution.assign(9, 0);
    values.extremes = {-100, -1, -1, 100, -1, -1};
    std::vector<double> pairs_of_groups(G * G);
    const auto N = static_cast<std::size_t>(geometry.sites());
    for (std::size_t r = 0; r < N; ++r)
      for (std::size_t t = 0; t < N; ++t) {
        if (!geometry.occupied(Index(r)) || !geometry.occupied(Index(t))) continue;
        const auto [c, square] = correlation(spins, r, t, s.connected, left_out);
        if (r != t) {
          const double place = (c + 0.61) / (1.44 / 7);
          values.distribution[std::size_t(place < 0 ? 0 : std::min(8.0, 1 + place))] += 1;
          const std::array<double, 3> pair{c, double(std::min(r, t)), double(std::max(r, t))};
          // The two orders of a pair may differ by rounding.
          if (c > values.extremes[0] + 1e-12)
            std::copy(pair.begin(), pair.end(), values.extremes.begin());
          if (c < values.extremes[3] - 1e-12)
            std::copy(pair.begin(), pair.end(), values.extremes.begin() + 3);
        }
        const Vec3<double> d = geometry.position(Index(r)) - geometry.position(Index(t));
        for (std::size_t q = 0; q < Q; ++q) {
          const double phase = std::cos(dot(s.q.cartesian[q], d)) / double(geometry.spins());
          values.structure[q] += phase * c;
          values.spin_glass[q] += phase * square;
        }
        const auto bin = static_cast<std::size_t>(nearest(geometry, d) / s.width + 1e-9);
        if (bin < bins) {
          values.mean[bin] += c;
          values.mean_square[bin] += square;
          values.pairs[bin] += 1;
        }
        if (s.displacement) {
          const std::size_t n = displacement(geometry, *s.displacement, Index(r), Index(t));
          values.displaced_mean[n] += c;
          values.displaced_square[n] += square;
          values.displaced_pairs[n] += 1;
        }
        if (G == 0 || s.group[r] < 0 || s.group[t] < 0) continue;
        const std::size_t g = std::size_t(s.group[r]) * G + std::size_t(s.group[t]);
        values.groups[g] += c;
        values.groups_square[g] += square;
        pairs_of_groups[g] += 1;
      }
    for (std::size_t n = 0; n < bins; ++n) {
      values.mean[n] /= values.pairs[n];
      values.mean_square[n] /= values.pairs[n];
    }
    for (std::size_t n = 0; n < values.displaced_pairs.size(); ++n) {
      values.displaced_mean[n] /= values.displaced_pairs[n];
      values.displaced_square[n] /= values.displaced_pairs[n];
    }
    for (std::size_t g = 0; g < G * G; ++g) {
      values.groups[g] /= pairs_of_groups[g];
      values.groups_square[g] /= pairs_of_groups[g];
    }
  }

  /// The bin of all displacements (b, b', dx, dy, dz) from site r to site t.
  static std::size_t displacement(const lattice::Geometry& geometry, const DisplacementBins& bins,
                                  Index r, Index t) {
    const lattice::SiteIndex from = geometry.decode(r), to = geometry.decode(t);
    Index bin = from.basis * bins.atoms + to.basis;
    for (std::size_t d = 0; d < 3; ++d) {
      const Index L = geometry.size[d], step = to.cell[d] - from.cell[d];
      const Index place = geometry.periodic[d] ? (step + 2 * L + (L - 1) / 2) % L : step + L - 1;
      bin = bin * bins.count[d] + place;
    }
    return static_cast<std::size_t>(bin);
  }

  static double nearest(const lattice::Geometry& geometry, const Vec3<double>& d) {
    double least = dot(d, d);
    for (int image = 0; image < 125; ++image) {
      Vec3<double> e = d;
      const int step[] = {image % 5 - 2, image / 5 % 5 - 2, image / 25 - 2};
      for (std::size_t i = 0; i < 3; ++i)
        if (geometry.periodic[i])
          e = e + double(step[i]) * double(geometry.size[i]) * geometry.crystal.cell[i];
      least = std::min(least, dot(e, e));
    }
    return std::sqrt(least);
  }

  /// C and the estimate of its square.
  static std::pair<double, double> correlation(const std::vector<std::vector<Vec3<double>>>& spins,
                                               std::size_t r, std::size_t t, bool connected,
                                               const LeftOut& left_out) {
    std::vector<std::size_t> kept;
    for (std::size_t m = 0; m < spins.size(); ++m)
      if (!left_out.holds(Index(m))) kept.push_back(m);
    const auto M = double(kept.size());
    if (connected) {
      Vec3<double> of_r{0, 0, 0}, of_t{0, 0, 0};
      double sum = 0;
      for (const std::size_t m : kept) {
        of_r = of_r + (1 / M) * spins[m][r];
        of_t = of_t + (1 / M) * spins[m][t];
      }
      double squares = 0;
      for (const std::size_t m : kept) {
        const double x = dot(spins[m][r] - of_r, spins[m][t] - of_t);
        sum += x;
        squares += x * x;
      }
      return {sum / (M - 1), (sum * sum - M / (M - 1) * squares) / ((M - 1) * (M - 2))};
    }
    double sum = 0, overlap = 0;
    for (const std::size_t m : kept) {
      sum += dot(spins[m][r], spins[m][t]);
      for (const std::size_t n : kept)
        if (m != n) overlap += dot(spins[m][r], spins[m][t]) * dot(spins[n][r], spins[n][t]);
    }
    return {sum / M, overlap / (M * (M - 1))};
  }
};

void expect_near(const char* what, const std::vector<double>& found,
                 const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  for (std::size_t n = 0; n < found.size(); ++n) {
    if (std::isnan(wanted[n])) {
      EXPECT_TRUE(std::isnan(found[n])) << what << ", " << n;
    } else {
      EXPECT_NEAR(found[n], wanted[n], 1e-9 * (1 + std::abs(wanted[n]))) << what << ", " << n;
    }
  }
}

class PairCorrelationsOfSystem : public testing::TestWithParam<testing_support::CorrelatedSystem> {
};

TEST_P(PairCorrelationsOfSystem, AreThoseOfLoops) {
  const auto& [named, replicas, connected] = GetParam();
  const char* text = named.value;
  if (replicas < least_replicas(connected)) GTEST_SKIP() << "too few replicas for error bars";
  TestSystem system(text, replicas, 2);
  system.state.randomise(23);
  system.sampler({spins::Update::heat_bath}, 0.5, 3).run(system.state, 3);
  const PairCorrelationsSettings settings = everything(system, connected);
  PairCorrelations correlations(system.geometry, settings, system.state);
  correlations.copy_spins(system.state);
  // Replicas are left out in any order, and at the end all replicas count again.
  for (const LeftOut& left_out : {LeftOut{}, LeftOut{1, 2}, LeftOut{replicas - 1, 1}, LeftOut{}}) {
    if (replicas - left_out.count < least_replicas(connected)) continue;
    const PairCorrelationsValues found = correlations.values(left_out);
    const PairCorrelationsValues wanted = Direct(system, settings, left_out).values;
    expect_near("structure", found.structure, wanted.structure);
    expect_near("spin glass", found.spin_glass, wanted.spin_glass);
    expect_near("mean", found.mean, wanted.mean);
    expect_near("mean square", found.mean_square, wanted.mean_square);
    expect_near("pairs", found.pairs, wanted.pairs);
    expect_near("displaced mean", found.displaced_mean, wanted.displaced_mean);
    expect_near("displaced square", found.displaced_square, wanted.displaced_square);
    expect_near("displaced pairs", found.displaced_pairs, wanted.displaced_pairs);
    expect_near("groups", found.groups, wanted.groups);
    expect_near("square of groups", found.groups_square, wanted.groups_square);
    expect_near("distribution", found.distribution, wanted.distribution);
    expect_near("extremes", found.extremes, wanted.extremes);
  }
}

using System = testing_support::Named<const char*>;
INSTANTIATE_TEST_SUITE_P(Systems, PairCorrelationsOfSystem,
                         testing::Combine(testing::Values(System{"kagome", kagome},
                                                          System{"cluster", cluster},
                                                          System{"alloy", alloy}),
                                          testing::Values<Index>(2, 5, 11), testing::Bool()),
                         testing_support::by_system);

TEST(PairCorrelations, OfIndependentSpinsHaveNoGlassBetweenSites) {
  // The square of <e.e'> from different configurations is 1 for a site with itself. It is 0 on
  // average for different sites.
  TestSystem system(kagome, 200, 2);
  system.state.randomise(4);
  PairCorrelationsSettings settings;
  settings.bins = 4;
  settings.width = 0.3;
  PairCorrelations correlations(system.geometry, settings, system.state);
  correlations.copy_spins(system.state);
  const PairCorrelationsValues values = correlations.values();
  EXPECT_NEAR(values.mean_square[0], 1, 1e-9);
  // Each pair scatters by sqrt(2) / (3 M). The pairs of a bin are almost uncorrelated.
  const double sigma = std::sqrt(2.0) / (3 * 200) / std::sqrt(values.pairs[1] / 2);
  EXPECT_NEAR(values.mean_square[1], 0, 5 * sigma);
}

/// M configurations of two spins, each up or down, and the estimate of C^2 from them.
class TwoSpins {
 public:
  explicit TwoSpins(Index M) : system_(pair, M, 1), spins_(system_.state) {}

  void set(Index m, double first, double other) {
    spins_.view.store(ScalarSlot<>{0, m}, Vec3<double>{0, 0, first});
    spins_.view.store(ScalarSlot<>{1, m}, Vec3<double>{0, 0, other});
  }
  double mean_square() {
    system_.state.load(spins_.numbers);
    correlations_.copy_spins(system_.state);
    return correlations_.values().mean_square[1];
  }
  /// A launch takes longer than the sums of two spins.
  bool is_on_gpu() const { return system_.state.device().backend == Backend::cuda; }

 private:
  static constexpr const char* pair =
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n"
      "[[exchange]]\nshell=1\nJ=1\n";
  static PairCorrelationsSettings settings() {
    PairCorrelationsSettings settings;
    settings.bins = 2;
    settings.connected = true;
    return settings;
  }

  TestSystem system_;
  PairCorrelations correlations_{system_.geometry, settings(), system_.state};
  HostVectors spins_;
};

/// The mean of the estimate over all sets of M configurations. The first spin is up with the
/// probability `lean`. With the probability `share`, the second spin equals the first. Otherwise it
/// is up with the probability `lean`.
double exact_mean_square_of_two(Index M, double lean, double share) {
  TwoSpins spins(M);
  const auto probability = [&](bool up) { return up ? lean : 1 - lean; };
  double sum = 0;
  for (unsigned set = 0; set < 1U << (2 * M); ++set) {
    double weight = 1;
    for (Index m = 0; m < M; ++m) {
      const bool first = (set >> (2 * m) & 1) != 0, other = (set >> (2 * m + 1) & 1) != 0;
      weight *=
          probability(first) * ((first == other ? share : 0) + (1 - share) * probability(other));
      spins.set(m, first ? 1 : -1, other ? 1 : -1);
    }
    sum += weight * spins.mean_square();
  }
  return sum;
}

/// Averages the estimate over many random sets of configurations. @return the mean and its error
std::pair<double, double> mean_square_of_two(Index M, double lean, double share) {
  TwoSpins spins(M);
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  double sum = 0, squares = 0;
  const int sets = spins.is_on_gpu() ? 2000 : 20000;
  for (int set = 0; set < sets; ++set) {
    for (Index m = 0; m < M; ++m) {
      const double first = uniform(generator) < lean ? 1.0 : -1.0;
      const double other = uniform(generator) < lean ? 1.0 : -1.0;
      spins.set(m, first, uniform(generator) < share ? first : other);
    }
    const double x = spins.mean_square();
    sum += x / sets;
    squares += x * x / sets;
  }
  return {sum, std::sqrt((squares - sum * sum) / sets)};
}

// For correlated spins with C = s, the cumulant of a, b, a, b with a^2 = b^2 = 1 is 1 - 1 - 2 s^2.
TEST(PairCorrelations, SquaresOfConnectedOnesHaveTheExactMean) {
  constexpr double s = 0.6, k = -2 * s * s;
  for (const Index M : {3, 4}) {
    for (const double lean : {0.5, 0.8})
      EXPECT_NEAR(exact_mean_square_of_two(M, lean, 0), 0, 1e-12) << lean << ", " << M;
    EXPECT_NEAR(exact_mean_square_of_two(M, 0.5, s), s * s + k / double(M * (M - 1)), 1e-12) << M;
  }
}

TEST(PairCorrelationsInDepth, SquaresOfConnectedOnesHaveNoOffset) {
  // For independent spins of variance v = 4 p (1 - p), (sum x)^2 / (M-1)^2 is v^2 / (M - 1) on
  // average.
  for (const double lean : {0.5, 0.8})
    for (const Index M : {3, 4, 9}) {
      const auto [mean, error] = mean_square_of_two(M, lean, 0);
      EXPECT_NEAR(mean, 0, 5 * error) << lean << ", " << M;
    }
  // For correlated spins with C = s, the cumulant of a, b, a, b with a^2 = b^2 = 1 is 1 - 1 - 2
  // s^2.
  for (const Index M : {3, 9}) {
    const double s = 0.6, k = -2 * s * s;
    const auto [mean, error] = mean_square_of_two(M, 0.5, s);
    EXPECT_NEAR(mean, s * s + k / double(M * (M - 1)), 5 * error) << M;
  }
}

TEST(PairCorrelations, OfSpiralsTurnWithTheDisplacement) {
  // For any phase of a spiral, e_r.e_r' = cos(q.d) for every pair with the displacement d.
  constexpr Index X = 8, Y = 5;
  TestSystem system("[lattice]\ntype='square'\nsize=[8,5]\n[[exchange]]\nshell=1\nJ=1\n", 6, 2);
  const double qx = 2 * M_PI * 3 / X, qy = 2 * M_PI * 2 / Y;
  HostVectors spins(system.state);
  const SpinLayout& layout = system.state.layout();
  for (Index n = 0; n < layout.sites; ++n) {
    const auto cell =
        system.geometry.decode(system.state.canonical()[static_cast<std::size_t>(n)]).cell;
    for (Index replica = 0; replica < 6; ++replica) {
      const double angle =
          qx * double(cell[0]) + qy * double(cell[1]) + 0.7 * double(replica * replica);
      spins.view.store(ScalarSlot<>{n, replica}, Vec3<double>{std::cos(angle), std::sin(angle), 0});
    }
  }
  system.state.load(spins.numbers);
  PairCorrelationsSettings settings;
  settings.displacement = displacement_bins(system.geometry, std::array<Index, 3>{4, 1, 0});
  PairCorrelations correlations(system.geometry, settings, system.state);
  correlations.copy_spins(system.state);
  const PairCorrelationsValues values = correlations.values();
  std::vector<double> mean, square;
  for (Index dx = -3; dx <= 4; ++dx)
    for (Index dy = -1; dy <= 1; ++dy) {
      mean.push_back(std::cos(qx * double(dx) + qy * double(dy)));
      square.push_back(mean.back() * mean.back());
    }
  expect_near("mean", values.displaced_mean, mean);
  expect_near("square", values.displaced_square, square);
  expect_near("pairs", values.displaced_pairs, std::vector<double>(mean.size(), double(X * Y)));
}

TEST(PairCorrelations, AreOfTheSpinsThatWereTaken) {
  TestSystem system(kagome, 5, 2);
  system.state.randomise(4);
  const PairCorrelationsSettings settings = everything(system, true);
  PairCorrelations correlations(system.geometry, settings, system.state);
  correlations.copy_spins(system.state);
  const PairCorrelationsValues before = Direct(system, settings, {}).values;
  system.state.randomise(5);
  expect_near("structure before", correlations.values().structure, before.structure);
  expect_near("groups before", correlations.values().groups, before.groups);
  expect_near("spin glass before", correlations.values().spin_glass, before.spin_glass);
  correlations.copy_spins(system.state);
  const PairCorrelationsValues after = Direct(system, settings, {}).values;
  expect_near("structure", correlations.values().structure, after.structure);
  expect_near("groups", correlations.values().groups, after.groups);
  expect_near("spin glass", correlations.values().spin_glass, after.spin_glass);
}

TEST(PairCorrelations, OfTheWholeZoneKeepTheLengthOfSpins) {
  // The sums are by FFT. The mean over the zone is C of a site with itself.
  TestSystem system("[lattice]\ntype='kagome'\nsize=[9,8]\n[[exchange]]\nshell=1\nJ=1\n", 3, 2);
  system.state.randomise(4);
  PairCorrelationsSettings settings;
  settings.q = q_grid(system.geometry);
  settings.spin_glass = false;
  ASSERT_EQ(chosen_method(system.geometry, settings.q, Method::automatic), Method::fft);
  PairCorrelations correlations(system.geometry, settings, system.state);
  correlations.copy_spins(system.state);
  const PairCorrelationsValues values = correlations.values({2, 1});
  expect_near("structure", values.structure, Direct(system, settings, {2, 1}).values.structure);
  EXPECT_TRUE(values.spin_glass.empty() && values.mean.empty() && values.groups.empty());
}

TEST(PairCorrelations, ReachTheirBounds) {
  // On a GPU, sums over pairs are integers. Their scale follows from the bound |C| <= M of vectors
  // minus their mean. Here every pair reaches the bound.
  TestSystem system("[lattice]\ntype='square'\nsize=[48,48]\n[[exchange]]\nshell=1\nJ=1\n", 4, 2);
  HostVectors spins(system.state);
  const SpinLayout& layout = system.state.layout();
  for (Index site = 0; site < layout.sites; ++site)
    for (Index replica = 0; replica < 4; ++replica)
      spins.view.store(ScalarSlot<>{site, replica},
                       Vec3<double>{0, 0, replica % 2 == 0 ? 1.0 : -1.0});
  system.state.load(spins.numbers);
  for (const bool connected : {false, true}) {
    PairCorrelationsSettings settings;
    settings.bins = 1;
    settings.width = 100;
    settings.group.assign(static_cast<std::size_t>(system.geometry.sites()), 0);
    settings.groups = 1;
    settings.connected = connected;
    PairCorrelations correlations(system.geometry, settings, system.state);
    correlations.copy_spins(system.state);
    const PairCorrelationsValues values = correlations.values();
    const double c = connected ? 4.0 / 3 : 1;
    for (const auto& [found, wanted] : {std::pair(values.mean, c),
                                        {values.groups, c},
                                        {values.mean_square, c * c},
                                        {values.groups_square, c * c}}) {
      ASSERT_EQ(found.size(), 1u);
      EXPECT_NEAR(found[0], wanted, 1e-12);
    }
  }
}

TEST(PairCorrelations, OfPartsHaveTheSameBits) {
  // These sites need several tiles of rows, one of which is not full.
  TestSystem system("[lattice]\ntype='square'\nsize=[31,29]\n[[exchange]]\nshell=1\nJ=1\n", 5, 2);
  system.state.randomise(4);
  for (const bool connected : {false, true}) {
    const PairCorrelationsSettings settings = everything(system, connected);
    PairCorrelations correlations(system.geometry, settings, system.state);
    correlations.copy_spins(system.state);
    const PairCorrelationsValues whole = correlations.values({1, 2});
    for (const int shares : {2, 3, 9}) {
      correlations.begin({});
      correlations.add({0, shares});  // discarded by begin()
      correlations.begin({1, 2});
      for (int share = 0; share < shares; ++share) correlations.add({share, shares});
      const PairCorrelationsValues values = correlations.finish();
      for (const auto number :
           {&PairCorrelationsValues::structure, &PairCorrelationsValues::spin_glass,
            &PairCorrelationsValues::mean, &PairCorrelationsValues::mean_square,
            &PairCorrelationsValues::pairs, &PairCorrelationsValues::groups,
            &PairCorrelationsValues::groups_square, &PairCorrelationsValues::displaced_mean,
            &PairCorrelationsValues::displaced_square, &PairCorrelationsValues::displaced_pairs}) {
        EXPECT_FALSE((whole.*number).empty());
        EXPECT_EQ(values.*number, whole.*number) << shares;
      }
    }
  }
}

TEST(PairCorrelations, ConnectedOnesOfTwoReplicasHaveNoSquares) {
  TestSystem system(kagome, 2, 2);
  EXPECT_THROW(PairCorrelations(system.geometry, everything(system, true), system.state),
               InputError);
  system.state.randomise(4);
  PairCorrelationsSettings settings;
  settings.q = q_explicit(system.geometry, {{0.25, 0, 0}});
  settings.spin_glass = false;
  settings.connected = true;
  PairCorrelations correlations(system.geometry, settings, system.state);
  correlations.copy_spins(system.state);
  EXPECT_EQ(correlations.values().structure.size(), 1u);
}

TEST(PairCorrelations, OfOneReplicaAreRefused) {
  const TestSystem system(kagome, 1, 2);
  for (const bool connected : {false, true})
    EXPECT_THROW(PairCorrelations(system.geometry, everything(system, connected), system.state),
                 InputError);
}

}  // namespace larmor::pair_correlations_tests
