// Minima of energy and of enthalpy of atoms, which each replica reaches independently.
// Rooms: atoms

#include <gtest/gtest.h>

#include "larmor/atoms/integrators/pressure_bath.hpp"
#include "larmor/atoms/minimisers/fire.hpp"
#include "larmor/atoms/minimisers/lbfgs.hpp"
#include "tests/named.hpp"
#include "tests/physics/molecular_dynamics_support.hpp"

namespace larmor::atoms::atom_minimisers_tests {
namespace {

using testing_support::by_name;

enum class Method { fire, lbfgs };
using NamedMethod = testing_support::Named<Method>;

class EveryAtomMinimiser : public testing::TestWithParam<NamedMethod> {};

std::unique_ptr<Minimiser> make(Method method, const AtomState& state,
                                const MinimiserSettings& settings, int threads = 1) {
  if (method == Method::fire) return std::make_unique<Fire>(state.layout, settings, threads);
  return std::make_unique<Lbfgs>(state.layout, settings, 8, threads);
}

/// Moves every coordinate by up to `distance`, with reproducible random numbers.
Structure shaken(Structure structure, double distance, std::uint64_t seed) {
  std::uint64_t state = seed;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return distance * (2 * (static_cast<double>(state >> 11) / 9007199254740992.0) - 1);
  };
  for (Vec3<double>& r : structure.positions) r += {next(), next(), next()};
  return structure;
}

Structure strained(Structure structure, const Mat3<double>& F) {
  for (Vec3<double>& r : structure.positions) r = F * r;
  for (Vec3<double>& v : structure.box.vectors) v = F * v;
  return structure;
}

/// The enthalpy E + P V of a cubic cell of the perfect crystal, with 4 atoms.
double enthalpy_of_cube(double a, double P) {
  const std::vector<Structure> structures{fcc(1, a)};
  AtomState state = argon(structures);
  lennard_jones()->evaluate(state);
  return state.energy[0] + P * a * a * a;
}

/// The edge of least enthalpy, by golden-section search over perfect crystals.
double best_edge(double P) {
  double low = 4.8, high = 5.8;
  const double share = (std::sqrt(5.0) - 1) / 2;
  for (int n = 0; n < 60; ++n) {
    const double a = high - share * (high - low), b = low + share * (high - low);
    (enthalpy_of_cube(a, P) < enthalpy_of_cube(b, P) ? high : low) =
        enthalpy_of_cube(a, P) < enthalpy_of_cube(b, P) ? b : a;
  }
  return 0.5 * (low + high);
}

TEST_P(EveryAtomMinimiser, BringsAShakenCrystalBackToItsEnergy) {
  const std::vector<Structure> perfect{fcc(3, 5.3)};
  const std::vector<Structure> structures{shaken(fcc(3, 5.3), 0.3, 1), shaken(fcc(3, 5.3), 0.5, 2)};
  AtomState ideal = argon(perfect), state = argon(structures);
  const auto field = lennard_jones();
  lennard_jones()->evaluate(ideal);
  MinimiserSettings settings;
  settings.tolerance = 1e-8;
  const auto minimiser = make(GetParam().value, state, settings);
  minimiser->start(state, *field);
  EXPECT_EQ(minimiser->converged(), 0);
  const Index made = minimiser->run(state, *field, 3000);
  ASSERT_EQ(minimiser->converged(), 2);
  EXPECT_LT(made, GetParam().value == Method::lbfgs ? 120 : 1200);
  for (std::size_t r = 0; r < 2; ++r) {
    EXPECT_NEAR(state.energy[r], ideal.energy[0], 1e-12 * std::abs(ideal.energy[0]));
    EXPECT_EQ(minimiser->enthalpies()[r], state.energy[r]);
  }
  double largest = 0;
  for (const Vec3<double>& F : state.force) largest = std::max(largest, length(F));
  EXPECT_LE(largest, 1e-8);
  // The stored forces belong to the final positions.
  const std::vector<Vec3<double>> force(state.force.begin(), state.force.end());
  lennard_jones()->evaluate(state);
  for (std::size_t i = 0; i < force.size(); ++i) EXPECT_EQ(force[i], state.force[i]);
}

TEST_P(EveryAtomMinimiser, FindsAVacancyOfLowerEnergyThanTheUnrelaxedOne) {
  Structure vacancy = fcc(3, 5.3);
  vacancy.positions.pop_back();
  vacancy.types.pop_back();
  const std::vector<Structure> structures{vacancy};
  AtomState state = argon(structures);
  const auto field = lennard_jones();
  MinimiserSettings settings;
  settings.tolerance = 1e-7;
  const auto minimiser = make(GetParam().value, state, settings);
  minimiser->start(state, *field);
  const double before = minimiser->enthalpies()[0];
  double last = before;
  Index made = 0;
  while (!minimiser->done() && made < 2000) {
    made += minimiser->run(state, *field, 1);
    const double now = minimiser->enthalpies()[0];
    if (GetParam().value == Method::lbfgs) {
      EXPECT_LE(now, last + 1e-12);
    }
    last = now;
  }
  ASSERT_EQ(minimiser->converged(), 1);
  EXPECT_LT(last, before - 1e-5);
}

TEST_P(EveryAtomMinimiser, RelaxesBoxesToTheEnthalpyOfAScanOfEdges) {
  const double pressure[] = {0, 0.5 * gigapascal(), -0.1 * gigapascal()};
  for (const CellShape shape :
       {CellShape::isotropic, CellShape::anisotropic, CellShape::triclinic}) {
    Mat3<double> F = multiple_of_unit(1);
    if (shape != CellShape::isotropic) F.row[0].x = 1.04;
    if (shape == CellShape::triclinic) F.row[0].y = F.row[1].x = 0.03;
    const std::vector<Structure> structures(3, strained(shaken(fcc(2, 5.4), 0.1, 3), F));
    AtomState state = argon(structures);
    const auto field = lennard_jones();
    MinimiserSettings settings;
    settings.tolerance = 1e-7;
    settings.box = {shape, {std::begin(pressure), std::end(pressure)}, 1e-8};
    const auto minimiser = make(GetParam().value, state, settings);
    minimiser->start(state, *field);
    minimiser->run(state, *field, 3000);
    ASSERT_EQ(minimiser->converged(), 3);
    for (std::size_t r = 0; r < 3; ++r) {
      const double edge = best_edge(pressure[r]);
      EXPECT_NEAR(std::cbrt(state.box[r].volume() / 8), edge, 1e-5);
      EXPECT_NEAR(minimiser->enthalpies()[r] / 8, enthalpy_of_cube(edge, pressure[r]), 1e-9);
      EXPECT_LE(minimiser->pressure_excesses()[r], 1e-8);
      const SymmetricTensor& W = state.virial[r];
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(W[k] / state.box[r].volume(), k < 3 ? pressure[r] : 0, 2e-8);
    }
  }
}

TEST_P(EveryAtomMinimiser, KeepsWhatABoxMayNotFollow) {
  Mat3<double> F = multiple_of_unit(1);
  F.row[0].y = F.row[1].x = 0.02;
  const std::vector<Structure> structures{strained(fcc(2, 5.2), F)};
  for (const CellShape shape : {CellShape::isotropic, CellShape::anisotropic}) {
    AtomState state = argon(structures);
    const auto field = lennard_jones();
    MinimiserSettings settings;
    settings.box = {shape, {0}, 1e-7};
    const auto minimiser = make(GetParam().value, state, settings);
    minimiser->start(state, *field);
    minimiser->run(state, *field, 3000);
    ASSERT_EQ(minimiser->converged(), 1);
    const auto& [a, b, c] = state.box[0].vectors;
    const auto& first = structures[0].box.vectors;
    // A strain scales rows: a_x by 1 + e_xx, and a_y by 1 + e_yy.
    EXPECT_NEAR(a.y / b.y, first[0].y / first[1].y, 1e-12);
    EXPECT_NEAR(b.x / a.x, first[1].x / first[0].x, 1e-12);
    if (shape == CellShape::isotropic) {
      EXPECT_NEAR(a.x / c.z, first[0].x / first[2].z, 1e-12);
    }
    EXPECT_GT(std::abs(state.virial[0][3]), 1e-3);
  }
}

TEST_P(EveryAtomMinimiser, ReplicasHaveTheBitsThatTheyHaveAlone) {
  const std::vector<Structure> structures{shaken(fcc(2, 5.3), 0.02, 1), shaken(fcc(3, 5.5), 0.5, 2),
                                          shaken(fcc(2, 5.1), 0.4, 3)};
  MinimiserSettings settings;
  settings.tolerance = 1e-6;
  const auto relaxed = [&](std::span<const Structure> some, int threads) {
    AtomState state = argon(some);
    settings.box = {CellShape::triclinic, std::vector<double>(some.size(), 0.001), 1e-6};
    const auto field = lennard_jones(1, threads);
    const auto minimiser = make(GetParam().value, state, settings, threads);
    minimiser->start(state, *field);
    minimiser->run(state, *field, 3000);
    EXPECT_EQ(minimiser->converged(), static_cast<Index>(some.size()));
    return state;
  };
  const AtomState together = relaxed(structures, 3);
  for (std::size_t r = 0; r < 3; ++r) {
    const AtomState alone = relaxed(std::span(structures).subspan(r, 1), 1);
    const auto replica = static_cast<Index>(r);
    EXPECT_EQ(together.box[r].vectors, alone.box[0].vectors);
    EXPECT_EQ(together.energy[r], alone.energy[0]);
    const auto a = together.positions_of(replica), b = alone.positions_of(0);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i], b[i]);
  }
}

