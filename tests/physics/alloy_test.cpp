// Random alloys and vacancies: numbers and choice of replaced sites, couplings between species, and
// vacancies that no sampler or integrator changes.
// Rooms: lattice, spins, study

#include "larmor/study/models/spins/system/alloy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/correlations/spectra/structure_factor.hpp"
#include "larmor/lattice/bonds.hpp"
#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::alloy_tests {

using namespace larmor::spins;
using testing_support::by_name;
using testing_support::NamedSampler;
using testing_support::sampler_settings;
using testing_support::sigmas_of_alpha;
using testing_support::TestSystem;

double langevin(double x) { return 1 / std::tanh(x) - 1 / x; }

lattice::Geometry geometry_of(const std::string& text) {
  return study::build_geometry(study::parse_system(text, "test"));
}

Index count_of(const lattice::Geometry& geometry, const std::string& species) {
  Index count = 0;
  for (Index site = 0; site < geometry.sites(); ++site)
    if (geometry.species(site) == species) ++count;
  return count;
}

std::string alloy(const std::string& by, double fraction, const std::string& rest = "") {
  return "[[alloy]]\nby='" + by + "'\nfraction=" + std::to_string(fraction) + "\n" +
         (by == "vacancy" ? "" : "moment=2.5\n") + rest;
}

TEST(Occupancy, TheNumberReplacedIsExact) {
  for (const double fraction : {0.0, 0.1, 0.37, 0.5, 0.99}) {
    const auto geometry =
        geometry_of("[lattice]\ntype='sc'\nsize=[7,6,5]\n" + alloy("vacancy", fraction));
    EXPECT_EQ(count_of(geometry, "vacancy"), std::lround(210 * fraction)) << fraction;
    EXPECT_EQ(geometry.spins(), 210 - std::lround(210 * fraction));
  }
}

TEST(Occupancy, FractionsAreOfTheCrystalsSitesAndTablesActOnWhatIsLeft) {
  const auto geometry =
      geometry_of("[lattice]\ntype='honeycomb'\nsize=[10,10]\nspecies=['Fe','Co']\nmoment=[2,1]\n" +
                  alloy("Ni", 0.3, "species='Fe'\n") + alloy("Mn", 0.7, "species='Fe'\n") +
                  alloy("vacancy", 0.25, "species='Co'\n"));
  EXPECT_EQ(count_of(geometry, "Fe"), 0);
  EXPECT_EQ(count_of(geometry, "Ni"), 30);
  EXPECT_EQ(count_of(geometry, "Mn"), 70);
  EXPECT_EQ(count_of(geometry, "Co"), 75);
  for (Index site = 0; site < geometry.sites(); ++site) {
    const bool first = geometry.basis_index(site) == 0;
    EXPECT_EQ(geometry.species(site) == "Ni" || geometry.species(site) == "Mn", first);
    EXPECT_EQ(geometry.moment(site), first ? 2.5 : geometry.occupied(site) ? 1.0 : 0.0);
  }
}

TEST(Occupancy, EverySiteIsAsLikelyAndNeighboursAreIndependent) {
  constexpr int seeds = 400, sites = 20, vacancies = 6;
  std::vector<double> pairs;
  std::vector<int> hits(sites);
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto geometry = geometry_of("[lattice]\ntype='chain'\nsize=[20]\n" +
                                      alloy("vacancy", 0.3, "seed=" + std::to_string(seed) + "\n"));
    int neighbours = 0;
    for (Index site = 0; site < sites; ++site) {
      const bool empty = !geometry.occupied(site);
      hits[static_cast<std::size_t>(site)] += empty;
      neighbours += empty && !geometry.occupied((site + 1) % sites);
    }
    pairs.push_back(neighbours);
  }
  double chi2 = 0;
  for (const int n : hits) chi2 += std::pow(n - 0.3 * seeds, 2) / (seeds * 0.3 * 0.7);
  // The total number of hits is constant. Therefore 19 independent sites remain, and the factor
  // 19/20 corrects their variance.
  EXPECT_LT(chi2 * 19 / 20, 51.0);
  const Estimate together = estimate(pairs);
  const double exact = sites * vacancies * (vacancies - 1.0) / (sites * (sites - 1.0));
  EXPECT_LT(std::abs(together.value - exact), sigmas_of_alpha * together.error);
}

