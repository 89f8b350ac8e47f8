// Observables of moving atoms, compared with exact results for gases, crystals and oscillators.
// Rooms: atoms

#include <gtest/gtest.h>

#include <numbers>

#include "larmor/atoms/integrators/velocity_verlet.hpp"
#include "larmor/atoms/observables/mean_squared_displacement.hpp"
#include "larmor/atoms/observables/radial_distribution.hpp"
#include "larmor/atoms/observables/velocity_autocorrelation.hpp"
#include "larmor/core/error.hpp"
#include "tests/physics/molecular_dynamics_support.hpp"

namespace larmor::atoms::atom_observables_tests {
namespace {

/// Reproducible pseudo-random numbers from 0 to 1.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_;
};

AtomState two_types(std::span<const Structure> structures) {
  return AtomState(AtomUnits::material(), std::vector<double>{40, 10}, structures);
}

double shell_volume(double from, double to) {
  return 4.0 / 3 * std::numbers::pi * (to * to * to - from * from * from);
}

/// The number of neighbours of type b of an atom of type a in each bin, from g(r).
std::vector<double> neighbours(const RadialDistribution& g, std::size_t pair, double density) {
  const std::vector<double> edge = g.edges(), value = g.means().result().value;
  std::vector<double> neighbours;
  for (std::size_t n = 0; n + 1 < edge.size(); ++n)
    neighbours.push_back(value[pair * (edge.size() - 1) + n] * density *
                         shell_volume(edge[n], edge[n + 1]));
  return neighbours;
}

TEST(RadialDistributions, OfAGasAreOneBesideThatAtomsDoNotMeetThemselves) {
  // The distances exceed half of the box, and the box is oblique.
  constexpr std::size_t replicas = 40, atoms = 60, of_first = 20;
  std::vector<Structure> gases(
      replicas, {{{{{9, 0, 0}, {3, 8, 0}, {0, 1, 10}}}}, std::vector<Vec3<double>>(atoms), {}});
  Numbers number(1);
  for (Structure& gas : gases) {
    for (Vec3<double>& r : gas.positions)
      r = number() * gas.box.vectors[0] + number() * gas.box.vectors[1] +
          (3 * number()) * gas.box.vectors[2];
    gas.types.assign(atoms, 1);
    std::fill_n(gas.types.begin(), of_first, 0);
  }
  AtomState state = two_types(gases);
  RadialDistribution g(state.layout, 2, {7.5, 15, 1}, 2);
  ASSERT_EQ(g.pairs(), (std::vector<std::array<Index, 2>>{{0, 0}, {0, 1}, {1, 1}}));
  for (int frame = 0; frame < 10; ++frame) {
    for (std::size_t i = 0; i < state.position.size(); ++i) {
      const Box& box = state.box[0];
      state.position[i] =
          number() * box.vectors[0] + number() * box.vectors[1] + number() * box.vectors[2];
    }
    g.add(state);
  }
  const MeanAndError result = g.means().result();
  const double expected[] = {1 - 1.0 / of_first, 1, 1 - 1.0 / (atoms - of_first)};
  int far_off = 0;
  for (std::size_t k = 0; k < result.value.size(); ++k) {
    const double sigmas = (result.value[k] - expected[k / 15]) / result.error[k];
    if (k % 15 > 0) {
      EXPECT_LT(std::abs(sigmas), 4.5) << k;
      EXPECT_LT(result.error[k], 0.2);
    }
    far_off += std::abs(sigmas) > 2;
  }
  EXPECT_LT(far_off, 8);
}

TEST(RadialDistributions, CountTheShellsOfCrystalsInBoxesOfAnySize) {
  constexpr double a = 4;
  Structure primitive{{{{{0, a / 2, a / 2}, {a / 2, 0, a / 2}, {a / 2, a / 2, 0}}}}, {{}}, {0}};
  for (const Structure& structure : {primitive, fcc(1, a), fcc(3, a)}) {
    const std::vector<Structure> structures{structure};
    AtomState state = argon(structures);
    RadialDistribution g(state.layout, 1, {6.5, 65, 2}, 1);
    g.add(state);
    EXPECT_EQ(g.means().blocks(), 0);
    g.add(state);
    const std::vector<double> shell = neighbours(g, 0, 4 / (a * a * a));
    // In units of the edge, the distances are sqrt(1/2), 1, sqrt(3/2), sqrt(2) and sqrt(5/2). The
    // next, sqrt(3), is at 6.93.
    const std::pair<double, double> expected[] = {
        {2.828, 12}, {4, 6}, {4.899, 24}, {5.657, 12}, {6.325, 24}};
    double sum = 0;
    for (const double n : shell) sum += n;
    EXPECT_NEAR(sum, 78, 1e-9);
    for (const auto& [r, count] : expected)
      EXPECT_NEAR(shell[static_cast<std::size_t>(r * 10)], count, 1e-9);
  }
}

TEST(RadialDistributions, TellTypesApart) {
  // Caesium chloride has eight unlike neighbours at sqrt(3)/2 edges, and six like neighbours at one
  // edge.
  constexpr double a = 4;
  const std::vector<Structure> structures{
      {{{{{a, 0, 0}, {0, a, 0}, {0, 0, a}}}}, {{0, 0, 0}, {2, 2, 2}}, {0, 1}}};
  AtomState state = two_types(structures);
  RadialDistribution g(state.layout, 2, {4.1, 41, 1}, 1);
  g.add(state);
  const double density = 1 / (a * a * a);
  for (const std::size_t like : {0u, 2u}) {
    const std::vector<double> shell = neighbours(g, like, density);
    EXPECT_NEAR(shell[40], 6, 1e-9);
    EXPECT_EQ(shell[34], 0);
  }
  EXPECT_NEAR(neighbours(g, 1, density)[34], 8, 1e-9);
}

TEST(RadialDistributions, RefuseAnOpenBoxAndNoDistance) {
  Structure open = fcc(1, 4);
  open.box.periodic[2] = false;
  const std::vector<Structure> structures{open};
  AtomState state = argon(structures);
  RadialDistribution g(state.layout, 1, {3, 5, 1}, 1);
  EXPECT_THROW(g.add(state), InputError);
  EXPECT_THROW(RadialDistribution(state.layout, 1, {0, 5, 1}, 1), InputError);
}

/// Atoms of two types in free flight, with observables for each type and for all atoms.
struct Gas {
  Gas() : state(two_types(structures())) {
    Numbers number(5);
    for (Vec3<double>& v : state.velocity) v = {number(), number() - 0.5, number() - 0.3};
  }
  static std::vector<Structure> structures() {
    std::vector<Structure> structures{liquid(40, 0.3), liquid(25, 0.3)};
    for (Structure& structure : structures)
      for (std::size_t i = 0; i < structure.types.size(); i += 3) structure.types[i] = 1;
    return structures;
  }
  void fly(double time) {
    for (std::size_t i = 0; i < state.position.size(); ++i)
      state.position[i] += time * state.velocity[i];
  }
  /// The mean square velocity of the atoms of one type, optionally relative to the centre of mass.
  double mean_square(Index replica, std::int32_t type, CentreOfMass centre) const {
    Vec3<double> mean{};
    double mass = 0, sum = 0, count = 0;
    for (Index i = state.layout.first(replica); i < state.layout.first(replica + 1); ++i) {
      mean += state.mass(i) * state.velocity[static_cast<std::size_t>(i)];
      mass += state.mass(i);
    }
    mean = (centre == CentreOfMass::removed ? 1 / mass : 0) * mean;
    for (Index i = state.layout.first(replica); i < state.layout.first(replica + 1); ++i) {
      if (state.type[static_cast<std::size_t>(i)] != type) continue;
      const Vec3<double> v = state.velocity[static_cast<std::size_t>(i)] - mean;
      sum += dot(v, v), count += 1;
    }
    return sum / count;
  }

