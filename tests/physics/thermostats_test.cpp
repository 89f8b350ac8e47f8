// Thermostats sample the canonical distribution of kinetic and potential energies.
// Rooms: atoms

#include "larmor/atoms/integrators/thermostats.hpp"

#include <gtest/gtest.h>

#include "larmor/core/error.hpp"
#include "tests/named.hpp"
#include "tests/physics/molecular_dynamics_support.hpp"

namespace larmor::atoms::thermostats_tests {
namespace {

using testing_support::by_name;

struct SampledEnergies {
  Samples kinetic, potential;
};

/// @return a series of energies for each replica, grouped by temperature; replicas of a temperature
/// are consecutive
std::vector<SampledEnergies> sample(AtomState& state, ForceField& field, Integrator& integrator,
                                    std::size_t temperatures, Index equilibration, Index every,
                                    int samples) {
  const auto replicas = static_cast<std::size_t>(state.layout.replicas());
  const std::size_t series = replicas / temperatures;
  std::vector<SampledEnergies> sampled(temperatures, {Samples(series), Samples(series)});
  integrator.start(state, field);
  integrator.run(state, field, equilibration);
  for (int n = 0; n < samples; ++n) {
    integrator.run(state, field, every);
    const std::vector<double> kinetic = kinetic_energies(state, 1);
    for (std::size_t r = 0; r < replicas; ++r) {
      sampled[r / series].kinetic[r % series].push_back(kinetic[r]);
      sampled[r / series].potential[r % series].push_back(state.energy[r]);
    }
  }
  return sampled;
}

std::vector<double> repeated(double first, double second, std::size_t times) {
  std::vector<double> values(times, first);
  values.insert(values.end(), times, second);
  return values;
}

HeatBath bath_of(std::span<const double> temperatures, double time) {
  HeatBath bath;
  for (const double T : temperatures) {
    bath.temperature.push_back(Ramp::constant(T));
    bath.time.push_back(time);
  }
  return bath;
}

// The distributions of a harmonic crystal are known. Langevin dynamics reaches all of its states.
TEST(Langevin, HasTheDistributionsOfAHarmonicCrystal) {
  constexpr std::size_t series = 32;
  constexpr double freedom = 3 * 6 - 3;
  const std::vector<double> temperatures = repeated(200, 270, series);
  const std::vector<Structure> structures(2 * series, liquid(6, 0.7));
  AtomState state = argon(structures);
  state.set_seed(1);
  set_velocities(state, temperatures, false, 1);
  HarmonicCrystal crystal(state, 1);
  // The oscillators have 16 rad/ps.
  const HeatBath bath = bath_of(temperatures, 0.05);
  Langevin langevin(0.005, bath, 1);
  const std::vector<SampledEnergies> sampled = sample(state, crystal, langevin, 2, 200, 60, 50);
  for (std::size_t t = 0; t < 2; ++t) {
    const double kT = state.units.k_B * (t == 0 ? 200 : 270);
    EXPECT_LT(kolmogorov(sampled[t].kinetic, freedom / 2, kT), 1.95);
    EXPECT_LT(kolmogorov(sampled[t].potential, freedom / 2, kT), 1.95);
    EXPECT_GT(kolmogorov(sampled[t].kinetic, freedom / 2 + 1.5, kT), 4)
        << "degrees of freedom 3N must be noticed";
    // Equipartition gives the mean kinetic energy.
    expect_within(mean_of(sampled[t].kinetic), freedom / 2 * kT, 4, "kinetic energy");
    expect_within(mean_of(sampled[t].potential), freedom / 2 * kT, 4, "potential energy");
  }
}

using NamedThermostat = testing_support::Named<const ThermostatType*>;

class EveryThermostat : public testing::TestWithParam<NamedThermostat> {};

TEST_P(EveryThermostat, HasTheBoltzmannRatioOfALiquidAtTwoTemperatures) {
  constexpr std::size_t series = 16;
  constexpr double freedom = 3 * 12 - 3, cold = 120, hot = 165;
  const std::vector<double> temperatures = repeated(cold, hot, series);
  const std::vector<Structure> structures(2 * series, liquid(12, 0.6));
  AtomState state = argon(structures);
  state.set_seed(1);
  set_velocities(state, temperatures, false, 1);
  const auto field = lennard_jones();
  const auto thermostat = GetParam().value->make(0.01, bath_of(temperatures, 0.3), 1, {});
  const std::vector<SampledEnergies> sampled = sample(state, *field, *thermostat, 2, 600, 80, 60);
  const double k_B = state.units.k_B;
  const double slope = 1 / (k_B * cold) - 1 / (k_B * hot);
  for (const auto& [energies, name] : {std::pair(&SampledEnergies::kinetic, "kinetic"),
                                       std::pair(&SampledEnergies::potential, "potential")}) {
    const Estimate ratio = boltzmann_ratio(sampled[0].*energies, sampled[1].*energies);
    expect_within(ratio, slope, 4, name);
    EXPECT_LT(ratio.error, 0.1 * slope) << name;
  }
  for (std::size_t t = 0; t < 2; ++t) {
    const double kT = k_B * (t == 0 ? cold : hot);
    EXPECT_LT(kolmogorov(sampled[t].kinetic, freedom / 2, kT), 1.95);
    EXPECT_GT(kolmogorov(sampled[t].kinetic, freedom / 2 + 1.5, kT), 3)
        << "degrees of freedom 3N must be noticed";
  }
}

/// Langevin dynamics, or all other thermostats. Langevin dynamics has a sharper test above.
std::vector<NamedThermostat> thermostats_that_are(bool langevin) {
  std::vector<NamedThermostat> named;
  for (const ThermostatType& type : thermostats())
    if ((type.name == Langevin::name) == langevin) named.push_back({test_name(type.name), &type});
  return named;
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryThermostat, testing::ValuesIn(thermostats_that_are(false)),
                         by_name);
INSTANTIATE_TEST_SUITE_P(Depth, EveryThermostat, testing::ValuesIn(thermostats_that_are(true)),
                         by_name);

TEST_P(EveryThermostat, FollowsARampOfTheTemperature) {
  constexpr std::size_t replicas = 48;
  const std::vector<Structure> structures(replicas, liquid(12, 0.6));
  AtomState state = argon(structures);
  state.set_seed(1);
  set_velocities(state, std::vector<double>(replicas, 200), false, 1);
  HeatBath bath{std::vector<Ramp>(replicas, Ramp{200, 100, 100, 400}),
                std::vector<double>(replicas, 0.1)};
  const auto thermostat = GetParam().value->make(0.01, bath, 1, {});
  const auto field = lennard_jones();
  thermostat->start(state, *field);
  const auto temperature_now = [&] {
    Samples now;
    const std::vector<double> kinetic = kinetic_energies(state, 1);
    for (std::size_t r = 0; r < replicas; ++r)
      now.push_back({temperature(state, static_cast<Index>(r), kinetic[r])});
    return mean_of(now).value;
  };
  thermostat->run(state, *field, 800);
  EXPECT_NEAR(temperature_now(), 100, 14);
}

TEST(Ramp, IsALineBetweenTwoTargets) {
  const Ramp ramp{10, 30, 100, 50};
  EXPECT_EQ(ramp.at(0), 10);
  EXPECT_EQ(ramp.at(100), 10);
  EXPECT_EQ(ramp.at(125), 20);
  EXPECT_EQ(ramp.at(150), 30);
  EXPECT_EQ(ramp.at(1000), 30);
  EXPECT_EQ(Ramp::constant(3).at(7), 3);
}

TEST(Bussi, HasGammaDeviates) {
  for (const double shape : {1.0, 2.5, 40.0}) {
    Samples samples(1);
    for (std::uint64_t step = 0; step < 4000; ++step)
      samples[0].push_back(gamma_deviate(shape, {9, step, Stream::kinetic_energy_noise}, 1));
    EXPECT_LT(kolmogorov(samples, shape, 1), 1.95) << shape;
  }
}

/// The equations of nose_hoover.hpp, integrated over `duration` in very short steps.
/// @return the rates, then the factor of velocities and the work
std::vector<double> chain_by_its_equations(std::vector<double> rates, double twice_kinetic,
                                           const ChainTarget& target, double duration) {
  const auto links = rates.size();
  const double kT = target.thermal_energy;
  if (links == 0) return {1, 0};
  rates.insert(rates.end(), {1, 0});
  const auto slope = [&](const std::vector<double>& y) {
    std::vector<double> dy(y.size());
    for (std::size_t k = 0; k < links; ++k) {
      const double Q = target.inertia(static_cast<int>(k));
      const double driven =
          k == 0 ? y[links] * y[links] * twice_kinetic - target.freedom * kT
                 : target.inertia(static_cast<int>(k) - 1) * y[k - 1] * y[k - 1] - kT;
      dy[k] = driven / Q - (k + 1 < links ? y[k] * y[k + 1] : 0);
      dy[links + 1] += kT * (k == 0 ? target.freedom : 1) * y[k];
    }
    dy[links] = -y[0] * y[links];
    return dy;
  };
  const auto moved = [](std::vector<double> y, double t, const std::vector<double>& dy) {
    for (std::size_t k = 0; k < y.size(); ++k) y[k] += t * dy[k];
    return y;
  };
  constexpr int steps = 1000;
  const double h = duration / steps;
  for (int n = 0; n < steps; ++n) {
    const auto a = slope(rates), b = slope(moved(rates, h / 2, a)),
               c = slope(moved(rates, h / 2, b)), d = slope(moved(rates, h, c));
    for (std::size_t k = 0; k < rates.size(); ++k)
      rates[k] += h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k]);
  }
  return rates;
}