TEST(Occupancy, DependsOnTheSeedOfTheTableAlone) {
  const std::string chain = "[lattice]\ntype='chain'\nsize=[64]\n";
  const auto one = geometry_of(chain + alloy("vacancy", 0.3));
  EXPECT_EQ(one.substitution, geometry_of("replicas=5\n" + chain + alloy("B", 0.3)).substitution);
  EXPECT_NE(one.substitution, geometry_of(chain + alloy("vacancy", 0.3, "seed=2\n")).substitution);
}

/// A ring of six sites, with species B on the sites 0, 1 and 3.
const std::string ring =
    "[lattice]\ntype='chain'\nsize=[6]\n[[alloy]]\nby='B'\nsites=[0,1,3]\nmoment=2.5\n";

double total_energy(TestSystem& system) {
  return energy_per_site(system.model, system.state)[0] * static_cast<double>(system.model.spins());
}

TEST(Alloy, CouplingsBetweenSpeciesCountedByHand) {
  const auto energy = [](int shell, const std::string& between) {
    TestSystem system(ring + "[[exchange]]\nJ=1\nshell=" + std::to_string(shell) +
                      "\nbetween=" + between + "\n");
    EXPECT_NEAR(total_energy(system), 6 * system.model.ferromagnetic_bond_energy(), 1e-13);
    return total_energy(system);
  };
  // The ring is B B A B A A. Its bonds are BB, BA, AB, BA, AA, AB, and its second neighbours are
  // BA, BB, AA, BA, AB, AB.
  EXPECT_NEAR(energy(1, "['A','A']"), -1, 1e-14);
  EXPECT_NEAR(energy(1, "['B','B']"), -1, 1e-14);
  EXPECT_NEAR(energy(1, "['B','A']"), -4, 1e-14);
  EXPECT_NEAR(energy(2, "['A','A']"), -1, 1e-14);
  EXPECT_NEAR(energy(2, "['B','B']"), -1, 1e-14);
  EXPECT_NEAR(energy(2, "['A','B']"), -4, 1e-14);
}

TEST(Alloy, ASpeciesThatHappensToBeAbsentIsNoMistake) {
  const std::string chain = "[lattice]\ntype='chain'\nsize=[6]\n";
  const std::string couplings =
      "[[exchange]]\nshell=1\nJ=1\nbetween=['B','B']\n[[anisotropy]]\nK=1\nspecies='B'\n";
  TestSystem none(chain + alloy("B", 0) + couplings);
  EXPECT_EQ(total_energy(none), 0);
  TestSystem all(chain + alloy("B", 1) + couplings);
  EXPECT_NEAR(total_energy(all), -12, 1e-13);
  EXPECT_THROW(TestSystem(chain + couplings), InputError);
}

TEST(Alloy, SubstitutesHaveTheirOwnMomentsAnisotropiesAndFields) {
  const auto energy = [](const std::string& term) {
    TestSystem system(ring + term);
    return total_energy(system);
  };
  EXPECT_NEAR(energy("[field]\nB=[0,0,0.4]\n"), -0.4 * (3 + 3 * 2.5), 1e-13);
  EXPECT_NEAR(energy("[[local-field]]\nB=[0,0,0.4]\nspecies='B'\n"), -0.4 * 3 * 2.5, 1e-13);
  EXPECT_NEAR(energy("[[anisotropy]]\nK=0.7\nspecies='B'\n"), -2.1, 1e-13);
  EXPECT_NEAR(energy("[[cubic-anisotropy]]\nK4=0.7\nspecies='A'\n"), -2.1, 1e-13);
  TestSystem system(ring);
  EXPECT_NEAR(magnetisation_per_site(system.model, system.state)[0].z, (3 + 3 * 2.5) / 6, 1e-14);
}

