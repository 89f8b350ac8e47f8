// Definition of the energy: fields are derivatives of the energy, and every slot computes equal
// numbers. Small configurations have the energies that the conventions give.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/simd/for_each.hpp"
#include "larmor/spins/hamiltonian/bond_class.hpp"
#include "larmor/spins/hamiltonian/energy_kernels.hpp"
#include "test_system.hpp"

namespace larmor::fields_and_energies_tests {

using namespace larmor::spins;
using testing_support::fields_of;
using testing_support::HostVectors;
using testing_support::TestSystem;

struct NamedModel {
  const char* name;
  std::string terms;

  friend void PrintTo(const NamedModel& tested, std::ostream* out) { *out << tested.name; }
};

const std::string exchange = "[[exchange]]\nshell=1\nJ=1.3\n[[exchange]]\nshell=2\nJ=-0.4\n";
const std::string dmi = "[[dmi]]\noffset=[[1,0,0],[0,1,0]]\natoms=[0,0]\nD=[0.3,-0.7,0.4]\n";
const std::string anisotropy =
    "[[anisotropy]]\nK=0.9\naxis=[1,2,2]\n[[anisotropy]]\nK=-0.5\naxis=[0,0,1]\n";
const std::string field = "[field]\nB=[0.2,0.5,-0.8]\n";
const std::string exchange_tensor =
    "[[exchange-tensor]]\noffset=[[1,0,0],[0,1,0]]\natoms=[0,1]\n"
    "A=[[0.3,-0.7,0.4],[0.5,1.1,-0.2],[0.9,0.6,-0.8]]\n";
const std::string tensor_pairs =
    "[[exchange-tensor]]\npairs=[[0,1],[7,3],[20,6]]\n"
    "A=[[0.3,-0.7,0.4],[0.5,1.1,-0.2],[0.9,0.6,-0.8]]\n";
const std::string kitaev = "[[kitaev]]\nshell=1\nK=1.1\nGamma=0.4\nGamma_prime=-0.3\n";
const std::string biquadratic =
    "[[biquadratic]]\nshell=1\nb=0.8\n[[biquadratic]]\nshell=2\nb=-0.3\n";
const std::string high_orders = "[[anisotropy]]\nK=-0.4\nK4=0.7\nK6=-0.5\naxis=[1,-1,0.5]\n";
const std::string cubic_anisotropy =
    "[[cubic-anisotropy]]\nK4=0.6\naxes=[[1,2,2],[2,1,-2],[2,-2,1]]\n";
const std::string local_field =
    "[[local-field]]\nB=[0.3,-0.2,0.1]\nstaggered=true\n"
    "[[local-field]]\nB=[0,0.4,0.2]\nsites=[3,12]\n";
const std::string random_field =
    "[[random-field]]\nwidth=0.7\n[[random-field]]\nwidth=0.4\naxis=[1,1,0]\nseed=2\n";
const std::string random_bonds = "[[exchange]]\nshell=1\nJ=0.2\ndisorder=0.9\n";

const std::string dipoles = "[dipolar]\nstrength=0.6\nmethod='fft'\n";
const std::string near_dipoles = "[dipolar]\nstrength=0.6\ncutoff=2.1\n";
const std::string replica_bonds =
    "[[exchange]]\nshell=1\nJ=0.2\ndisorder=0.9\ndisorder_by_replica=true\n"
    "[[exchange]]\nshell=2\nJ=-0.4\n";
const std::string replica_field =
    "[[random-field]]\nwidth=0.7\nby_replica=true\n[field]\nB=[0.2,0.5,-0.8]\n";
// These vacancies are in a lattice that has only the species A.
const std::string vacancies =
    "[[alloy]]\nby='B'\nfraction=0.3\nmoment=0.7\n[[alloy]]\nby='vacancy'\nfraction=0.2\n";
const std::string alloy_terms =
    vacancies +
    "[[exchange]]\nshell=1\nJ=1.3\nbetween=['A','B']\n"
    "[[exchange]]\nshell=2\nJ=-0.4\n[[anisotropy]]\nK=0.9\naxis=[1,2,2]\nspecies='B'\n"
    "[[exchange]]\nshell=1\nJ=0.8\nbetween=['A','A']\n";

class EveryTerm : public testing::TestWithParam<NamedModel> {
 protected:
  std::string text() const {
    return "[lattice]\ntype='honeycomb'\nsize=[4,5]\nperiodic=[true,false]\nmoment=[1.2,2.1]\n" +
           GetParam().terms;
  }
};

TEST_P(EveryTerm, FieldIsMinusTheDerivativeOfTheEnergy) {
  for (const Index replicas : {Index{1}, Index{3}}) {
    TestSystem system(text(), replicas);
    system.state.randomise(5);
    const SpinLayout layout = system.state.layout();
    const HostVectors spins(system.state), force = fields_of(system.model, system.state);
    const VectorView &e = spins.view, &h = force.view;
    constexpr double step = 1e-5;
    double largest = 0;
    for (Index site = 0; site < layout.spins(); site += 3) {
      for (int c = 0; c < 3; ++c) {
        const ScalarSlot<> at{site, replicas - 1};
        const Vec3<double> old = e.load(at);
        const auto energy_at = [&](double shift) {
          Vec3<double> moved = old;
          (c == 0 ? moved.x : c == 1 ? moved.y : moved.z) += shift;
          e.store(at, moved);
          system.state.load(spins.numbers);
          const double energy =
              energy_per_site(system.model, system.state)[static_cast<std::size_t>(replicas - 1)];
          e.store(at, old);
          return energy * static_cast<double>(layout.spins());
        };
        const double derivative = (energy_at(step) - energy_at(-step)) / (2 * step);
        const Vec3<double> f = h.load(at);
        const double component = c == 0 ? f.x : c == 1 ? f.y : f.z;
        EXPECT_NEAR(component, -derivative, 1e-8) << "site " << site << " component " << c;
        largest = std::max(largest, std::abs(component));
      }
    }
    EXPECT_GT(largest, 0.1) << "no field, nothing tested";
  }
}

TEST_P(EveryTerm, LanesAndTheScalarReferenceComputeTheSameEnergy) {
  for (const Index replicas : {Index{1}, Index{11}}) {
    TestSystem system(text(), replicas);
    system.state.randomise(6);
    const ModelView model = system.model.view(replicas);
    if (system.device.backend != Backend::cpu) GTEST_SKIP() << "the reference reads CPU tables";
    const VectorView spins(system.state.reals(), system.state.layout());
    const std::vector<double> lanes =
        energy_kernels(system.device).energy(system.device, model, system.state.reals()).take();
    for (Index r = 0; r < replicas; ++r) {
      double reference = 0;
      for (Index site = 0; site < model.layout.sites; ++site) {
        const ScalarSlot<> at{site, r};
        reference += with_bond_class(model.bond_class, [&](auto c) {
          return energy_share<decltype(c)::value>(model, spins, at);
        });
      }
      EXPECT_NEAR(lanes[static_cast<std::size_t>(r)], reference, 1e-12 * (1 + std::abs(reference)));
    }
  }
}

TEST_P(EveryTerm, TermsSumToTheTotal) {
  TestSystem system(text(), 5);
  system.state.randomise(7);
  std::vector<double> total = energy_per_site(system.model, system.state);
  for (std::size_t t = 0; t < system.model.term_names().size(); ++t) {
    const auto part = term_energy_per_site(system.model, t, system.state);
    for (std::size_t r = 0; r < total.size(); ++r) total[r] -= part[r];
  }
  for (const double rest : total) EXPECT_NEAR(rest, 0, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(
    Terms, EveryTerm,
    testing::Values(
        NamedModel{"exchange", exchange}, NamedModel{"dmi", dmi},
        NamedModel{"anisotropy", anisotropy}, NamedModel{"field", field},
        NamedModel{"exchange_tensor", exchange_tensor}, NamedModel{"tensor_pairs", tensor_pairs},
        NamedModel{"kitaev", kitaev}, NamedModel{"biquadratic", biquadratic},
        NamedModel{"high_orders", high_orders}, NamedModel{"cubic_anisotropy", cubic_anisotropy},
        NamedModel{"local_field", local_field}, NamedModel{"random_field", random_field},
        NamedModel{"random_bonds", random_bonds}, NamedModel{"replica_bonds", replica_bonds},
        NamedModel{"replica_field", replica_field},
        NamedModel{"replica_tensor", replica_bonds + exchange_tensor + replica_field},
        NamedModel{"dipoles", dipoles}, NamedModel{"near_dipoles", near_dipoles},
        NamedModel{"alloy", alloy_terms},
        NamedModel{"alloy_dipoles", vacancies + exchange + dipoles},
        NamedModel{"alloy_near_dipoles", vacancies + near_dipoles},
        NamedModel{"alloy_all", vacancies + exchange + dmi + anisotropy + field + exchange_tensor +
                                    biquadratic + random_field + replica_bonds},
        NamedModel{"all", exchange + dmi + anisotropy + field + exchange_tensor + kitaev +
                              biquadratic + cubic_anisotropy + tensor_pairs + local_field +
                              random_field + dipoles}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// Models with isotropic terms only.
class EveryIsotropicTerm : public testing::TestWithParam<NamedModel> {};

TEST_P(EveryIsotropicTerm, TurningAllSpinsLeavesTheEnergy) {
  TestSystem system("[lattice]\ntype='honeycomb'\nsize=[4,5]\nperiodic=[true,false]\n" +
                    GetParam().terms);
  system.state.randomise(8);
  std::vector<Vec3<double>> spins = system.state.configuration(0);
  system.state.set_all(spins);
  const double before = energy_per_site(system.model, system.state)[0];
  EXPECT_GT(std::abs(before), 1e-3) << "no energy, nothing tested";
  const Vec3<double> axis{2.0 / 3, -1.0 / 3, 2.0 / 3};
  const double angle = 0.9;
  for (Vec3<double>& e : spins)
    e = std::cos(angle) * e + std::sin(angle) * cross(axis, e) +
        ((1 - std::cos(angle)) * dot(axis, e)) * axis;
  system.state.set_all(spins);
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], before, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Terms, EveryIsotropicTerm,
                         testing::Values(NamedModel{"exchange", exchange},
                                         NamedModel{"biquadratic", biquadratic},
                                         NamedModel{"random_bonds", random_bonds},
                                         NamedModel{"replica_bonds", replica_bonds},
                                         NamedModel{"diluted", vacancies + exchange}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Conventions, FerromagnetCountsEachPairOnce) {
  TestSystem system("[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange]]\nshell=1\nJ=2\n");
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -6.0, 1e-13);
  EXPECT_NEAR(system.model.ferromagnetic_bond_energy(), -6.0, 1e-13);
  EXPECT_NEAR(system.model.mean_field_temperature(), 6 * 2.0 / 3, 1e-12);
}

TEST(Conventions, MeanFieldTemperatureIsThatOfTheBestOrder) {
  // The ground states are Neel order, the state of 120 degrees with J(q) = 3 |J|, and the flat band
  // of kagome with 2 |J|.
  const auto of = [](const std::string& lattice) {
    return TestSystem("[lattice]\n" + lattice + "\n[[exchange]]\nshell=1\nJ=-1\n")
        .model.mean_field_temperature();
  };
  EXPECT_NEAR(of("type='sc'\nsize=[4,4,4]"), 6.0 / 3, 1e-12);
  EXPECT_NEAR(of("type='bcc'\nsize=[3,3,3]"), 8.0 / 3, 1e-12);
  EXPECT_NEAR(of("type='triangular'\nsize=[6,6]"), 3.0 / 3, 1e-12);
  EXPECT_NEAR(of("type='kagome'\nsize=[3,3]"), 2.0 / 3, 1e-12);
}

TEST(Conventions, ZeemanEnergyIsMinusMomentTimesField) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[3]\nmoment=[2.5]\n[field]\nB=[0,0,0.4]\n");
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -1.0, 1e-14);
}

TEST(Conventions, PositiveAnisotropyIsAnEasyAxis) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[3]\n[[anisotropy]]\nK=0.7\n");
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -0.7, 1e-14);
}