TEST_P(EveryAtomMinimiser, LeavesAReplicaThatIsAtItsMinimumWhereItIs) {
  const std::vector<Structure> structures{fcc(2, 5.3), shaken(fcc(2, 5.3), 0.3, 4)};
  AtomState state = argon(structures);
  const auto field = lennard_jones();
  const auto minimiser = make(GetParam().value, state, {});
  minimiser->start(state, *field);
  EXPECT_EQ(minimiser->converged(), 1);
  minimiser->run(state, *field, 3000);
  ASSERT_EQ(minimiser->converged(), 2);
  const auto positions = state.positions_of(0);
  for (std::size_t i = 0; i < positions.size(); ++i)
    EXPECT_EQ(positions[i], structures[0].positions[i]);
}

TEST_P(EveryAtomMinimiser, GoesOnAfterLoadingWithTheSameBits) {
  const std::vector<Structure> structures{shaken(fcc(2, 5.4), 0.4, 5), shaken(fcc(2, 5.2), 0.1, 6)};
  MinimiserSettings settings;
  settings.tolerance = 1e-9;
  settings.box = {CellShape::anisotropic, {0, 0.002}, 1e-9};
  for (const Index before : {0, 1, 17}) {
    AtomState state = argon(structures);
    const auto field = lennard_jones();
    const auto minimiser = make(GetParam().value, state, settings);
    minimiser->start(state, *field);
    minimiser->run(state, *field, before);

    AtomState other = argon(structures);
    other.position = state.position;
    other.box = state.box;
    const auto other_field = lennard_jones();
    const auto resumed = make(GetParam().value, other, settings);
    resumed->load(minimiser->save());
    EXPECT_EQ(resumed->save(), minimiser->save());
    ASSERT_FALSE(minimiser->done());
    for (int n = 0; n < 5; ++n) {
      EXPECT_EQ(minimiser->run(state, *field, 7), resumed->run(other, *other_field, 7));
      EXPECT_EQ(resumed->save(), minimiser->save());
      for (std::size_t i = 0; i < state.position.size(); ++i)
        EXPECT_EQ(state.position[i], other.position[i]);
    }
  }
}