class NoseHooverChains : public testing::TestWithParam<int> {};

TEST_P(NoseHooverChains, MoveAsTheirEquations) {
  const int links = GetParam();
  const ChainTarget target{15, 0.02, 0.1, links};
  NoseHooverChain chain;
  std::vector<double> rates;
  for (int k = 0; k < links; ++k) rates.push_back(chain.rate[k] = 5 - 3 * k);
  constexpr double twice_kinetic = 0.5, duration = 2e-3;
  const auto expected = chain_by_its_equations(rates, twice_kinetic, target, duration);
  const double energy = energy_of(chain, target) + twice_kinetic / 2;
  const double factor = move_chain(chain, twice_kinetic, target, duration);
  for (int k = 0; k < NoseHooverChain::most_links; ++k)
    EXPECT_NEAR(chain.rate[k], k < links ? expected[static_cast<std::size_t>(k)] : 0, 3e-6) << k;
  EXPECT_NEAR(factor, expected[static_cast<std::size_t>(links)], 1e-6);
  EXPECT_NEAR(chain.work, expected[static_cast<std::size_t>(links) + 1], 1e-6);
  EXPECT_NEAR(energy_of(chain, target) + factor * factor * twice_kinetic / 2, energy, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Links, NoseHooverChains, testing::Values(0, 1, 2, 3, 8),
                         testing::PrintToStringParamName());

TEST(Thermostats, RefuseWhatHasNoTemperature) {
  const HeatBath bath{{Ramp::constant(100)}, {0.1}};
  const auto field = lennard_jones();
  const std::vector<Structure> alone{liquid(1, 0.1)}, pair{liquid(2, 0.1)};
  AtomState state = argon(alone);
  EXPECT_THROW(Langevin(0.01, bath, 1).start(state, *field), InputError);
  AtomState moving = argon(pair);
  moving.velocity = std::vector<Vec3<double>>{{1, 0, 0}, {1, 0, 0}};
  EXPECT_THROW(NoseHoover(0.01, bath, 1).start(moving, *field), InputError);
  EXPECT_THROW(NoseHoover(0.01, {{Ramp::constant(0)}, {0.1}}, 1), InputError);
  EXPECT_THROW(NoseHoover(0.01, {{Ramp::constant(100)}, {0.1}}, 1, {9}), InputError);
  EXPECT_THROW(Langevin(0.01, {{Ramp::constant(-1)}, {0.1}}, 1), InputError);
  EXPECT_THROW(Langevin(0.01, {{Ramp::constant(1)}, {0}}, 1), InputError);
  EXPECT_THROW(Langevin(0, bath, 1), InputError);
}

}  // namespace
}  // namespace larmor::atoms::thermostats_tests