TEST(Conventions, DmiPrefersToTurnFromTheFirstToTheSecondAboutD) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[dmi]]\noffset=[[1,0,0]]\nD=[0,0,1]\n");
  system.state.set_all(std::vector<Vec3<double>>{{1, 0, 0}, {0, 1, 0}});
  EXPECT_NEAR(2 * energy_per_site(system.model, system.state)[0], -1.0, 1e-14);
  system.state.set_all(std::vector<Vec3<double>>{{0, 1, 0}, {1, 0, 0}});
  EXPECT_NEAR(2 * energy_per_site(system.model, system.state)[0], 1.0, 1e-14);
}

TEST(Conventions, DmiSpiralTurnsByAtanDOverJ) {
  // Spirals about z on a ring have least energy if each bond turns by atan(D/J), which is 45
  // degrees for J = D.
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[8]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[dmi]]\nshell=1\nstrength=1\ndirection='bond'\n");
  const auto spiral = [&](int turns) {
    std::vector<Vec3<double>> e;
    for (int i = 0; i < 8; ++i) {
      const double angle = 2 * M_PI * turns * i / 8;
      e.push_back({0, std::cos(angle), std::sin(angle)});  // D is along the chain, x
    }
    system.state.set_all(e);
    return energy_per_site(system.model, system.state)[0];
  };
  EXPECT_NEAR(spiral(1), -std::sqrt(2.0), 1e-13);
  EXPECT_LT(spiral(1), spiral(0));
  EXPECT_LT(spiral(1), spiral(2));
  EXPECT_GT(spiral(-1), spiral(0) - 1e-12);
}