TEST(Alloy, ShellsOfASublatticeDoNotChangeWithWhatIsReplaced) {
  // The first distance between two Fe atoms is the second distance of the lattice, with or without
  // vacancies among the Co atoms.
  const std::string lattice = "[lattice]\ntype='honeycomb'\nsize=[6,6]\nspecies=['Fe','Co']\n",
                    exchange = "[[exchange]]\nshell=1\nJ=1\nbetween=['Fe','Fe']\n";
  TestSystem perfect(lattice + exchange);
  TestSystem diluted(lattice + alloy("vacancy", 0.5, "species='Co'\n") + exchange);
  EXPECT_NEAR(total_energy(perfect), -36 * 3, 1e-12);
  EXPECT_NEAR(total_energy(diluted), -36 * 3, 1e-12);
}

TEST(Alloy, DampingBelongsToTheSubstituteWhereItsTableSaysSo) {
  const auto tables = study::parse_system(
      "[lattice]\ntype='honeycomb'\nsize=[1,2]\nspecies=['Fe','Co']\n"
      "[[alloy]]\nby='Ni'\nsites=[0]\nmoment=1\ndamping=0.5\n"
      "[[alloy]]\nby='Mn'\nsites=[3]\nmoment=1\n",
      "test");
  const auto geometry = study::build_geometry(tables);
  EXPECT_EQ(study::site_damping({0.1, 0.2}, tables.alloy, geometry),
            (std::vector<double>{0.5, 0.2, 0.1, 0.2}));
  EXPECT_EQ(study::site_damping({0.1}, tables.alloy, geometry),
            (std::vector<double>{0.5, 0.1, 0.1, 0.1}));
}

/// Bonds of the nearest shell between two spins.
Index bonds_between_spins(const lattice::Geometry& geometry) {
  Index bonds = 0;
  for (const auto& bond : lattice::stencil_by_shell(geometry, 1, {}))
    for (Index site = bond.from; site < geometry.sites();
         site += static_cast<Index>(geometry.crystal.basis.size()))
      if (const Index other = lattice::neighbour(geometry, site, bond); other >= 0)
        bonds += lattice::joins(geometry, site, other, {});
  return bonds;
}

TEST(Vacancies, FerromagneticEnergyIsThatOfTheBondsBetweenSpins) {
  for (const std::string type : {"square", "triangular", "kagome"}) {
    const std::string lattice = "[lattice]\ntype='" + type +
                                "'\nsize=[8,9]\nperiodic=[true,false]\n" + alloy("vacancy", 0.35);
    for (const std::string way : {"", "disorder=1e-300\n", "between=['A','A']\n"}) {
      TestSystem system(lattice + "[[exchange]]\nshell=1\nJ=1.5\n" + way);
      const auto bonds = static_cast<double>(bonds_between_spins(system.geometry));
      const auto spins = static_cast<double>(system.geometry.spins());
      ASSERT_LT(spins, static_cast<double>(system.geometry.sites()));
      EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -1.5 * bonds / spins, 1e-12);
      EXPECT_NEAR(system.model.ferromagnetic_bond_energy(), -1.5 * bonds / spins, 1e-12);
      EXPECT_NEAR(magnetisation_per_site(system.model, system.state)[0].z, 1, 1e-13);
    }
  }
}

TEST(Vacancies, DoNotSpoilColours) {
  TestSystem system("[lattice]\ntype='square'\nsize=[9,9]\nperiodic=false\n" +
                    alloy("vacancy", 0.4) + "[[exchange]]\nshell=1\nJ=1\n");
  ASSERT_EQ(system.model.colours().size(), 2u);
  EXPECT_EQ(system.model.colours().back().back().last, system.model.spins());
  for (Index p = 0; p < system.model.sites(); ++p)
    EXPECT_EQ(system.geometry.occupied(system.model.canonical()[static_cast<std::size_t>(p)]),
              p < system.model.spins());
}

TEST(Vacancies, LowerTheMeanFieldTemperatureByTheirConcentration) {
  TestSystem system("[lattice]\ntype='sc'\nsize=[4,4,4]\n" + alloy("vacancy", 0.25) +
                    "[[exchange]]\nshell=1\nJ=2\n");
  EXPECT_NEAR(system.model.mean_field_temperature(), 0.75 * 6 * 2.0 / 3, 1e-12);
}

