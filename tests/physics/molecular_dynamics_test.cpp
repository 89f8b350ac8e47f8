// Initial atoms, Newton's equations, and choices that must not change bits.
// Rooms: atoms

#include <gtest/gtest.h>

#include "larmor/atoms/integrators/thermostats.hpp"
#include "larmor/atoms/integrators/velocity_verlet.hpp"
#include "larmor/core/error.hpp"
#include "tests/named.hpp"
#include "tests/physics/molecular_dynamics_support.hpp"

namespace larmor::atoms::molecular_dynamics_tests {
namespace {

// --- initial atoms

TEST(AtomUnits, OfMassAndPressureAreThoseOfCodata) {
  // The atomic mass constant, 1.66053906660e-27 kg, at 1 Angstrom/ps; 1 g/mol differs from it by
  // less than 1e-9.
  EXPECT_NEAR(AtomUnits::material().mass, 1.66053906660e-23 / 1.602176634e-19, 1e-13);
  EXPECT_NEAR(1 / gigapascal(), 160.2176634, 1e-10);
  EXPECT_NEAR(1 / bar(), 1602176.634, 1e-6);
}

TEST(AtomState, VelocitiesHaveTheDistributionOfTheirTemperature) {
  const std::vector<Structure> structures(400, liquid(6, 0.7));
  AtomState state = argon(structures);
  state.set_seed(5);
  set_velocities(state, std::vector<double>(400, 300.0), false, 1);
  const std::vector<double> kinetic = kinetic_energies(state, 1);
  const double kT = state.units.k_B * 300;
  const Samples samples{kinetic};
  EXPECT_LT(kolmogorov(samples, 7.5, kT), 1.95);
  EXPECT_GT(kolmogorov(samples, 9, kT), 3) << "degrees of freedom 3N must be noticed";
  for (const TotalMotion& motion : total_motions(state, 1))
    EXPECT_LT(length(motion.momentum), 1e-15);
}

TEST(AtomState, ScaledVelocitiesHaveExactlyTheirTemperature) {
  const std::vector<Structure> structures{liquid(6, 0.7), liquid(20, 0.7), liquid(1, 0.7)};
  AtomState state = argon(structures);
  state.set_seed(5);
  set_velocities(state, std::vector<double>{300, 40, 10}, true, 1);
  const std::vector<double> kinetic = kinetic_energies(state, 1);
  EXPECT_NEAR(temperature(state, 0, kinetic[0]), 300, 1e-10);
  EXPECT_NEAR(temperature(state, 1, kinetic[1]), 40, 1e-10);
  EXPECT_EQ(temperature(state, 2, kinetic[2]), 0) << "a single atom is at rest";
}

TEST(AtomState, KineticEnergyIsHalfTheTraceOfTheKineticStress) {
  const std::vector<Structure> structures{liquid(9000, 0.7), liquid(7, 0.5)};
  AtomState state = argon(structures);
  state.set_seed(3);
  set_velocities(state, std::vector<double>{100, 200}, false, 2);
  const std::vector<double> kinetic = kinetic_energies(state, 2);
  const std::vector<SymmetricTensor> stress = kinetic_stresses(state, 2);
  for (std::size_t r = 0; r < 2; ++r)
    EXPECT_NEAR((stress[r][0] + stress[r][1] + stress[r][2]) / 2, kinetic[r], 1e-12 * kinetic[r]);
  // The atoms are an ideal gas.
  const SymmetricTensor P = pressure(state, 1, stress[1]);
  EXPECT_NEAR((P[0] + P[1] + P[2]) / 3 * state.box[1].volume(), 2 * kinetic[1] / 3, 1e-14);
}

TEST(AtomState, RefusesWhatHasNoMassOrNoAtoms) {
  const std::vector<Structure> good{liquid(4, 0.7)};
  std::vector<Structure> bad = good;
  bad[0].types[2] = 1;
  EXPECT_THROW(argon(bad), InputError);
  bad[0].types.pop_back();
  EXPECT_THROW(argon(bad), InputError);
  bad[0] = {good[0].box, {}, {}};
  EXPECT_THROW(argon(bad), InputError);
  for (const double mass : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(AtomState(AtomUnits::material(), std::vector{mass}, good), InputError);
}

// --- lists of neighbours

Structure shaken_crystal() {
  Structure structure = fcc(2, 5.4);
  structure.box.vectors[2].x = 1.5;  // Sheared: the images are oblique.
  for (std::size_t i = 0; i < structure.positions.size(); ++i)
    structure.positions[i] +=
        Vec3<double>{0.3 * std::sin(1.0 + double(i)), 0.3 * std::sin(2.0 + 3 * double(i)),
                     0.3 * std::sin(3.0 + 7 * double(i))};
  return structure;
}

TEST(NeighbourList, HasThePairsOfASearchWheneverItSearched) {
  for (const double skin : {0.0, 0.3, 1.0, 6.0}) {
    Structure structure = shaken_crystal();
    NeighbourList list(6.8, skin);
    const int steps = 60;
    for (int step = 0; step < steps; ++step) {
      const NeighbourRows& rows = list.rows(structure.box, structure.positions, 2);
      const NeighbourRows searched = find_neighbours(structure.box, structure.positions, 6.8);
      ASSERT_EQ(rows.first, searched.first) << "step " << step << " skin " << skin;
      ASSERT_EQ(rows.neighbour, searched.neighbour);
      ASSERT_EQ(rows.image, searched.image);
      ASSERT_EQ(rows.displacement, searched.displacement);
      ASSERT_EQ(rows.mirror, searched.mirror);
      // The atoms move in a box that shrinks and shears.
      for (Vec3<double>& v : structure.box.vectors) v = 0.998 * v + Vec3<double>{0, 0.01, 0};
      for (std::size_t i = 0; i < structure.positions.size(); ++i)
        structure.positions[i] =
            0.998 * structure.positions[i] +
            Vec3<double>{0.03 * std::sin(double(i)), 0.03 * std::cos(double(i)), 0.01};
    }
    const Index most = skin == 0 ? steps : skin < 1 ? steps - 1 : skin < 6 ? steps / 2 : steps / 10;
    EXPECT_LE(list.searches(), most) << "skin " << skin;
    if (skin == 0) {
      EXPECT_EQ(list.searches(), steps);
    }
  }
}

TEST(NeighbourList, SearchesAgainWhenTheBoxShrinks) {
  Structure structure = shaken_crystal();
  NeighbourList list(6.8, 1);
  for (int step = 0; step < 30; ++step) {
    ASSERT_EQ(list.rows(structure.box, structure.positions, 1).neighbour,
              find_neighbours(structure.box, structure.positions, 6.8).neighbour);
    for (Vec3<double>& v : structure.box.vectors) v = 0.99 * v;
    for (Vec3<double>& r : structure.positions) r = 0.99 * r;
  }
  EXPECT_LT(list.searches(), 10);
}

TEST(NeighbourList, RefusesLengthsThatAreNone) {
  EXPECT_THROW(NeighbourList(0, 1), InputError);
  EXPECT_THROW(NeighbourList(1, -0.1), InputError);
}

TEST(PotentialForces, AreTheDerivativesOfTheEnergy) {
  const Structure structure = shaken_crystal();
  AtomState state = argon(std::span(&structure, 1));
  const auto field = lennard_jones(0);
  field->evaluate(state);
  const AtomState at = state;
  const auto energy = [&] {
    field->evaluate(state);
    return state.energy[0];
  };
  constexpr double h = 1e-4;
  for (const std::size_t atom : {std::size_t{0}, std::size_t{13}}) {
    state.position[atom].y = at.position[atom].y + h;
    const double up = energy();
    state.position[atom].y = at.position[atom].y - h;
    EXPECT_NEAR(at.force[atom].y, (energy() - up) / (2 * h), 1e-8);
    state.position = at.position;
  }
  // A strain xy makes r_x grow by r_y, for the box and for the positions.
  const auto strain = [&](double e) {
    state.position = at.position;
    state.box = at.box;
    for (Vec3<double>& r : state.position) r.x += e * r.y;
    for (Vec3<double>& v : state.box[0].vectors) v.x += e * v.y;
    return energy();
  };
  EXPECT_NEAR(at.virial[0][3], (strain(-h) - strain(h)) / (2 * h), 1e-7);
}

TEST(PotentialForces, SayWhichReplicaBecameUnphysical) {
  const std::vector<Structure> structures{liquid(8, 0.7), liquid(8, 0.7)};
  const auto message = [&](const std::function<void(AtomState&)>& spoil) -> std::string {
    AtomState state = argon(structures, 3);
    spoil(state);
    try {
      lennard_jones()->evaluate(state);
    } catch (const UnphysicalError& error) {
      return error.what();
    }
    return "none";
  };
  const auto lost = [&](double x) {
    return message([x](AtomState& state) { state.position[9].x = x; });
  };
  for (const double x : {std::nan(""), std::numeric_limits<double>::infinity(), 1e30})
    EXPECT_NE(lost(x).find("atom 1 of replica 4 at step 0"), std::string::npos) << lost(x);
  const std::string twice =
      message([](AtomState& state) { state.position[9] = state.position[8]; });
  EXPECT_NE(twice.find("same place"), std::string::npos) << twice;
  EXPECT_NE(twice.find("of replica 4"), std::string::npos) << twice;
  const std::string flat =
      message([](AtomState& state) { state.box[0].vectors[2] = state.box[0].vectors[1]; });
  EXPECT_NE(flat.find("replica 3"), std::string::npos) << flat;
}

// --- Newton's equations

TEST(VelocityVerlet, ConservesEnergyWithoutADrift) {
  const std::vector<Structure> structures(4, fcc(2, 5.4));
  AtomState state = argon(structures);
  state.set_seed(11);
  set_velocities(state, std::vector<double>(4, 80.0), true, 1);
  const auto field = lennard_jones();
  VelocityVerlet verlet(0.002, 1);
  verlet.start(state, *field);
  verlet.run(state, *field, 500);
  const int samples = 400;
  std::vector<double> slopes(4);
  for (int n = 0; n < samples; ++n) {
    verlet.run(state, *field, 10);
    const std::vector<double> energy = verlet.conserved(state);
    const double t = n - (samples - 1) / 2.0;
    for (std::size_t r = 0; r < 4; ++r) slopes[r] += t * energy[r];
  }
  // The slopes are least squares over 8 ps, in eV per atom and ps.
  for (double& slope : slopes)
    slope *= 12.0 / (samples * (double(samples) * samples - 1)) / (10 * 0.002) / 32;
  for (const double slope : slopes) EXPECT_LT(std::abs(slope), 3e-8);
}

TEST(VelocityVerlet, ReversedReturnsToWhereItBegan) {
  const std::vector<Structure> structures{liquid(32, 0.75)};
  AtomState state = argon(structures);
  state.set_seed(2);
  set_velocities(state, std::vector<double>{120}, false, 1);
  const auto field = lennard_jones();
  VelocityVerlet verlet(0.002, 1);
  verlet.start(state, *field);
  verlet.run(state, *field, 1000);
  double moved = 0;
  for (std::size_t i = 0; i < 32; ++i)
    moved = std::max(moved, length(state.position[i] - structures[0].positions[i]));
  ASSERT_GT(moved, 0.5);
  for (Vec3<double>& v : state.velocity) v = -v;
  verlet.run(state, *field, 1000);
  for (std::size_t i = 0; i < 32; ++i)
    EXPECT_LT(length(state.position[i] - structures[0].positions[i]), 1e-9);
}

TEST(VelocityVerlet, StopsWhenAtomsExplode) {
  const std::vector<Structure> structures{liquid(8, 0.7)};
  AtomState state = argon(structures);
  state.set_seed(2);
  set_velocities(state, std::vector<double>{1e5}, false, 1);
  const auto field = lennard_jones();
  VelocityVerlet verlet(50, 1);
  verlet.start(state, *field);
  EXPECT_THROW(verlet.run(state, *field, 2000), UnphysicalError);
}

// --- every integrator

using testing_support::by_name;
struct Tested {
  std::function<std::unique_ptr<Integrator>(std::size_t replicas, double timestep, int threads)>
      make;
  bool has_noise = false;
};
using NamedIntegrator = testing_support::Named<Tested>;

HeatBath heat_bath(std::size_t replicas, bool is_coupled = true) {
  return {std::vector<Ramp>(replicas, Ramp::constant(90)), std::vector<double>(replicas, 0.2),
          is_coupled};
}

PressureBath pressure_bath(std::size_t replicas, CellShape shape) {
  return {shape, std::vector<Ramp>(replicas, Ramp::constant(0.02 * gigapascal())),
          std::vector<double>(replicas, 0.5)};
}

NamedIntegrator chained(const char* name, Index links) {
  return {name, {[links](std::size_t replicas, double timestep, int threads) {
            return std::make_unique<NoseHoover>(timestep, heat_bath(replicas), threads,
                                                NoseHooverKeys{links});
          }}};
}

NamedIntegrator in_box_of(const char* name, CellShape shape, bool is_coupled = true) {
  return {name, {[=](std::size_t replicas, double timestep, int threads) {
            return std::make_unique<Mtk>(timestep, heat_bath(replicas, is_coupled),
                                         pressure_bath(replicas, shape), threads);
          }}};
}

NamedIntegrator rescaled_box_of(const char* name, CellShape shape) {
  return {name,
          {[shape](std::size_t replicas, double timestep, int threads) {
             return std::make_unique<CellRescaling>(timestep, heat_bath(replicas),
                                                    pressure_bath(replicas, shape), threads,
                                                    CellRescaling::Keys{1 / (50 * gigapascal())});
           },
           true}};
}

std::vector<NamedIntegrator> usual_integrators() {
  std::vector<NamedIntegrator> all{
      {"velocity_verlet", {[](std::size_t, double timestep, int threads) {
         return std::make_unique<VelocityVerlet>(timestep, threads);
       }}},
      in_box_of("isotropic", CellShape::isotropic),
      in_box_of("triclinic", CellShape::triclinic),
      in_box_of("constant_enthalpy_triclinic", CellShape::triclinic, false),
      rescaled_box_of("rescaled_isotropic", CellShape::isotropic),
      rescaled_box_of("rescaled_triclinic", CellShape::triclinic),
  };
  for (const ThermostatType& type : thermostats())
    all.push_back({test_name(type.name),
                   {[&type](std::size_t replicas, double timestep, int threads) {
                      return type.make(timestep, heat_bath(replicas), threads, {});
                    },
                    type.has_noise}});
  return all;
}
const NamedIntegrator other_integrators[] = {
    chained("nose_hoover_of_one_link", 1),
    chained("nose_hoover_of_eight_links", 8),
    in_box_of("anisotropic", CellShape::anisotropic),
    in_box_of("constant_enthalpy", CellShape::isotropic, false),
};

class EveryMolecularIntegrator : public testing::TestWithParam<NamedIntegrator> {};

/// All numbers of a state.
std::vector<double> numbers_of(const AtomState& state, Index replica) {
  std::vector<double> numbers{state.energy[static_cast<std::size_t>(replica)]};
  const auto add = [&](const Vec3<double>& v) { numbers.insert(numbers.end(), {v.x, v.y, v.z}); };
  for (Index i = state.layout.first(replica); i < state.layout.first(replica + 1); ++i) {
    add(state.position[static_cast<std::size_t>(i)]);
    add(state.velocity[static_cast<std::size_t>(i)]);
    add(state.force[static_cast<std::size_t>(i)]);
  }
  for (const Vec3<double>& v : state.box[static_cast<std::size_t>(replica)].vectors) add(v);
  return numbers;
}

const std::vector<Structure> unequal{shaken_crystal(), liquid(11, 0.6), fcc(2, 5.3)};

/// The numbers of each replica after 60 steps.
std::vector<std::vector<double>> after_steps(const NamedIntegrator& integrator, AtomState& state,
                                             int threads, double skin) {
  const auto count = static_cast<std::size_t>(state.layout.replicas());
  set_velocities(state, std::vector<double>(count, 90), false, threads);
  const auto field = lennard_jones(skin, threads);
  const auto made = integrator.value.make(count, 0.005, threads);
  made->start(state, *field);
  made->run(state, *field, 60);
  std::vector<std::vector<double>> numbers;
  for (Index r = 0; r < static_cast<Index>(count); ++r) numbers.push_back(numbers_of(state, r));
  return numbers;
}

/// The state after some steps. @param first, count replicas of `unequal`
std::vector<std::vector<double>> after_steps(const NamedIntegrator& integrator, std::size_t first,
                                             std::size_t count, int threads, double skin) {
  AtomState state = argon(std::span(unequal).subspan(first, count), first);
  state.set_seed(4);
  return after_steps(integrator, state, threads, skin);
}

TEST_P(EveryMolecularIntegrator, HasTheSameBitsForAnyThreadsAndSkin) {
  const auto expected = after_steps(GetParam(), 0, 3, 1, 1);
  for (const int threads : {2, 7}) EXPECT_EQ(after_steps(GetParam(), 0, 3, threads, 1), expected);
  for (const double skin : {0.0, 0.3}) EXPECT_EQ(after_steps(GetParam(), 0, 3, 1, skin), expected);
}

TEST_P(EveryMolecularIntegrator, GivesAReplicaTheBitsThatItHasAlone) {
  const auto together = after_steps(GetParam(), 0, 3, 1, 1);
  for (std::size_t replica = 0; replica < 3; ++replica)
    EXPECT_EQ(after_steps(GetParam(), replica, 1, 1, 1)[0], together[replica]);
}

TEST_P(EveryMolecularIntegrator, GivesAReplicaTheBitsOfItsKey) {
  const std::vector<ReplicaKey> keys{{4, 0, 0}, {9, 0, 0}, {4, 6, 1000}};
  AtomState all = argon(unequal);
  all.keys = keys;
  const auto together = after_steps(GetParam(), all, 1, 1);
  for (std::size_t r = 0; r < keys.size(); ++r) {
    AtomState alone = argon(std::span(unequal).subspan(r, 1), keys[r].number);
    alone.set_seed(keys[r].seed);
    alone.step = keys[r].first_step;
    EXPECT_EQ(after_steps(GetParam(), alone, 1, 1)[0], together[r]);
  }
}

TEST_P(EveryMolecularIntegrator, GoesOnFromWhatItSaved) {
  AtomState state = argon(unequal);
  state.set_seed(4);
  set_velocities(state, std::vector<double>(3, 90), false, 1);
  const auto field = lennard_jones(), other_field = lennard_jones();
  const auto made = GetParam().value.make(3, 0.005, 1), other = GetParam().value.make(3, 0.005, 1);
  made->start(state, *field);
  made->run(state, *field, 20);

  AtomState saved = argon(unequal);
  saved.position = state.position;
  saved.velocity = state.velocity;
  saved.box = state.box;
  saved.step = static_cast<std::uint64_t>(state.step);
  saved.keys = state.keys;
  other->load(made->save());
  other->start(saved, *other_field);

  made->run(state, *field, 30);
  other->run(saved, *other_field, 30);
  for (Index r = 0; r < 3; ++r) EXPECT_EQ(numbers_of(saved, r), numbers_of(state, r));
  EXPECT_EQ(other->conserved(saved), made->conserved(state));
}

/// The root mean square drift of the conserved quantity over all replicas, in eV.
double wandering(const NamedIntegrator& integrator, double timestep, Index steps, Index every) {
  const std::vector<Structure> structures(4, fcc(2, 5.4));
  AtomState state = argon(structures);
  state.set_seed(4);
  set_velocities(state, std::vector<double>(4, 180), true, 1);
  state.set_seed(7);
  const auto field = lennard_jones();
  const auto made = integrator.value.make(4, timestep, 1);
  made->start(state, *field);
  const std::vector<double> begin = made->conserved(state);
  double sum = 0;
  for (Index n = 0; n < steps / every; ++n) {
    made->run(state, *field, every);
    const std::vector<double> now = made->conserved(state);
    for (std::size_t r = 0; r < now.size(); ++r) sum += std::pow(now[r] - begin[r], 2);
  }
  return std::sqrt(sum / static_cast<double>(4 * steps / every));
}

TEST_P(EveryMolecularIntegrator, ConservesItsQuantityToTheSecondOrder) {
  const double coarse = wandering(GetParam(), 0.01, 200, 1);
  const double fine = wandering(GetParam(), 0.0025, 800, 4);
  // If an integrator is of second order, the ratio is 16. Noise differs between timesteps, and the
  // noise of the box has its own order.
  const bool has_noise = GetParam().value.has_noise;
  EXPECT_GT(coarse / fine, has_noise ? 5 : 14);
  EXPECT_LT(coarse / fine, has_noise ? 32 : 18);
  EXPECT_LT(coarse, 5e-3);
}

TEST_P(EveryMolecularIntegrator, KeepsTheCentreOfMassAtRest) {
  AtomState state = argon(unequal);
  state.set_seed(4);
  set_velocities(state, std::vector<double>(3, 90), false, 1);
  const auto field = lennard_jones();
  const auto made = GetParam().value.make(3, 0.005, 1);
  made->start(state, *field);
  made->run(state, *field, 200);
  for (const TotalMotion& motion : total_motions(state, 1))
    EXPECT_LT(length(motion.momentum), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryMolecularIntegrator, testing::ValuesIn(usual_integrators()),
                         by_name);
INSTANTIATE_TEST_SUITE_P(Depth, EveryMolecularIntegrator, testing::ValuesIn(other_integrators),
                         by_name);

}  // namespace
}  // namespace larmor::atoms::molecular_dynamics_tests
