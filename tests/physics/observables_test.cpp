// Spin temperature, spin currents, energies of sites and overlaps, compared with identities and
// closed forms.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/spins/hamiltonian/energy_kernels.hpp"
#include "larmor/spins/observables/spin_current.hpp"
#include "test_system.hpp"

namespace larmor::observables_tests {

using namespace larmor::spins;
using testing_support::sigmas_of_alpha;
using testing_support::TestSystem;

const char* every_form =
    "[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=0.7\n"
    "[[dmi]]\nshell=1\nstrength=0.3\ndirection='interface'\n"
    "[[biquadratic]]\nshell=1\nb=0.4\n[[anisotropy]]\nK=0.5\nK4=-0.8\nK6=0.6\naxis=[1,2,2]\n"
    "[field]\nB=[0.3,0,0.4]\n";

TEST(SpinTemperature, IsThatOfTheSampler) {
  // The identity <|e x h|^2> = k_B T <Laplacian H> is exact, so the mean of the difference is zero.
  const double T = 0.9;
  TestSystem system(every_form, 16);
  system.state.randomise(1);
  Sampler sampler = system.sampler({}, T, 2);
  for (int n = 0; n < 30; ++n) sampler.tune(system.state, 10);
  std::vector<double> difference, numerator;
  for (int n = 0; n < 3000; ++n) {
    sampler.run(system.state, 2);
    const std::vector<double> sums =
        energy_kernels(system.device)
            .temperature_sums(system.device, system.model.view(16), system.state.reals())
            .take();
    for (std::size_t r = 0; r < 16; ++r) {
      difference.push_back(sums[r] - T * sums[16 + r]);
      numerator.push_back(sums[r]);
    }
    EXPECT_NEAR(spin_temperature(system.model, system.state)[3], sums[3] / sums[16 + 3], 1e-12);
  }
  const Estimate estimate = estimate_replicas(difference, 16);
  EXPECT_NEAR(estimate.value, 0, sigmas_of_alpha * estimate.error);
  EXPECT_LT(estimate.error, 0.01 * estimate_replicas(numerator, 16).value);
}

TEST(SpinTemperature, OneReplicaIsMeasuredLikeMany) {
  TestSystem one(every_form), many(every_form, 3);
  one.state.randomise(4);
  many.state.randomise(4);
  EXPECT_NEAR(spin_temperature(one.model, one.state)[0],
              spin_temperature(many.model, many.state)[0], 1e-13);
}

/// Spin currents along x of every replica.
std::vector<Vec3<double>> current(const TestSystem& system, const std::string& text, int axis = 0) {
  const study::SystemTables tables = study::parse_system(text, "test");
  const auto terms = study::lower_terms(tables, system.geometry, system.moments);
  return SpinCurrent(system.device, system.geometry, terms, system.model, axis)
      .measure(system.state);
}

TEST(SpinCurrents, OfASpiralAreTheSlopeOfItsEnergy) {
  // A bond of length 2 has the energy E = - J cos a - D sin a. Therefore j = 2 dE/da about the axis
  // of the spiral. It is zero at the pitch atan(D / J).
  const std::string text =
      "[lattice]\ntype='chain'\nsize=[12]\nconstant=2\n[[exchange]]\nshell=1\nJ=1\n"
      "[[dmi]]\nshell=1\nstrength=0.4\ndirection='bond'\n";
  TestSystem system(text);
  for (const int turns : {0, 1, 2, -3}) {
    std::vector<Vec3<double>> e;
    const double pitch = 2 * M_PI * turns / 12;
    for (int i = 0; i < 12; ++i) e.push_back({0, std::cos(pitch * i), std::sin(pitch * i)});
    system.state.set_all(e);
    const Vec3<double> j = current(system, text)[0];
    EXPECT_NEAR(j.x, 2 * (std::sin(pitch) - 0.4 * std::cos(pitch)), 1e-13);
    EXPECT_NEAR(j.y, 0, 1e-13);
    EXPECT_NEAR(j.z, 0, 1e-13);
  }
}

TEST(SpinCurrents, MoveTheCentreOfTheSpin) {
  // Exchange conserves spin, so d/dt sum_i r_i mu_i e_i is N gamma j, with equal or different
  // moments.
  const std::string text =
      "[lattice]\ntype='honeycomb'\nsize=[3,4]\nperiodic=false\nmoment=[1.3,0.7]\n"
      "[[exchange]]\nshell=1\nJ=1\n[[exchange]]\nshell=2\nJ=-0.4\n";
  for (const Index replicas : {Index{1}, Index{2}}) {
    TestSystem system(text, replicas);
    system.state.randomise(3);
    const std::vector<Vec3<double>> j[2] = {current(system, text, 0), current(system, text, 1)};
    const auto centre = [&](Index r, int axis) {
      Vec3<double> sum{0, 0, 0};
      const auto e = system.state.configuration(r);
      for (Index i = 0; i < system.geometry.sites(); ++i) {
        const auto s = static_cast<std::size_t>(i);
        const Vec3<double> position = system.geometry.position(i);
        sum += ((axis == 0 ? position.x : position.y) * system.moments[s]) * e[s];
      }
      return sum;
    };
    for (Index r = 0; r < replicas; ++r) {
      for (const int axis : {0, 1}) {
        system.state.randomise(3);
        const double step = 1e-4;
        system.integrator(Scheme::rk4, step).run(system.state, 1);
        const Vec3<double> after = centre(r, axis);
        system.state.randomise(3);
        // A negative time step integrates backwards.
        system.integrator(Scheme::rk4, -step).run(system.state, 1);
        const Vec3<double> rate = (0.5 / step) * (after - centre(r, axis));
        const auto n = static_cast<double>(system.geometry.sites());
        EXPECT_LT(length(rate - n * j[axis][static_cast<std::size_t>(r)]), 1e-6);
        EXPECT_GT(length(rate), 0.1);
      }
    }
  }
}

TEST(SiteEnergies, AddUpToTheEnergy) {
  for (const Index replicas : {Index{1}, Index{5}}) {
    TestSystem system(every_form, replicas);
    system.state.randomise(7);
    const std::vector<double> sites = site_energies(system.model, system.state);
    const std::vector<double> energy = energy_per_site(system.model, system.state);
    EXPECT_NEAR(std::accumulate(sites.begin(), sites.end(), 0.0),
                16 * std::accumulate(energy.begin(), energy.end(), 0.0), 1e-11);
  }
  // Energies are in canonical order, and only site 3 has a field.
  TestSystem one("[lattice]\ntype='chain'\nsize=[6]\n[[local-field]]\nB=[0,0,1]\nsites=[3]\n");
  const std::vector<double> sites = site_energies(one.model, one.state);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(sites[i], i == 3 ? -1 : 0, 1e-15);
}

TEST(Overlap, OfAPrecessingSpin) {
  TestSystem system("[lattice]\ntype='chain'\nsize=[5]\n[field]\nB=[0,0,2]\n", 3);
  system.state.set_all(std::vector<Vec3<double>>(5, {0.6, 0, 0.8}));
  const RealArray first(system.state.device(), system.state.save());
  system.integrator(Scheme::depondt, 0.01).run(system.state, 70);
  for (const double o : overlap_async(system.state, first).take())
    EXPECT_NEAR(o, 0.64 + 0.36 * std::cos(2 * 0.7), 1e-10);
}

}  // namespace larmor::observables_tests