TEST(Conventions, TheTensorHasTheFirstSpinOnItsLeft) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[exchange-tensor]]\n"
      "offset=[[1,0,0]]\nA=[[1,2,3],[4,5,6],[7,8,9]]\n");
  system.state.set_all(std::vector<Vec3<double>>{{1, 0, 0}, {0, 1, 0}});
  EXPECT_NEAR(2 * energy_per_site(system.model, system.state)[0], -2.0, 1e-14);
  system.state.set_all(std::vector<Vec3<double>>{{0, 0, 1}, {1, 0, 0}});
  EXPECT_NEAR(2 * energy_per_site(system.model, system.state)[0], -7.0, 1e-14);
}

TEST(Conventions, TheTensorHoldsExchangeAndDmi) {
  // The bilinear form J + D.(e_i x e_j) as one matrix, on bonds within a sublattice and between the
  // two.
  const std::string lattice = "[lattice]\ntype='honeycomb'\nsize=[4,4]\n";
  const std::string bonds = "offset=[[1,0,0],[0,1,0]]\natoms=[0,1]\n";
  TestSystem apart(lattice + "[[exchange]]\nJ=1.3\n" + bonds + "[[dmi]]\nD=[0.1,-0.5,0.7]\n" +
                   bonds);
  TestSystem tensor(lattice + "[[exchange-tensor]]\n" + bonds +
                    "A=[[1.3,0.7,0.5],[-0.7,1.3,0.1],[-0.5,-0.1,1.3]]\n");
  apart.state.randomise(9);
  tensor.state.set_all(apart.state.configuration(0));
  EXPECT_NEAR(energy_per_site(tensor.model, tensor.state)[0],
              energy_per_site(apart.model, apart.state)[0], 1e-13);
}

