// The dipole-dipole interaction by all its methods, compared with closed sums.
// Rooms: spins

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/spins/long_range/dipole_sum.hpp"
#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::dipolar_tests {

using namespace larmor::spins;
using testing_support::fields_of;
using testing_support::HostVectors;
using testing_support::sigmas_of_alpha;
using testing_support::TestSystem;

constexpr double pi = std::numbers::pi;
constexpr double zeta_3 = 1.2020569031595942;
/// The sum of 1 / r^3 over the square lattice, 4 zeta(3/2) beta(3/2).
constexpr double square_sum = 9.0336216831;

std::string dipolar(const std::string& method, double strength = 1) {
  return "[dipolar]\nstrength=" + std::to_string(strength) + "\nmethod='" + method + "'\n";
}

double energy_along(TestSystem& system, const Vec3<double>& direction) {
  system.state.set_all(
      std::vector<Vec3<double>>(static_cast<std::size_t>(system.geometry.sites()), direction));
  return energy_per_site(system.model, system.state)[0];
}

class EveryMethod : public testing::TestWithParam<const char*> {
 protected:
  std::string term() const { return dipolar(GetParam()); }
};

TEST_P(EveryMethod, EndlessChain) {
  for (const char* size : {"1", "2", "7"}) {
    TestSystem chain("[lattice]\ntype='chain'\nsize=[" + std::string(size) + "]\n" + term());
    EXPECT_NEAR(energy_along(chain, {1, 0, 0}), -2 * zeta_3, 1e-12) << size;
    EXPECT_NEAR(energy_along(chain, {0, 0.6, 0.8}), zeta_3, 1e-12) << size;
  }
}

TEST_P(EveryMethod, FiniteChain) {
  TestSystem chain("[lattice]\ntype='chain'\nsize=[9]\nperiodic=false\nmoment=[1.5]\n" + term());
  double sum = 0;
  for (int n = 1; n < 9; ++n) sum += (9 - n) / std::pow(n, 3) / 9;
  EXPECT_NEAR(energy_along(chain, {1, 0, 0}), -2 * 2.25 * sum, 1e-12);
  EXPECT_NEAR(energy_along(chain, {0, 1, 0}), 2.25 * sum, 1e-12);
}

TEST_P(EveryMethod, EndlessFilm) {
  TestSystem film("[lattice]\ntype='square'\nsize=[4,3]\n" + term());
  EXPECT_NEAR(energy_along(film, {0, 0, 1}), square_sum / 2, 1e-9);
  EXPECT_NEAR(energy_along(film, {0.6, 0.8, 0}), -square_sum / 4, 1e-9);
}

TEST_P(EveryMethod, BulkHasTheLorentzFieldOfItsShape) {
  // The energy per site is - (2 pi / 3) mu^2 n without surface charges. With surface charges it is
  // this plus 2 pi N mu^2 n.
  const char* shapes[][2] = {
      {"sc", "1"}, {"bcc", "2"}, {"fcc", "4"}};  // lattice, sites per cubic cell
  for (const auto& [type, density] : shapes) {
    const std::string lattice =
        "[lattice]\ntype='" + std::string(type) + "'\nsize=[3,2,2]\n" + term();
    const double n = std::stod(density);
    TestSystem endless(lattice);
    EXPECT_NEAR(energy_along(endless, {0, 0, 1}), -2 * pi / 3 * n, 1e-11) << type;
    TestSystem sphere(lattice +
                      "demagnetisation=[0.3333333333333333,0.3333333333333333,"
                      "0.3333333333333334]\n");
    EXPECT_NEAR(energy_along(sphere, {0.6, 0, 0.8}), 0, 1e-11) << type;
    TestSystem plate(lattice + "demagnetisation=[0,0,1]\n");
    EXPECT_NEAR(energy_along(plate, {0, 0, 1}), 4 * pi / 3 * n, 1e-11) << type;
    EXPECT_NEAR(energy_along(plate, {1, 0, 0}), -2 * pi / 3 * n, 1e-11) << type;
  }
}

