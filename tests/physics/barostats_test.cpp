// Barostats sample exp(-(E + P V) / k_B T) dV, in boxes of every kind.
// Rooms: atoms

#include <gtest/gtest.h>

#include "larmor/atoms/integrators/cell_rescaling.hpp"
#include "larmor/atoms/integrators/mtk.hpp"
#include "larmor/core/error.hpp"
#include "tests/named.hpp"
#include "tests/physics/molecular_dynamics_support.hpp"

namespace larmor::atoms::barostats_tests {
namespace {

using testing_support::by_name;
struct Barostat {
  CellShape shape;
  double rates;  ///< number of box rates with kinetic energy; 0: none
};
using NamedBarostat = testing_support::Named<Barostat>;

class EveryBarostat : public testing::TestWithParam<NamedBarostat> {};

/// @param compressibility in Angstrom^3/eV
CellRescaling::Keys keys_of(double compressibility) {
  return {1 / (compressibility * gigapascal())};
}

/// A barostat for a crystal with a compressibility of about 50 Angstrom^3/eV.
std::unique_ptr<Integrator> make(const Barostat& barostat, double timestep,
                                 const std::vector<double>& pressures, double T) {
  HeatBath heat;
  std::vector<Ramp> pressure;
  for (const double P : pressures) {
    heat.temperature.push_back(Ramp::constant(T));
    heat.time.push_back(0.3);
    pressure.push_back(Ramp::constant(P));
  }
  const auto bath = [&](double time) {
    return PressureBath(barostat.shape, pressure, std::vector<double>(pressures.size(), time));
  };
  if (barostat.rates == 0)
    return std::make_unique<CellRescaling>(timestep, heat, bath(0.5), 1, keys_of(50));
  // The box oscillates with a period of a picosecond.
  return std::make_unique<Mtk>(timestep, heat, bath(4), 1);
}

// The system is a crystal of argon at two pressures.
TEST_P(EveryBarostat, HasTheVolumesOfTwoPressures) {
  constexpr std::size_t series = 8, replicas = 2 * series;
  constexpr double T = 50;
  const double low = 0.1 * gigapascal(), high = 0.15 * gigapascal();
  const std::vector<Structure> structures(replicas, fcc(2, 5.28));
  AtomState state = argon(structures);
  state.set_seed(1);
  set_velocities(state, std::vector<double>(replicas, T), false, 1);
  std::vector<double> pressures(series, low);
  pressures.insert(pressures.end(), series, high);
  const auto barostat = make(GetParam().value, 0.015, pressures, T);
  const auto field = lennard_jones();
  barostat->start(state, *field);
  barostat->run(state, *field, 700);

  Samples box_energy(replicas);
  std::vector<Samples> volume(2, Samples(series));
  // The samples of V (P_ab - P delta_ab), with ab in the order of SymmetricTensor. [6][pressure]
  std::vector<std::vector<Samples>> excess(6, std::vector<Samples>(2, Samples(series)));
  for (int n = 0; n < 150; ++n) {
    barostat->run(state, *field, 15);
    const std::vector<SymmetricTensor> kinetic = kinetic_stresses(state, 1);
    for (std::size_t r = 0; r < replicas; ++r) {
      const double V = state.box[r].volume();
      volume[r / series][r % series].push_back(V);
      if (const auto* swinging = dynamic_cast<const Mtk*>(barostat.get()))
        box_energy[r].push_back(swinging->box_energy(state, static_cast<Index>(r)));
      const SymmetricTensor P = pressure(state, static_cast<Index>(r), kinetic[r]);
      for (std::size_t k = 0; k < 6; ++k)
        excess[k][r / series][r % series].push_back(V * (P[k] - (k < 3 ? pressures[r] : 0)));
    }
  }
  const double kT = state.units.k_B * T;
  const double rates = GetParam().value.rates;
  if (rates > 0) expect_within(mean_of(box_energy), rates / 2 * kT, 4, "energy of the box");
  const Estimate ratio = boltzmann_ratio(volume[0], volume[1]);
  expect_within(ratio, (low - high) / kT, 4, "Boltzmann ratio of volumes");
  EXPECT_LT(ratio.error, 0.2 * (high - low) / kT);

  // The derivative of the mean volume, -dV/dP, is the variance of V over k_B T.
  const Estimate compressed = jackknife(series, [&](std::size_t left_out) {
    const auto mean = [&](Samples samples) {
      if (left_out < series) samples.erase(samples.begin() + static_cast<Index>(left_out));
      return mean_of(samples).value;
    };
    const double fluctuations =
        0.5 * (variance_without(volume[0], left_out) + variance_without(volume[1], left_out));
    return (mean(volume[0]) - mean(volume[1])) / ((high - low) * fluctuations / kT);
  });
  expect_within(compressed, 1, 4, "compressibility over that of the fluctuations");

  // <V (P_ab - P delta_ab)> = - k_B T delta_ab for the components that the box may change, and for
  // the three equal directions of this crystal.
  for (std::size_t p = 0; p < 2; ++p)
    for (std::size_t k = 0; k < (GetParam().value.shape == CellShape::triclinic ? 6u : 3u); ++k)
      expect_within(mean_of(excess[k][p]), k < 3 ? -kT : 0, 4, "V (P_ab - P)");
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryBarostat,
                         testing::Values(NamedBarostat{"triclinic", {CellShape::triclinic, 6}},
                                         NamedBarostat{"rescaled_isotropic",
                                                       {CellShape::isotropic, 0}}),
                         by_name);
INSTANTIATE_TEST_SUITE_P(Depth, EveryBarostat,
                         testing::Values(NamedBarostat{"isotropic", {CellShape::isotropic, 1}},
                                         NamedBarostat{"anisotropic", {CellShape::anisotropic, 3}},
                                         NamedBarostat{"rescaled_triclinic",
                                                       {CellShape::triclinic, 0}}),
                         by_name);

class ConstantEnthalpy : public testing::TestWithParam<NamedBarostat> {};

// Each momentum has an equal share of the energy, also each momentum of the box. As M dR/dt is zero
// on average, <V (P_ab - P delta_ab)> = - <2 K / n> delta_ab.
TEST_P(ConstantEnthalpy, GivesTheBoxItsShareOfTheEnergy) {
  constexpr std::size_t replicas = 16;
  const auto& [shape, rates] = GetParam().value;
  const double P = 0.1 * gigapascal();
  const std::vector<Structure> structures(replicas, fcc(2, 5.28));
  AtomState state = argon(structures);
  state.set_seed(1);
  set_velocities(state, std::vector<double>(replicas, 120), false, 1);
  Mtk barostat(
      0.012,
      {std::vector<Ramp>(replicas, Ramp::constant(50)), std::vector<double>(replicas, 1), false},
      PressureBath(shape, std::vector<Ramp>(replicas, Ramp::constant(P)),
                   std::vector<double>(replicas, 4)),
      1);
  const auto field = lennard_jones();
  barostat.start(state, *field);
  barostat.run(state, *field, 1000);
  const auto enthalpies = [&] {
    std::vector<double> H = kinetic_energies(state, 1);
    for (std::size_t r = 0; r < replicas; ++r)
      H[r] += state.energy[r] + P * state.box[r].volume() +
              barostat.box_energy(state, static_cast<Index>(r));
    return H;
  };
  const std::vector<double> begin = enthalpies();
  Samples of_box(replicas), of_atoms(replicas);
  std::vector<Samples> excess(6, Samples(replicas));
  for (int n = 0; n < 150; ++n) {
    barostat.run(state, *field, 20);
    const std::vector<SymmetricTensor> kinetic = kinetic_stresses(state, 1);
    for (std::size_t r = 0; r < replicas; ++r) {
      const auto replica = static_cast<Index>(r);
      const double share = (kinetic[r][0] + kinetic[r][1] + kinetic[r][2]) /
                           static_cast<double>(degrees_of_freedom(32));
      of_atoms[r].push_back(share);
      of_box[r].push_back(2 * barostat.box_energy(state, replica) / rates - share);
      const SymmetricTensor now = pressure(state, replica, kinetic[r]);
      for (std::size_t k = 0; k < 6; ++k)
        excess[k][r].push_back(k < 3 ? state.box[r].volume() * (now[k] - P) + share
                                     : state.box[r].volume() * now[k]);
    }
  }
  for (std::size_t r = 0; r < replicas; ++r) EXPECT_NEAR(enthalpies()[r], begin[r], 0.01) << r;
  const double share = mean_of(of_atoms).value;
  const Estimate more = mean_of(of_box);
  expect_within(more, 0, 4, "energy of a rate of the box less that of a velocity");
  EXPECT_LT(more.error, 0.25 * share);
  for (std::size_t k = 0; k < (shape == CellShape::triclinic ? 6u : 3u); ++k)
    expect_within(mean_of(excess[k]), 0, 4, "V (P_ab - P) + 2 K / n");
}

INSTANTIATE_TEST_SUITE_P(Boxes, ConstantEnthalpy,
                         testing::Values(NamedBarostat{"isotropic", {CellShape::isotropic, 1}}),
                         by_name);
INSTANTIATE_TEST_SUITE_P(Depth, ConstantEnthalpy,
                         testing::Values(NamedBarostat{"triclinic", {CellShape::triclinic, 6}}),
                         by_name);

TEST(Barostats, RampBringsAGasToItsVolume) {
  constexpr std::size_t replicas = 24, atoms = 12;
  constexpr double T = 600;
  const std::vector<Structure> structures(replicas, liquid(atoms, 0.01));
  AtomState state = argon(structures);
  state.set_seed(1);
  set_velocities(state, std::vector<double>(replicas, T), false, 1);
  // The atoms are nearly an ideal gas: P V = N k_B T.
  const double first = atoms * state.units.k_B * T / state.box[0].volume();
  Mtk barostat(0.01,
               {std::vector<Ramp>(replicas, Ramp::constant(T)), std::vector<double>(replicas, 0.5)},
               PressureBath(CellShape::isotropic,
                            std::vector<Ramp>(replicas, Ramp{first, 2 * first, 0, 1000}),
                            std::vector<double>(replicas, 1)),
               1);
  const auto field = lennard_jones();
  barostat.start(state, *field);
  barostat.run(state, *field, 2000);
  Samples volumes(replicas);
  for (int n = 0; n < 20; ++n) {
    barostat.run(state, *field, 50);
    for (std::size_t r = 0; r < replicas; ++r)
      volumes[r].push_back(state.box[r].volume() * 2 * first);
  }
  EXPECT_NEAR(mean_of(volumes).value, atoms * state.units.k_B * T,
              0.12 * atoms * state.units.k_B * T);
}

class IdealGas : public ForceField {
 public:
  void evaluate(AtomState&) override {}
};

TEST(Barostats, RescalingABoxHeatsAGasAsCompressionDoes) {
  const std::vector<Structure> structures{liquid(12, 0.01)};
  AtomState state = argon(structures);
  state.set_seed(1);
  set_velocities(state, std::vector<double>{300}, true, 1);
  const double V = state.box[0].volume(), K = kinetic_energies(state, 1)[0];
  // The thermostat is so weak that it adds no heat.
  CellRescaling barostat(0.01, {{Ramp::constant(300)}, {1e12}},
                         PressureBath(CellShape::isotropic, {Ramp::constant(8 * K / V)}, {1}), 1,
                         keys_of(1e5));
  IdealGas gas;
  barostat.start(state, gas);
  barostat.run(state, gas, 20);
  const double compressed = state.box[0].volume() / V;
  EXPECT_LT(compressed, 0.9);
  EXPECT_NEAR(kinetic_energies(state, 1)[0] / K * std::pow(compressed, 2.0 / 3), 1, 1e-4);
}

TEST(Barostats, BoxesMoveAsTheirEquations) {
  const Mat3<double> rate{{{0.2, 0.05, -0.1}, {0.05, -0.3, 0.02}, {-0.1, 0.02, 0.1}}};
  const AffineStep whole = affine_step(rate, 1), half = affine_step(rate, 0.5);
  const Vec3<double> y{1, 2, 3}, f{-1, 0.5, 2};
  const Vec3<double> twice = half(half(y, f), f), once = whole(y, f);
  EXPECT_LT(length(once - twice), 1e-14);
  // The derivative dy/dt at y = 0.
  constexpr double h = 1e-6;
  const Vec3<double> slope = (0.5 / h) * (affine_step(rate, h)(y, f) - affine_step(rate, -h)(y, f));
  EXPECT_LT(length(slope - (rate * y + f)), 1e-9);
}

TEST(Barostats, RefusesOpenBoxesAndBadTimes) {
  const HeatBath heat{{Ramp::constant(100)}, {0.1}};
  const PressureBath bath(CellShape::isotropic, {Ramp::constant(0)}, {1});
  std::vector<Structure> structures{liquid(4, 0.5)};
  structures[0].box.periodic[1] = false;
  AtomState state = argon(structures);
  const auto field = lennard_jones();
  EXPECT_THROW(Mtk(0.01, heat, bath, 1).start(state, *field), InputError);
  EXPECT_THROW(CellRescaling(0.01, heat, bath, 1, keys_of(50)).start(state, *field), InputError);
  EXPECT_THROW(CellRescaling(0.01, heat, bath, 1, {-1}), InputError);
  EXPECT_THROW(PressureBath(CellShape::isotropic, {Ramp::constant(0)}, {0}), InputError);
  EXPECT_THROW(PressureBath(CellShape::isotropic, {Ramp::constant(std::nan(""))}, {1}), InputError);
}

TEST(Barostats, StopsWhenTheBoxCollapses) {
  const std::vector<Structure> structures{liquid(8, 0.7)};
  AtomState state = argon(structures);
  state.set_seed(2);
  set_velocities(state, std::vector<double>{100}, false, 1);
  const auto field = lennard_jones();
  Mtk barostat(0.01, {{Ramp::constant(100)}, {0.1}},
               {CellShape::isotropic, {Ramp::constant(1e6 * gigapascal())}, {0.01}}, 1);
  barostat.start(state, *field);
  EXPECT_THROW(barostat.run(state, *field, 1000), UnphysicalError);
}

}  // namespace
}  // namespace larmor::atoms::barostats_tests