/// One direction for each of the two atoms of a cell. `first` changes its sign from column to
/// column.
std::vector<Vec3<double>> by_atom(Index cells_along_x, Index cells, const Vec3<double>& first,
                                  const Vec3<double>& second, bool alternating) {
  std::vector<Vec3<double>> e;
  for (Index cell = 0; cell < cells; ++cell) {
    const double sign = alternating && (cell % cells_along_x) % 2 == 1 ? -1 : 1;
    e.push_back(sign * first);
    e.push_back(sign * second);
  }
  return e;
}

TEST(Conventions, KitaevBondsAreXYZInTheOrderOfTheirAngles) {
  // A bond of atom 0 in column x points at 30 degrees to column x - 1. Two bonds, at 90 and 150
  // degrees, stay within its column. If columns have alternating signs, spins along g see only the
  // bonds of type g, one per cell.
  TestSystem system("[lattice]\ntype='honeycomb'\nsize=[4,3]\n[[kitaev]]\nshell=1\nK=2\n");
  const auto energy_per_cell = [&](const Vec3<double>& e) {
    system.state.set_all(by_atom(4, 12, e, e, true));
    return 2 * energy_per_site(system.model, system.state)[0];
  };
  EXPECT_NEAR(energy_per_cell({1, 0, 0}), 2, 1e-13);
  EXPECT_NEAR(energy_per_cell({0, 1, 0}), -2, 1e-13);
  EXPECT_NEAR(energy_per_cell({0, 0, 1}), -2, 1e-13);
  // These three bonds, listed one by one.
  TestSystem named(
      "[lattice]\ntype='honeycomb'\nsize=[4,3]\n"
      "[[kitaev]]\nK=2\nbond='x'\noffset=[[-1,0,0]]\natoms=[0,1]\n"
      "[[kitaev]]\nK=2\nbond='y'\noffset=[[0,1,0]]\natoms=[0,1]\n"
      "[[kitaev]]\nK=2\nbond='z'\noffset=[[0,0,0]]\natoms=[0,1]\n");
  system.state.randomise(10);
  named.state.set_all(system.state.configuration(0));
  EXPECT_NEAR(energy_per_site(named.model, named.state)[0],
              energy_per_site(system.model, system.state)[0], 1e-13);
}