/// Tests that vacancies are exactly zero and that spins have the length 1.
void expect_spins_and_vacancies(const TestSystem& system) {
  for (Index r = 0; r < system.replicas(); ++r) {
    const auto e = system.state.configuration(r);
    for (Index site = 0; site < system.geometry.sites(); ++site) {
      const Vec3<double>& s = e[static_cast<std::size_t>(site)];
      if (system.geometry.occupied(site)) {
        ASSERT_NEAR(length(s), 1, 1e-11) << "site " << site << " replica " << r;
      } else {
        ASSERT_EQ(s, (Vec3<double>{0, 0, 0})) << "site " << site << " replica " << r;
      }
    }
  }
}

const std::string everything_with_vacancies =
    "[lattice]\ntype='square'\nsize=[7,5]\n" + alloy("vacancy", 0.3) + alloy("B", 0.2) +
    "[[exchange]]\nshell=1\nJ=1\n[[exchange]]\nshell=2\nJ=0.3\nbetween=['A','B']\n"
    "[[dmi]]\nshell=1\nstrength=0.4\n[[biquadratic]]\nshell=1\nb=0.2\n"
    "[[anisotropy]]\nK=0.3\nK4=0.2\n[field]\nB=[0.1,0.2,0.3]\n[[random-field]]\nwidth=0.3\n";

using NamedScheme = testing_support::Named<Scheme>;

class DilutedDynamics : public testing::TestWithParam<NamedScheme> {};

TEST_P(DilutedDynamics, LeavesVacanciesZeroAndSpinsOfUnitLength) {
  for (const Index replicas : {Index{1}, Index{9}}) {
    TestSystem system(everything_with_vacancies, replicas, 2);
    system.state.randomise(3);
    expect_spins_and_vacancies(system);
    const Scheme scheme = GetParam().value;
    Integrator integrator =
        system.integrator(scheme, 0.02, 0.1, scheme == Scheme::rk4 ? 0 : 0.5, 9);
    integrator.set_torque(SpinTransferTorque{{0.3, 0, 0}, 0.1}, system.geometry);
    integrator.run(system.state, 100);
    expect_spins_and_vacancies(system);
  }
}

TEST_P(DilutedDynamics, SegmentsOfAChainMoveAsOpenChains) {
  const std::string exchange = "[[exchange]]\nshell=1\nJ=1\n[[anisotropy]]\nK=0.2\n";
  TestSystem cut("[lattice]\ntype='chain'\nsize=[8]\n[[alloy]]\nby='vacancy'\nsites=[3,7]\n" +
                 exchange);
  TestSystem open("[lattice]\ntype='chain'\nsize=[3]\nperiodic=false\n" + exchange);
  cut.state.randomise(5);
  const auto start = cut.state.configuration(0);
  open.state.set_all(std::vector<Vec3<double>>{start[4], start[5], start[6]});
  cut.integrator(GetParam().value, 0.02, 0.1).run(cut.state, 300);
  open.integrator(GetParam().value, 0.02, 0.1).run(open.state, 300);
  const auto e = cut.state.configuration(0), f = open.state.configuration(0);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(length(e[4 + i] - f[i]), 1e-10);
}

/// The energy of a chain with vacancies is - (bonds between spins) J L(J/T) / spins.
const std::string diluted_chain = "[lattice]\ntype='chain'\nsize=[60]\n" + alloy("vacancy", 0.25) +
                                  "[[exchange]]\nshell=1\nJ=1\n";

double exact_chain_energy(const TestSystem& system, double temperature) {
  return -static_cast<double>(bonds_between_spins(system.geometry)) /
         static_cast<double>(system.geometry.spins()) * langevin(1 / temperature);
}

class DilutedHeatBath : public testing::TestWithParam<NamedScheme> {};