INSTANTIATE_TEST_SUITE_P(Dipoles, EveryMethod, testing::Values("fft", "bonds"),
                         [](const auto& tested) { return std::string(tested.param); });

/// Sites of the simple cubic lattice inside an ellipsoid of revolution about z.
lattice::Geometry cut_out(double radius, double half_length) {
  lattice::Geometry geometry;
  geometry.crystal.name = "cut out";
  geometry.plain_positions = true;
  geometry.periodic = {false, false, false};
  const double box = 4 * half_length;
  geometry.crystal.cell = {{{box, 0, 0}, {0, box, 0}, {0, 0, box}}};
  geometry.crystal.dimensions = 3;
  const int reach = static_cast<int>(std::max(radius, half_length)) + 1;
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z)
        if ((x * x + y * y) / (radius * radius) + z * z / (half_length * half_length) < 1)
          geometry.crystal.basis.push_back({{x / box, y / box, z / box}, "A", 1});
  return geometry;
}

/// Turns all spins along each of three directions. @return the energy for each direction
std::vector<double> energies_of_piece(const lattice::Geometry& geometry,
                                      const std::vector<Vec3<double>>& directions) {
  const SiteMoments moments(std::vector<double>(static_cast<std::size_t>(geometry.sites()), 1.0));
  Dipolar term;
  term.strength = 1;
  const Device device = Device::cpu(1);
  const Model model(device, geometry, {term.lower({geometry, moments, reduced_constants})},
                    moments);
  SpinState state(device, {geometry.sites(), 1}, model.canonical());
  std::vector<double> energies;
  for (const Vec3<double>& direction : directions) {
    state.set_uniform(direction);
    energies.push_back(energy_per_site(model, state)[0]);
  }
  return energies;
}

/// k_B T_s from only energies: squared slopes over the Laplacian. The derivatives are differences
/// along two great circles through each spin.
double spin_temperature_of_energies(TestSystem& system, double step) {
  const auto spins = system.state.configuration(0);
  const auto n = static_cast<double>(system.geometry.sites());
  const auto energy_with = [&](std::size_t site, const Vec3<double>& e) {
    std::vector<Vec3<double>> moved = spins;
    moved[site] = e;
    system.state.set_all(moved);
    return n * energy_per_site(system.model, system.state)[0];
  };
  double squares = 0, laplacian = 0;
  for (std::size_t site = 0; site < spins.size(); ++site) {
    const Vec3<double> e = spins[site];
    const Vec3<double> other = std::abs(e.z) < 0.7 ? Vec3<double>{0, 0, 1} : Vec3<double>{1, 0, 0};
    const Vec3<double> across = cross(e, other);
    const Vec3<double> u = (1 / length(across)) * across;
    const double here = energy_with(site, e);
    for (const Vec3<double>& t : {u, cross(e, u)}) {
      const double up = energy_with(site, std::cos(step) * e + std::sin(step) * t);
      const double down = energy_with(site, std::cos(step) * e - std::sin(step) * t);
      squares += std::pow((up - down) / (2 * step), 2);
      laplacian += (up - 2 * here + down) / (step * step);
    }
  }
  system.state.set_all(spins);
  return squares / laplacian;
}