TEST(Conventions, GammaCouplesTheOtherTwoComponentsAndGammaPrimeTheFirstWithThem) {
  // Atom 0 lies along x and atom 1 along y. Gamma acts on z bonds, and Gamma' acts on x and y
  // bonds.
  const auto energy_per_cell = [](const std::string& couplings) {
    TestSystem system("[lattice]\ntype='honeycomb'\nsize=[3,3]\n[[kitaev]]\nshell=1\n" + couplings);
    system.state.set_all(by_atom(3, 9, {1, 0, 0}, {0, 1, 0}, false));
    return 2 * energy_per_site(system.model, system.state)[0];
  };
  EXPECT_NEAR(energy_per_cell("K=1\n"), 0, 1e-14);
  EXPECT_NEAR(energy_per_cell("Gamma=1\n"), -1, 1e-14);
  EXPECT_NEAR(energy_per_cell("Gamma_prime=1\n"), -2, 1e-14);
}

TEST(Conventions, KitaevOnTheCubicLatticeIsTheCompassModel) {
  TestSystem system("[lattice]\ntype='sc'\nsize=[4,3,3]\n[[kitaev]]\nshell=1\nK=1\n");
  std::vector<Vec3<double>> e;
  for (int site = 0; site < 36; ++site) e.push_back({site % 2 == 0 ? 1.0 : -1.0, 0, 0});
  system.state.set_all(e);
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], 1, 1e-14);
  for (int site = 0; site < 36; ++site)
    e[static_cast<std::size_t>(site)] = {0, 0, site % 2 == 0 ? 1.0 : -1.0};
  system.state.set_all(e);
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -1, 1e-14);
}

TEST(Conventions, PositiveBiquadraticExchangeFavoursCollinearSpins) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n[[biquadratic]]\nshell=1\nb=0.7\n");
  const auto energy_at = [&](double cosine) {
    system.state.set_all(
        std::vector<Vec3<double>>{{0, 0, 1}, {std::sqrt(1 - cosine * cosine), 0, cosine}});
    return 2 * energy_per_site(system.model, system.state)[0];
  };
  EXPECT_NEAR(energy_at(1), -0.7, 1e-14);
  EXPECT_NEAR(energy_at(-1), -0.7, 1e-14);
  EXPECT_NEAR(energy_at(0.5), -0.175, 1e-14);
  EXPECT_NEAR(energy_at(0), 0, 1e-14);
}

TEST(Conventions, AnisotropyOfHigherOrders) {
  // With (e.n)^2 = 1/4, the energy is - 1/4 K - 1/16 K4 - 1/64 K6.
  TestSystem system("[lattice]\ntype='chain'\nsize=[3]\n[[anisotropy]]\nK=4\nK4=-32\nK6=192\n");
  system.state.set_all(std::vector<Vec3<double>>(3, {std::sqrt(0.75), 0, 0.5}));
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -1 + 2 - 3, 1e-13);
}

TEST(Conventions, PositiveCubicAnisotropyHasEasyAxes) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[3]\n[[cubic-anisotropy]]\nK4=0.6\n");
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -0.6, 1e-14);
  const double third = 1 / std::sqrt(3.0);
  system.state.set_all(std::vector<Vec3<double>>(3, {third, -third, third}));
  EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -0.2, 1e-14);
}