TEST_P(DilutedHeatBath, GivesTheExactEnergyOfTheSegments) {
  TestSystem system(diluted_chain, 32, 2);
  system.state.randomise(1);
  constexpr double temperature = 0.5;
  Integrator integrator = system.integrator(GetParam().value, 0.02, 0.5, temperature, 21);
  integrator.run(system.state, 1500);
  std::vector<double> series;
  for (int n = 0; n < 400; ++n) {
    integrator.run(system.state, 50);
    const auto e = energy_per_site(system.model, system.state);
    series.insert(series.end(), e.begin(), e.end());
  }
  const Estimate energy = estimate_replicas(series, 32);
  // The time step causes a bias of less than 0.002.
  EXPECT_NEAR(energy.value, exact_chain_energy(system, temperature),
              sigmas_of_alpha * energy.error + 0.002);
  EXPECT_LT(energy.error, 0.001);
}

const auto schemes_with_a_heat_bath = testing::Values(
    NamedScheme{"depondt", Scheme::depondt}, NamedScheme{"heun", Scheme::heun},
    NamedScheme{"semi_implicit", Scheme::semi_implicit}, NamedScheme{"midpoint", Scheme::midpoint});

INSTANTIATE_TEST_SUITE_P(RungeKutta, DilutedDynamics,
                         testing::Values(NamedScheme{"rk4", Scheme::rk4}), by_name);
INSTANTIATE_TEST_SUITE_P(Integrators, DilutedDynamics, schemes_with_a_heat_bath, by_name);
INSTANTIATE_TEST_SUITE_P(Integrators, DilutedHeatBath,
                         testing::Values(NamedScheme{"depondt", Scheme::depondt}), by_name);
INSTANTIATE_TEST_SUITE_P(Depth, DilutedHeatBath,
                         testing::Values(NamedScheme{"heun", Scheme::heun},
                                         NamedScheme{"semi_implicit", Scheme::semi_implicit},
                                         NamedScheme{"midpoint", Scheme::midpoint}),
                         by_name);

class AlloySampling : public testing::TestWithParam<NamedSampler> {
 protected:
  Estimate energy(TestSystem& system, double temperature, int samples) {
    Sampler sampler = system.sampler(GetParam().settings, temperature, 77);
    system.state.randomise(3);
    for (int round = 0; round < 30; ++round) sampler.tune(system.state, 10);
    std::vector<double> series;
    for (int n = 0; n < samples; ++n) {
      sampler.run(system.state, 2);
      const auto e = energy_per_site(system.model, system.state);
      series.insert(series.end(), e.begin(), e.end());
    }
    return estimate_replicas(series, system.replicas());
  }
};

TEST_P(AlloySampling, SegmentsOfADilutedChainHaveTheirExactEnergy) {
  for (const auto& [replicas, samples] : {std::pair<Index, int>{1, 8000}, {24, 1000}}) {
    TestSystem system(diluted_chain, replicas);
    const Estimate e = energy(system, 0.7, samples);
    EXPECT_LT(std::abs(e.value - exact_chain_energy(system, 0.7)), sigmas_of_alpha * e.error)
        << e.value << " +- " << e.error;
    EXPECT_LT(e.error, 0.003);
    expect_spins_and_vacancies(system);
  }
}

TEST_P(AlloySampling, LeavesVacanciesZeroAndSpinsOfUnitLength) {
  for (const Index replicas : {Index{1}, Index{9}}) {
    TestSystem system(everything_with_vacancies, replicas, 2);
    energy(system, 0.5, 20);
    expect_spins_and_vacancies(system);
  }
}