TEST(Dipoles, OwnImagesAreInTheSpinTemperature) {
  const char* lattices[] = {
      "[lattice]\ntype='sc'\nsize=[2,2,2]\n", "[lattice]\ntype='chain'\nsize=[3]\n",
      "[lattice]\ncell=[[1,0,0],[0,1.3,0],[0,0,0.9]]\nbasis=[[0,0,0],[0.5,0.4,0.3]]\n"
      "moment=[1.5,0.6]\nsize=[2,1,2]\n",
      "[lattice]\ntype='square'\nsize=[2,3]\n[[alloy]]\nby='vacancy'\nsites=[4]\n"};
  for (const char* lattice : lattices) {
    const std::string more = "[[anisotropy]]\nK=0.8\naxis=[0,1,1]\n[field]\nB=[0.5,0,1]\n";
    TestSystem fft(lattice + dipolar("fft") + more, 3), bonds(lattice + dipolar("bonds") + more, 3);
    fft.state.randomise(5);
    bonds.state.randomise(5);
    const auto of_fft = spin_temperature(fft.model, fft.state);
    const auto of_bonds = spin_temperature(bonds.model, bonds.state);
    ASSERT_EQ(of_fft.size(), 3U);
    for (std::size_t r = 0; r < 3; ++r)
      EXPECT_NEAR(of_fft[r], of_bonds[r], 1e-10 * std::abs(of_bonds[r])) << lattice;
    if (fft.geometry.spins() < fft.geometry.sites()) continue;
    const double direct = spin_temperature_of_energies(fft, 1e-3);
    EXPECT_NEAR(of_fft[0], direct, 1e-4 * std::abs(direct)) << lattice;
  }
}

TEST(Dipoles, AUniformCubicSphereHasNoEnergy) {
  // If the shape is symmetric, each shell of a cubic lattice gives zero.
  const lattice::Geometry sphere = cut_out(4.3, 4.3);
  EXPECT_GT(sphere.sites(), 300);
  for (const double energy : energies_of_piece(sphere, {{0, 0, 1}, {0.48, 0.6, 0.64}}))
    EXPECT_NEAR(energy, 0, 1e-12);
}

TEST(Dipoles, AnEllipsoidHasItsDemagnetisingFactor) {
  // For a prolate ellipsoid with axes 1:2, N_z = 0.17356 (Osborn, Phys. Rev. 67 (1945) 351). The
  // energy is E = 2 pi (N - 1/3).
  const lattice::Geometry ellipsoid = cut_out(6, 12);
  const double N = 0.17356;
  const std::vector<double> energy = energies_of_piece(ellipsoid, {{0, 0, 1}, {1, 0, 0}});
  EXPECT_NEAR(energy[0], 2 * pi * (N - 1.0 / 3), 0.03);
  EXPECT_NEAR(energy[1], 2 * pi * ((1 - N) / 2 - 1.0 / 3), 0.015);
}

/// Lattices with every kind of boundary, with two moments and with a skewed cell.
const char* boundaries[] = {"periodic=[false,false,false]\n", "periodic=[true,false,false]\n",
                            "periodic=[false,true,false]\n",  "periodic=[true,false,true]\n",
                            "periodic=[true,true,false]\n",   "periodic=[true,true,true]\n"};

std::string skewed(const std::string& size, const std::string& boundary) {
  return "[lattice]\ncell=[[1,0.2,0.1],[-0.3,1.1,0],[0.1,0.2,1.4]]\n"
         "basis=[[0,0,0],[0.4,0.55,0.45]]\nmoment=[1.0,1.7]\nsize=" +
         size + "\n" + boundary;
}

TEST(Dipoles, FftAndBondsAreTheSameInteraction) {
  for (const char* boundary : boundaries) {
    for (const Index replicas : {Index{1}, Index{3}}) {
      TestSystem fft(skewed("[3,2,4]", boundary) + dipolar("fft"), replicas, 2);
      TestSystem bonds(skewed("[3,2,4]", boundary) + dipolar("bonds"), replicas);
      fft.state.randomise(3);
      bonds.state.randomise(3);
      const HostVectors a = fields_of(fft.model, fft.state),
                        b = fields_of(bonds.model, bonds.state);
      const VectorView &by_fft = a.view, &by_bonds = b.view;
      for (Index r = 0; r < replicas; ++r) {
        EXPECT_NEAR(energy_per_site(fft.model, fft.state)[static_cast<std::size_t>(r)],
                    energy_per_site(bonds.model, bonds.state)[static_cast<std::size_t>(r)], 1e-11);
        for (Index p = 0; p < fft.model.sites(); ++p) {
          const auto& order = bonds.model.canonical();
          const auto q = std::find(order.begin(), order.end(),
                                   fft.model.canonical()[static_cast<std::size_t>(p)]) -
                         order.begin();
          EXPECT_LT(length(by_fft.load(ScalarSlot<>{p, r}) - by_bonds.load(ScalarSlot<>{q, r})),
                    1e-10)
              << boundary;
        }
      }
    }
  }
}