  AtomState state;
};

TEST(AtomsInTime, FreeAtomsAreDisplacedBySpeedTimesTime) {
  constexpr double interval = 0.3;
  for (const CentreOfMass centre : {CentreOfMass::kept, CentreOfMass::removed}) {
    Gas gas;
    MeanSquaredDisplacement msd(gas.state.layout, 2, {5, 12, 2}, centre, 3);
    VelocityAutocorrelation velocities(gas.state.layout, 2, {5, 12, 2}, VelocityWeight::none,
                                       centre, 3);
    for (int frame = 0; frame < 30; ++frame) {
      msd.add(gas.state);
      velocities.add(gas.state);
      gas.fly(interval);
    }
    ASSERT_EQ(msd.means().blocks(), 2);
    for (Index block = 0; block < 2; ++block)
      for (Index replica = 0; replica < 2; ++replica)
        for (std::int32_t type = 0; type < 2; ++type)
          for (Index lag = 0; lag < 5; ++lag) {
            const double square = gas.mean_square(replica, type, centre);
            const double time = interval * static_cast<double>(lag);
            EXPECT_NEAR(msd.means().value(block, replica, type * 5 + lag), square * time * time,
                        1e-11);
            EXPECT_NEAR(velocities.means().value(block, replica, type * 5 + lag), square, 1e-12);
          }
  }
}

TEST(AtomsInTime, OriginsAreFramesOfOneBlock) {
  // One atom jumps by 1 before frame 3 and by 10 before frame 4, which begins a block.
  const std::vector<Structure> structures{
      {{{{{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}}}, {{0, 0, 0}}, {0}}};
  AtomState state = argon(structures);
  MeanSquaredDisplacement msd(state.layout, 1, {3, 4, 1}, CentreOfMass::kept, 1);
  for (const double x : {0.0, 0.0, 0.0, 1.0, 11.0, 11.0, 11.0, 11.0}) {
    state.position[0].x = x;
    msd.add(state);
  }
  const std::vector<double> expected{0, 1.0 / 3, 1.0 / 2, 0, 0, 0};
  EXPECT_EQ(msd.means().values(0), expected);
}

TEST(AtomsInTime, GoOnAfterLoadingWithTheSameBits) {
  Gas gas, other;
  const LagSettings lags{4, 7, 1};
  const CentreOfMass kept = CentreOfMass::kept;
  MeanSquaredDisplacement msd(gas.state.layout, 2, lags, kept, 1),
      msd2(gas.state.layout, 2, lags, kept, 3);
  VelocityAutocorrelation v(gas.state.layout, 2, lags, VelocityWeight::mass, kept, 1),
      v2(gas.state.layout, 2, lags, VelocityWeight::mass, kept, 3);
  RadialDistribution g(gas.state.layout, 2, {5, 20, 3}, 1), g2(gas.state.layout, 2, {5, 20, 3}, 3);
  for (int frame = 0; frame < 25; ++frame) {
    if (frame == 10) {
      msd2.load(msd.save());
      v2.load(v.save());
      g2.load(g.save());
    }
    msd.add(gas.state), v.add(gas.state), g.add(gas.state);
    if (frame >= 10) msd2.add(gas.state), v2.add(gas.state), g2.add(gas.state);
    gas.fly(0.1);
    for (Vec3<double>& velocity : gas.state.velocity) velocity = 1.01 * velocity;
  }
  EXPECT_EQ(msd.save(), msd2.save());
  EXPECT_EQ(v.save(), v2.save());
  EXPECT_EQ(g.save(), g2.save());
  EXPECT_EQ(msd.means().blocks(), 3);
}

TEST(AtomsInTime, RefuseMoreLagsThanABlockHasFrames) {
  Gas gas;
  EXPECT_THROW(MeanSquaredDisplacement(gas.state.layout, 2, {8, 7, 1}, CentreOfMass::kept, 1),
               InputError);
  EXPECT_THROW(MeanSquaredDisplacement(gas.state.layout, 2, {0, 7, 1}, CentreOfMass::kept, 1),
               InputError);
}

TEST(PhononDensities, IntegrateToTheNumberOfModesWhateverTheWindow) {
  const std::vector<double> correlation{3, 1, -2, 0.3, 1, 0.2, 0.4, 0.1}, weight{1, 0.8, 0.5, 0.1};
  const double interval = 0.02;
  const std::vector<double> w = phonon_frequencies(4, interval),
                            g = phonon_density(correlation, weight, interval, 93);
  ASSERT_EQ(g.size(), 10u);
  double integral = 0;
  for (std::size_t type = 0; type < 2; ++type)
    for (std::size_t k = 0; k < 4; ++k)
      integral += (w[k + 1] - w[k]) * (g[5 * type + k] + g[5 * type + k + 1]) / 2;
  EXPECT_NEAR(integral, 93, 1e-10);
}

/// Two kinds of oscillators, whose phases are a quarter of a period apart. The correlation is a
/// cosine.
TEST(PhononDensities, OfEinsteinOscillatorsAreLinesWithTheSharesOfTheirEnergy) {
  Structure cell = liquid(20, 0.3);
  for (std::size_t i = 10; i < 20; ++i) cell.types[i] = 1;
  const std::vector<Structure> structures{cell};
  AtomState state = two_types(structures);
  const double interval = 0.01, w[] = {60, 180}, speed[] = {1, 2};
  const Index lags = 200;
  VelocityAutocorrelation v(state.layout, 2, {lags, 450, 1}, VelocityWeight::mass,
                            CentreOfMass::kept, 1);
  for (int frame = 0; frame < 450; ++frame) {
    for (std::size_t i = 0; i < 20; ++i) {
      const auto type = static_cast<std::size_t>(state.type[i]);
      const double phase = w[type] * interval * frame + (i % 2 ? std::numbers::pi / 2 : 0);
      state.velocity[i] = {speed[type] * std::cos(phase), 0, 0};
    }
    v.add(state);
  }
  // The share of each type in the sum of m v^2, with masses 40 and 10.
  const double share[] = {40.0 * 1 / (40 + 40), 10.0 * 4 / (40 + 40)};
  for (Index lag = 0; lag < lags; ++lag)
    for (std::size_t type = 0; type < 2; ++type) {
      const double expected = state.mass_of_type[type] * 5 * speed[type] * speed[type] *
                              std::cos(w[type] * interval * static_cast<double>(lag));
      EXPECT_NEAR(v.means().value(0, 0, static_cast<Index>(type) * lags + lag), expected, 1e-13);
    }
  std::vector<double> hann;
  for (Index l = 0; l < lags; ++l)
    hann.push_back(0.5 + 0.5 * std::cos(std::numbers::pi * static_cast<double>(l) / lags));
  const BlockedMeans g = phonon_densities(v.means(), hann, interval, std::vector<double>{57});
  const std::vector<double> frequency = phonon_frequencies(lags, interval);
  for (std::size_t type = 0; type < 2; ++type) {
    double near = 0, all = 0;
    for (Index k = 0; k <= lags; ++k) {
      const double value = g.value(0, 0, static_cast<Index>(type) * (lags + 1) + k) * frequency[1];
      all += (k == 0 || k == lags ? 0.5 : 1.0) * value;
      if (std::abs(frequency[static_cast<std::size_t>(k)] - w[type]) < 4 * frequency[1])
        near += value;
    }
    EXPECT_NEAR(all, 57 * share[type], 1e-9);
    EXPECT_NEAR(near, 57 * share[type], 0.02 * 57);
  }
}

/// Chains of two masses with isotropic springs between neighbours: E = k/2 sum |u_i+1 - u_i|^2.
class SpringChain : public ForceField {
 public:
  SpringChain(const AtomState& state, double k) : sites_(state.position.to_host()), k_(k) {}

  void evaluate(AtomState& state) override {
    for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
      const Index first = state.layout.first(replica), atoms = state.layout.atoms_of(replica);
      double energy = 0;
      for (Index i = 0; i < atoms; ++i) state.force[static_cast<std::size_t>(first + i)] = {};
      for (Index i = 0; i < atoms; ++i) {
        const auto a = static_cast<std::size_t>(first + i),
                   b = static_cast<std::size_t>(first + (i + 1) % atoms);
        const Vec3<double> apart =
            (state.position[b] - sites_[b]) - (state.position[a] - sites_[a]);
        state.force[a] += k_ * apart;
        state.force[b] += -k_ * apart;
        energy += 0.5 * k_ * dot(apart, apart);
      }
      state.energy[static_cast<std::size_t>(replica)] = energy;
    }
  }

 private:
  std::vector<Vec3<double>> sites_;
  double k_;
};

TEST(PhononDensities, OfAChainOfTwoMassesAreItsPhononsInHarmonicDynamics) {
  constexpr std::size_t replicas = 60, atoms = 8;
  constexpr double k = 2;
  Structure chain{{{{{16, 0, 0}, {0, 9, 0}, {0, 0, 9}}}}, {}, {}};
  for (std::size_t i = 0; i < atoms; ++i) {
    chain.positions.push_back({2.0 * static_cast<double>(i), 0, 0});
    chain.types.push_back(static_cast<std::int32_t>(i % 2));
  }
  const std::vector<Structure> structures(replicas, chain);
  AtomState state = two_types(structures);
  SpringChain field(state, k);
  state.set_seed(7);
  set_velocities(state, std::vector<double>(replicas, 300), false, 1);

  // The angular frequencies of the phonons and their multiplicities, except for the three zero
  // modes.
  const double m = state.mass_of_type[0], M = state.mass_of_type[1];
  std::vector<std::pair<double, double>> phonons;
  for (const auto& [qa, count] :
       {std::pair(0.0, 3.0), {std::numbers::pi / 2, 6.0}, {std::numbers::pi, 3.0}}) {
    const double mean = k * (1 / m + 1 / M), s = std::sin(qa / 2);
    const double split = std::sqrt(mean * mean - 4 * k * k * s * s / (m * M));
    if (qa > 0) phonons.emplace_back(std::sqrt(mean - split), count);
    phonons.emplace_back(std::sqrt(mean + split), count);
  }
  std::sort(phonons.begin(), phonons.end());
  const double fastest = phonons.back().first, interval = 0.8 / fastest;
  const Index lags = 600;
  VelocityVerlet verlet(interval / 8, 1);
  VelocityAutocorrelation v(state.layout, 2, {lags, 1300, 1}, VelocityWeight::mass,
                            CentreOfMass::removed, 1);
  verlet.start(state, field);
  for (int frame = 0; frame < 1300; ++frame) {
    v.add(state);
    verlet.run(state, field, 8);
  }
  std::vector<double> hann;
  for (Index l = 0; l < lags; ++l)
    hann.push_back(0.5 + 0.5 * std::cos(std::numbers::pi * static_cast<double>(l) / lags));
  const BlockedMeans g =
      phonon_densities(v.means(), hann, interval, std::vector<double>(replicas, 3.0 * atoms - 3));
  const std::vector<double> w = phonon_frequencies(lags, interval);
  for (std::size_t n = 0; n < phonons.size(); ++n) {
    // The integral over frequencies extends half the way to the neighbouring phonons.
    const double low = n == 0 ? 0 : (phonons[n - 1].first + phonons[n].first) / 2;
    const double high =
        n + 1 == phonons.size() ? w.back() : (phonons[n + 1].first + phonons[n].first) / 2;
    Samples weight(replicas), place(replicas);
    for (std::size_t r = 0; r < replicas; ++r) {
      double sum = 0, moment = 0;
      for (Index f = 0; f <= lags; ++f) {
        const double frequency = w[static_cast<std::size_t>(f)];
        if (frequency < low || frequency >= high) continue;
        const double both = w[1] * (g.value(0, static_cast<Index>(r), f) +
                                    g.value(0, static_cast<Index>(r), lags + 1 + f));
        sum += both, moment += both * frequency;
      }
      weight[r].push_back(sum), place[r].push_back(moment / sum);
    }
    expect_within(mean_of(weight), phonons[n].second, 4, "number of phonons");
    EXPECT_LT(mean_of(weight).error, 0.12 * phonons[n].second + 0.1);
    EXPECT_NEAR(mean_of(place).value, phonons[n].first, 0.01 * fastest);
  }
}

}  // namespace
}  // namespace larmor::atoms::atom_observables_tests