TEST_P(EveryAtomMinimiser, StopsWhereTheEnergyHardlyChanges) {
  const std::vector<Structure> structures{shaken(fcc(3, 5.3), 0.3, 1)};
  const auto run = [&](double energy_tolerance) {
    AtomState state = argon(structures);
    const auto field = lennard_jones();
    MinimiserSettings settings;
    settings.tolerance = 1e-9;
    settings.energy_tolerance = energy_tolerance;
    const auto minimiser = make(GetParam().value, state, settings);
    minimiser->start(state, *field);
    const Index made = minimiser->run(state, *field, 3000);
    EXPECT_EQ(minimiser->converged(), 1);
    return std::pair(made, minimiser->largest_forces()[0]);
  };
  const auto [few, rough] = run(1e-6);
  const auto [many, fine] = run(0);
  EXPECT_LT(few, many);
  EXPECT_GT(rough, 1e-9);
  EXPECT_LE(fine, 1e-9);
}

TEST_P(EveryAtomMinimiser, MovesNoAtomFartherThanTheLargestStep) {
  const std::vector<Structure> structures{shaken(fcc(2, 5.3), 1.2, 9)};
  AtomState state = argon(structures);
  const auto field = lennard_jones();
  MinimiserSettings settings;
  settings.max_step = 0.05;
  const auto minimiser = make(GetParam().value, state, settings);
  minimiser->start(state, *field);
  for (int n = 0; n < 40; ++n) {
    const auto before = state.position;
    minimiser->run(state, *field, 1);
    for (std::size_t i = 0; i < before.size(); ++i)
      // FIRE takes half a step back before it restarts.
      EXPECT_LE(length(state.position[i] - before[i]),
                0.05 * (GetParam().value == Method::fire ? 1.5 : 1.0) + 1e-12);
  }
}