TEST(Dipoles, FftAndBondsAgreeForAnyNumberOfAtoms) {
  // For these sizes, the number of wave vectors is not a multiple of eight.
  for (const char* lattice : {"type='sc'\nsize=[5,3,3]\n", "type='diamond'\nsize=[3,5,3]\n",
                              "type='kagome'\nsize=[5,3]\n", "type='fcc'\nsize=[3,3,1]\n",
                              "type='pyrochlore'\nsize=[1,2,3]\n",
                              "cell=[[2,0,0],[0,2,0],[0,0,2]]\nsize=[1,3,2]\n"
                              "basis=[[0,0,0],[0.5,0,0],[0,0.5,0],[0.5,0.5,0.1],[0.3,0.3,0.5]]\n"})
    for (const char* boundary : {"periodic=true\n", "periodic=false\n"})
      for (const Index replicas : {Index{1}, Index{9}}) {
        const std::string text = "[lattice]\n" + std::string(lattice) + boundary;
        TestSystem fft(text + dipolar("fft"), replicas, 2),
            bonds(text + dipolar("bonds"), replicas);
        fft.state.randomise(6);
        bonds.state.randomise(6);
        const auto by_fft = energy_per_site(fft.model, fft.state),
                   by_bonds = energy_per_site(bonds.model, bonds.state);
        for (std::size_t r = 0; r < by_fft.size(); ++r)
          EXPECT_NEAR(by_fft[r], by_bonds[r], 1e-11) << text;
      }
}

TEST(Dipoles, ARepeatedBoxHasTheSameEnergy) {
  // The splitting of the sums depends on the box, but the interaction must not depend on it.
  for (const char* boundary : {"periodic=[true,false,false]\n", "periodic=[true,true,false]\n",
                               "periodic=[true,true,true]\n"}) {
    const bool film = std::string(boundary).find("true,true") != std::string::npos;
    TestSystem small(skewed("[2,2,1]", boundary) + dipolar("fft"));
    TestSystem large(skewed(film ? "[4,4,1]" : "[6,2,1]", boundary) + dipolar("fft"));
    small.state.randomise(5);
    const std::vector<Vec3<double>> e = small.state.configuration(0);
    std::vector<Vec3<double>> repeated;
    for (Index site = 0; site < large.geometry.sites(); ++site) {
      const lattice::SiteIndex s = large.geometry.decode(site);
      repeated.push_back(e[static_cast<std::size_t>(
          small.geometry.site(s.basis, s.cell[0] % 2, s.cell[1] % 2, 0))]);
    }
    large.state.set_all(repeated);
    EXPECT_NEAR(energy_per_site(large.model, large.state)[0],
                energy_per_site(small.model, small.state)[0], 1e-11)
        << boundary;
  }
}