TEST(Conventions, AnisotropyOfOneSpecies) {
  for (const std::string term : {"anisotropy", "cubic-anisotropy"}) {
    TestSystem system("[lattice]\ntype='honeycomb'\nsize=[2,2]\nspecies=['Fe','Co']\n[[" + term +
                      "]]\nspecies='Co'\nK4=0.6\n");
    EXPECT_NEAR(energy_per_site(system.model, system.state)[0], -0.3, 1e-14) << term;
  }
}

TEST(Conventions, LocalFieldsActOnSpeciesListedOrAlternateSites) {
  const auto energy_of = [](const std::string& where) {
    TestSystem system(
        "[lattice]\ntype='honeycomb'\nsize=[2,2]\nmoment=[2,3]\nspecies=['Fe','Co']\n"
        "[[local-field]]\nB=[0,0,0.5]\n" +
        where);
    return 8 * energy_per_site(system.model, system.state)[0];
  };
  EXPECT_NEAR(energy_of("species='Co'\n"), -4 * 1.5, 1e-14);
  EXPECT_NEAR(energy_of("sites=[0,2,5]\n"), -1 - 1 - 1.5, 1e-14);
  EXPECT_NEAR(energy_of("staggered=true\n"), 4 * (-1 + 1.5), 1e-14);
}

/// The deviation of the sum of `values` from its mean, in units of the error of independent values.
double sigmas(const std::vector<double>& values, double mean, double deviation) {
  double sum = 0;
  for (const double v : values) sum += v - mean;
  return sum / (deviation * std::sqrt(static_cast<double>(values.size())));
}

TEST(Conventions, RandomFieldsAreNormalWithTheGivenWidth) {
  const std::string text =
      "[lattice]\ntype='square'\nsize=[40,40]\nmoment=[2]\n[[random-field]]\nwidth=0.3\n";
  const auto tables = study::parse_system(text, "test");
  const auto geometry = study::build_geometry(tables);
  const auto moments = study::site_moments(geometry);
  const auto term = study::lower_terms(tables, geometry, moments).front();
  std::vector<double> x, xx, zz, xy;
  for (Index site = 0; site < geometry.sites(); ++site) {
    const Vec3<double> h = (1 / 0.6) * term.field(site);
    x.push_back(h.x);
    xx.push_back(h.x * h.x);
    zz.push_back(h.z * h.z);
    xy.push_back(h.x * h.y);
  }
  using testing_support::sigmas_of_alpha;
  EXPECT_LT(std::abs(sigmas(x, 0, 1)), sigmas_of_alpha);
  EXPECT_LT(std::abs(sigmas(xx, 1, std::sqrt(2.0))), sigmas_of_alpha);
  EXPECT_LT(std::abs(sigmas(zz, 1, std::sqrt(2.0))), sigmas_of_alpha);
  EXPECT_LT(std::abs(sigmas(xy, 0, 1)), sigmas_of_alpha);

  // If each spin points along its field, the energy is minus the mean of mu B, in every replica.
  TestSystem system(text, 3);
  std::vector<Vec3<double>> along;
  double expected = 0;
  for (Index site = 0; site < geometry.sites(); ++site) {
    const Vec3<double> h = term.field(site);
    along.push_back((1 / length(h)) * h);
    expected -= length(h) / static_cast<double>(geometry.sites());
  }
  system.state.set_all(along);
  for (const double energy : energy_per_site(system.model, system.state))
    EXPECT_NEAR(energy, expected, 1e-13);
}

TEST(Conventions, RandomFieldsAlongAnAxisHaveNoOtherComponent) {
  TestSystem system(
      "[lattice]\ntype='chain'\nsize=[50]\n[[random-field]]\nwidth=0.3\naxis=[0,2,0]\n", 2);
  system.state.set_all(std::vector<Vec3<double>>(50, {0.6, 0, 0.8}));
  EXPECT_EQ(energy_per_site(system.model, system.state)[0], 0);
  system.state.set_all(std::vector<Vec3<double>>(50, {0, 1, 0}));
  EXPECT_GT(std::abs(energy_per_site(system.model, system.state)[0]), 1e-3);
}