TEST_P(AlloySampling, TwoSpinsOfUnequalMomentsInAField) {
  // If e_A has the cosine c to the field, the field on e_B has the length |J e_A + mu_B B|.
  constexpr double J = 0.9, B = 0.8, other = 2.5, beta = 1 / 0.7;
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[4]\nperiodic=false\n"
      "[[alloy]]\nby='B'\nsites=[1]\nmoment=2.5\n[[alloy]]\nby='vacancy'\nsites=[2,3]\n"
      "[[exchange]]\nshell=1\nJ=0.9\n[field]\nB=[0,0,0.8]\n",
      32);
  const auto h = [](double c) {
    return std::sqrt(J * J + other * other * B * B + 2 * J * other * B * c);
  };
  double weights = 0, sum = 0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double c = -1 + (2 * i + 1.0) / n;
    const double w = std::exp(beta * B * c) * std::sinh(beta * h(c)) / h(c);
    weights += w;
    sum -= w * (B * c + h(c) * langevin(beta * h(c)));
  }
  const Estimate e = energy(system, 0.7, 1500);
  EXPECT_LT(std::abs(e.value - sum / weights / 2), sigmas_of_alpha * e.error)
      << e.value << " +- " << e.error << " against " << sum / weights / 2;
  EXPECT_LT(e.error, 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Samplers, AlloySampling,
    testing::Values(NamedSampler{"metropolis_uniform",
                                 sampler_settings(Update::metropolis, false, 0)},
                    NamedSampler{"metropolis_cone", sampler_settings(Update::metropolis, true, 0)},
                    NamedSampler{"heat_bath", sampler_settings(Update::heat_bath, true, 0)},
                    NamedSampler{"over_relaxation", sampler_settings(Update::heat_bath, true, 2)}),
    by_name);

TEST(Alloy, DipolesByFftAreThoseOfEveryPairOfMoments) {
  const std::string lattice = "[lattice]\ntype='honeycomb'\nsize=[4,3]\nperiodic=[true,false]\n" +
                              alloy("vacancy", 0.3) + alloy("B", 0.3) +
                              "[dipolar]\nstrength=0.7\nmethod=";
  TestSystem fft(lattice + "'fft'\n", 9), pairs(lattice + "'bonds'\n", 9);
  for (TestSystem* system : {&fft, &pairs}) system->state.randomise(4);
  const auto e = energy_per_site(fft.model, fft.state),
             f = energy_per_site(pairs.model, pairs.state);
  for (std::size_t r = 0; r < e.size(); ++r) {
    EXPECT_GT(std::abs(f[r]), 1e-3);
    EXPECT_NEAR(e[r], f[r], 1e-12);
  }
  fft.integrator(Scheme::rk4, 0.02, 0.1).run(fft.state, 50);
  pairs.integrator(Scheme::rk4, 0.02, 0.1).run(pairs.state, 50);
  expect_spins_and_vacancies(fft);
  const auto s = fft.state.configuration(8), t = pairs.state.configuration(8);
  for (std::size_t i = 0; i < s.size(); ++i) EXPECT_LT(length(s[i] - t[i]), 1e-11);
}

TEST(Vacancies, StructureFactorIsASpinAndTheSameByFftAndBySums) {
  using namespace correlations;
  for (const Index replicas : {Index{1}, Index{9}}) {
    TestSystem system("[lattice]\ntype='honeycomb'\nsize=[6,4]\n" + alloy("vacancy", 0.3),
                      replicas);
    system.state.randomise(8);
    StructureFactorSettings settings;
    settings.q = q_grid(system.geometry);
    settings.connected = false;
    std::vector<double> by_method[2];
    for (const Method method : {Method::factorised, Method::fft}) {
      settings.method = method;
      StructureFactor correlations(system.geometry, settings, replicas);
      correlations.add(system.state);
      by_method[method == Method::fft] = correlations.finish(1).static_value;
    }
    for (std::size_t q = 0; q < by_method[0].size(); ++q) {
      double direct = 0;
      for (Index r = 0; r < replicas; ++r) {
        const auto e = system.state.configuration(r);
        Vec3<double> re{0, 0, 0}, im{0, 0, 0};
        for (Index site = 0; site < system.geometry.sites(); ++site) {
          const double angle = dot(settings.q.cartesian[q], system.geometry.position(site));
          re += std::cos(angle) * e[static_cast<std::size_t>(site)];
          im += std::sin(angle) * e[static_cast<std::size_t>(site)];
        }
        direct += (dot(re, re) + dot(im, im)) / static_cast<double>(replicas);
      }
      direct /= static_cast<double>(system.geometry.spins());
      EXPECT_NEAR(by_method[0][q], direct, 1e-11);
      EXPECT_NEAR(by_method[1][q], direct, 1e-11);
    }
  }
}

}  // namespace larmor::alloy_tests