TEST(Dipoles, ChainsAndFilmsAreTheirPlainSums) {
  const Vec3<double> r{0.3, 0.4, 0.2};
  const auto tensor = [](const Vec3<double>& R) {
    const double R2 = dot(R, R);
    return (1 / std::pow(R2, 1.5)) *
           Vec3<double>{(3 * R.x * R.x / R2 - 1), 3 * R.x * R.y / R2, (3 * R.z * R.z / R2 - 1)};
  };
  lattice::Crystal crystal = lattice::named_crystal("sc", 1);
  crystal.cell = {{{1, 0.2, 0}, {-0.1, 1.2, 0.3}, {0, 0, 1}}};
  const auto direct = [&](int nx, int ny) {
    Vec3<double> sum{0, 0, 0};
    for (int x = -nx; x <= nx; ++x)
      for (int y = -ny; y <= ny; ++y)
        sum += tensor(r + double(x) * crystal.cell[0] + double(y) * crystal.cell[1]);
    return sum;
  };
  const DipoleSum chain(lattice::make_lattice(crystal, {1, 1, 1}, {true, false, false}));
  const Mat3<double> T1 = chain.between(r);
  const Vec3<double> plain1 = direct(20000, 0);
  EXPECT_NEAR(T1.row[0].x, plain1.x, 1e-8);
  EXPECT_NEAR(T1.row[0].y, plain1.y, 1e-8);
  EXPECT_NEAR(T1.row[2].z, plain1.z, 1e-8);
  const DipoleSum film(lattice::make_lattice(crystal, {1, 1, 1}, {true, true, false}));
  const Mat3<double> T2 = film.between(r);
  // The sum outside a square of half side n falls as 1/n. The two sums are extrapolated with this
  // law.
  const Vec3<double> coarse = direct(400, 400), fine = direct(800, 800);
  const Vec3<double> plain2 = 2.0 * fine - coarse;
  EXPECT_NEAR(T2.row[0].x, plain2.x, 1e-5);
  EXPECT_NEAR(T2.row[0].y, plain2.y, 1e-5);
  EXPECT_NEAR(T2.row[2].z, plain2.z, 1e-5);
}

TEST(Dipoles, TheCutoffTakesTheNearPairs) {
  TestSystem chain(
      "[lattice]\ntype='chain'\nsize=[8]\nmoment=[2]\n"
      "[dipolar]\nstrength=0.5\ncutoff=2.5\n");
  EXPECT_NEAR(energy_along(chain, {1, 0, 0}), -2 * 2 * (1 + 1.0 / 8), 1e-13);
}

TEST(Dipoles, ManyThreadsMakeTheSameBits) {
  // If the cell is skewed, equal distances differ in their last bits. The tables must not depend on
  // the order of threads.
  for (const char* boundary : {"periodic=[false,false,true]\n", "periodic=[true,true,false]\n"}) {
    const std::string text = skewed("[7,6,5]", boundary) + dipolar("fft");
    const auto field = [&](int threads) {
      TestSystem system(text, 1, threads);
      system.state.randomise(2);
      return fields_of(system.model, system.state).numbers;
    };
    const std::vector<double> one = field(1);
    for (int repeat = 0; repeat < 4; ++repeat) EXPECT_TRUE(field(4) == one) << boundary;
  }
}

TEST(Dipoles, AHugeCutoffOfAnOpenLatticeIsAllPairs) {
  const std::string lattice = "[lattice]\ntype='sc'\nsize=[3,4,2]\nperiodic=false\n";
  TestSystem cutoff(lattice + "[dipolar]\nstrength=1\ncutoff=300\n");
  TestSystem bonds(lattice + dipolar("bonds"));
  EXPECT_NEAR(energy_along(cutoff, {0.6, 0, 0.8}), energy_along(bonds, {0.6, 0, 0.8}), 1e-12);
}

TEST(Dipoles, TwiceIsAMistake) {
  const std::string lattice = "[lattice]\ntype='chain'\nsize=[4]\n";
  const std::string once = "[[dipolar]]\nstrength=1\n";
  EXPECT_THROW(TestSystem(lattice + once + once), InputError);
  EXPECT_THROW(TestSystem(lattice + once + once + "method='bonds'\n"), InputError);
}