TEST(Conventions, DisorderedExchangeIsNormalAboutJ) {
  const std::string text =
      "[lattice]\ntype='square'\nsize=[40,40]\nperiodic=[true,false]\n"
      "[[exchange]]\nshell=1\nJ=0.5\ndisorder=2\n";
  const auto tables = study::parse_system(text, "test");
  const auto geometry = study::build_geometry(tables);
  const auto moments = study::site_moments(geometry);
  const auto term = study::lower_terms(tables, geometry, moments).front();
  EXPECT_TRUE(term.stencil.empty());
  EXPECT_EQ(term.pairs.size(), std::size_t{40 * 40 + 40 * 39});
  std::vector<double> J, squared;
  double sum = 0;
  for (const PairCoupling& pair : term.pairs) {
    const double deviate = (pair.bilinear.row[0].x - 0.5) / 2;
    J.push_back(deviate);
    squared.push_back(deviate * deviate);
    sum += pair.bilinear.row[0].x;
  }
  using testing_support::sigmas_of_alpha;
  EXPECT_LT(std::abs(sigmas(J, 0, 1)), sigmas_of_alpha);
  EXPECT_LT(std::abs(sigmas(squared, 1, std::sqrt(2.0))), sigmas_of_alpha);
  TestSystem system(text, 3);
  for (const double energy : energy_per_site(system.model, system.state))
    EXPECT_NEAR(energy, -sum / 1600, 1e-12);
}

/// The couplings of the pairs, in the order of the table of pairs.
std::vector<double> couplings(const std::string& text) {
  const auto tables = study::parse_system(text, "test");
  const auto geometry = study::build_geometry(tables);
  const auto moments = study::site_moments(geometry);
  std::vector<double> J;
  const auto term = study::lower_terms(tables, geometry, moments).front();
  for (const PairCoupling& pair : term.pairs) J.push_back(pair.bilinear.row[0].x);
  return J;
}

TEST(Conventions, BimodalExchangeHasTwoValuesEquallyOften) {
  const auto text = [](int seed, const char* distribution) {
    return "[lattice]\ntype='square'\nsize=[40,40]\n[[exchange]]\nshell=1\nJ=0.5\ndisorder=2\n"
           "disorder_distribution='" +
           std::string(distribution) + "'\ndisorder_seed=" + std::to_string(seed) + "\n";
  };
  const std::vector<double> J = couplings(text(1, "bimodal"));
  const std::vector<double> other = couplings(text(2, "bimodal"));
  const std::vector<double> normal = couplings(text(1, "normal"));
  ASSERT_EQ(J.size(), std::size_t{2 * 40 * 40});
  std::vector<double> sign, product_of_seeds, product_of_neighbours;
  for (std::size_t n = 0; n < J.size(); ++n) {
    ASSERT_TRUE(J[n] == 2.5 || J[n] == -1.5);
    // Both distributions use one random number per pair.
    EXPECT_EQ(J[n] > 0.5, normal[n] > 0.5);
    sign.push_back(J[n] > 0.5 ? 1 : -1);
    product_of_seeds.push_back(other[n] > 0.5 ? sign[n] : -sign[n]);
    if (n > 0) product_of_neighbours.push_back(sign[n] * sign[n - 1]);
  }
  using testing_support::sigmas_of_alpha;
  for (const auto& signs : {sign, product_of_seeds, product_of_neighbours})
    EXPECT_LT(std::abs(sigmas(signs, 0, 1)), sigmas_of_alpha);
  EXPECT_EQ(couplings(text(1, "bimodal")), J);
}

TEST(Conventions, DisorderBelongsToThePairHoweverItIsNamed) {
  const std::string chain = "[lattice]\ntype='chain'\nsize=[4]\nperiodic=false\n[[exchange]]\n";
  TestSystem shell(chain + "J=0\ndisorder=1\nshell=1\n");
  TestSystem pairs(chain + "J=0\ndisorder=1\npairs=[[2,1],[0,1],[3,2]]\n");
  TestSystem other(chain + "J=0\ndisorder=1\nshell=1\ndisorder_seed=2\n");
  const double energy = energy_per_site(shell.model, shell.state)[0];
  EXPECT_NEAR(energy_per_site(pairs.model, pairs.state)[0], energy, 1e-14);
  EXPECT_GT(std::abs(energy_per_site(other.model, other.state)[0] - energy), 1e-3);
}

}  // namespace larmor::fields_and_energies_tests