TEST_P(EveryAtomMinimiser, RefusesAnOpenBoxThatWouldRelax) {
  Structure open = fcc(2, 5.3);
  open.box.periodic[1] = false;
  const std::vector<Structure> structures{open};
  AtomState state = argon(structures);
  const auto field = lennard_jones();
  MinimiserSettings settings;
  settings.box = {CellShape::isotropic, {0}, 1e-6};
  EXPECT_THROW(make(GetParam().value, state, settings)->start(state, *field), InputError);
}

// Two atoms on a spring at a distance of 2 x. Every vector has the components x and -x.
TEST(Fire, TakesTheStepsOfThePaper) {
  constexpr double k = 7, displacement = 0.02;
  const std::vector<Structure> structures{
      {{{{{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}}}, {{1, 2, 3}, {5, 2, 3}}, {0, 0}}};
  AtomState state = argon(structures);
  HarmonicCrystal field(state, k);
  state.position[0].x -= displacement;
  state.position[1].x += displacement;
  MinimiserSettings settings;
  settings.tolerance = 1e-12;
  Fire fire(state.layout, settings, 1);
  fire.start(state, field);
  double x = displacement, v = 0, dt = 0.1, a = 0.25;
  int downhill = 0, reversals = 0;
  int step = 0;
  for (; step < 150 && !fire.done(); ++step) {
    const double F = -k * x;
    if (F * v > 0) {
      if (++downhill > 20) dt = std::min(1.1 * dt, 1.0), a *= 0.99;
      v += F * dt;
      v = (1 - a) * v + a * std::abs(v) * F / std::abs(F);
    } else {
      if (step >= 20) dt = std::max(dt / 2, 0.002);
      reversals += step > 0;
      downhill = 0;
      a = 0.25;
      x -= v * dt / 2;
      v = F * dt;
    }
    x += v * dt;
    ASSERT_EQ(fire.run(state, field, 1), 1);
    ASSERT_NEAR(state.position[1].x - 5, x, 1e-13) << "step " << step;
    ASSERT_NEAR(state.position[0].x - 1, -x, 1e-13) << "step " << step;
  }
  EXPECT_GE(step, 40);
  EXPECT_GE(reversals, 2);
}

INSTANTIATE_TEST_SUITE_P(AtomMinimisers, EveryAtomMinimiser,
                         testing::Values(NamedMethod{"fire", Method::fire},
                                         NamedMethod{"lbfgs", Method::lbfgs}),
                         by_name);

}  // namespace
}  // namespace larmor::atoms::atom_minimisers_tests