TEST(Dipoles, MaterialUnitsKnowTheirStrength) {
  // The energy of two parallel Bohr magnetons at one Angstrom is mu_0 mu_B^2 / (4 pi A^3) =
  // 0.0536815 meV.
  TestSystem pair(
      "units='material'\n[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\nconstant='1 Å'\n"
      "moment='1 μB'\n[dipolar]\n");
  EXPECT_NEAR(2 * energy_along(pair, {0, 0, 1}), 5.36815e-5, 1e-9);
}

class DipolarDynamics : public testing::TestWithParam<testing_support::Named<Scheme>> {};

TEST_P(DipolarDynamics, FftAndBondsTurnTheSpinsAlike) {
  const std::string lattice =
      skewed("[3,2,1]", "periodic=[true,false,false]\n") + "[[exchange]]\nshell=1\nJ=0.7\n";
  for (const Index replicas : {Index{1}, Index{9}}) {
    TestSystem fft(lattice + dipolar("fft", 0.3), replicas, 2);
    TestSystem bonds(lattice + dipolar("bonds", 0.3), replicas);
    const double temperature = GetParam().value == Scheme::rk4 ? 0 : 0.2;
    for (TestSystem* system : {&fft, &bonds}) {
      system->state.randomise(4);
      system->integrator(GetParam().value, 0.02, 0.1, temperature).run(system->state, 50);
    }
    for (Index r = 0; r < replicas; ++r) {
      const auto a = fft.state.configuration(r), b = bonds.state.configuration(r);
      for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LT(length(a[i] - b[i]), 1e-10);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, DipolarDynamics, testing::ValuesIn(testing_support::all_schemes),
                         testing_support::by_name);

/// The mean of cos 1 cos 2 of two dipoles at distance one along z, by quadrature over both cosines.
/// The integral over the azimuths is a Bessel function.
double mean_product_of_cosines(double coupling) {
  constexpr int n = 400;
  double weight = 0, sum = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double a = -1 + (2 * i + 1.0) / n, b = -1 + (2 * j + 1.0) / n;
      const double w = std::exp(2 * coupling * a * b) *
                       std::cyl_bessel_i(0, coupling * std::sqrt((1 - a * a) * (1 - b * b)));
      weight += w;
      sum += w * a * b;
    }
  return sum / weight;
}

TEST(Dipoles, TwoDipolesAtTemperatureTAreExact) {
  const double T = 0.8, strength = 1.1;
  const double exact = mean_product_of_cosines(strength / T);
  const std::string lattice = "[lattice]\ntype='chain'\nsize=[2]\nperiodic=false\n";
  const auto product = [](const TestSystem& system, Index r) {
    const auto e = system.state.configuration(r);
    return e[0].x * e[1].x;
  };
  const auto check = [&](const std::vector<double>& series, const char* what) {
    const Estimate estimate = estimate_replicas(series, 64);
    EXPECT_NEAR(estimate.value, exact, sigmas_of_alpha * estimate.error) << what;
    EXPECT_LT(estimate.error, 0.006) << what;
  };
  TestSystem bonds(lattice + dipolar("bonds", strength), 64);
  bonds.state.randomise(1);
  Sampler sampler = bonds.sampler({Update::heat_bath}, T, 7);
  std::vector<double> series;
  sampler.run(bonds.state, 100);
  for (int n = 0; n < 400; ++n) {
    sampler.run(bonds.state, 3);
    for (Index r = 0; r < 64; ++r) series.push_back(product(bonds, r));
  }
  check(series, "heat bath, bonds");

  TestSystem fft(lattice + dipolar("fft", strength), 64);
  fft.state.randomise(2);
  Integrator integrator = fft.integrator(Scheme::depondt, 0.02, 0.5, T, 9);
  series.clear();
  integrator.run(fft.state, 500);
  for (int n = 0; n < 400; ++n) {
    integrator.run(fft.state, 20);
    for (Index r = 0; r < 64; ++r) series.push_back(product(fft, r));
  }
  check(series, "heat bath dynamics, fft");
}

}  // namespace larmor::dipolar_tests
