// Atoms on a GPU. Their neighbours, forces and motion agree with those of a CPU, and have equal
// bits in every run. Skips without a GPU.
// Rooms: atoms

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "larmor/atoms/forces/gpu_force_field.hpp"
#include "larmor/atoms/integrators/thermostats.hpp"
#include "larmor/atoms/integrators/velocity_verlet.hpp"
#include "larmor/atoms/potentials/zbl/gpu_zbl.hpp"
#include "larmor/core/error.hpp"
#include "tests/named.hpp"
#include "tests/physics/molecular_dynamics_support.hpp"

namespace larmor::atoms::gpu_atoms_tests {
namespace {

using testing_support::by_name;

bool is_without_gpu() { return list_gpus().empty(); }

/// Atoms of two types at random places of a box, at least `apart` from each other.
Structure random_structure(const Box& box, std::size_t atoms, double apart, std::uint64_t seed) {
  Structure structure{box, {}, {}};
  const RandomKey key{seed, 0, Stream::initial_configuration};
  for (std::uint64_t n = 0; structure.positions.size() < atoms && n < 100000; ++n) {
    const auto words = philox(key, n, std::uint64_t{0});
    Vec3<double> r{};
    // Some atoms lie outside the box.
    for (std::size_t d = 0; d < 3; ++d)
      r += (uniform_32<double>(words.w[d]) * 1.4 - 0.2) * box.vectors[d];
    structure.positions.push_back(r);
    const NeighbourRows rows = find_neighbours(box, structure.positions, apart);
    const auto last = structure.positions.size() - 1;
    if (rows.first[last] != rows.first[last + 1]) structure.positions.pop_back();
  }
  for (std::size_t i = 0; i < structure.positions.size(); ++i)
    structure.types.push_back(static_cast<std::int32_t>(i % 2));
  return structure;
}

Box box_of(double a, double b, double c, double shear = 0,
           std::array<bool, 3> periodic = {true, true, true}) {
  return {{{{a, 0, 0}, {shear, b, 0}, {-shear / 2, shear / 3, c}}}, periodic};
}

AtomState state_on(const Device& device, std::span<const Structure> structures,
                   std::uint64_t first_replica = 0) {
  return AtomState(AtomUnits::material(), std::vector<double>{28, 12}, structures, first_replica,
                   device);
}

template <class T>
std::vector<T> to_host(const Device& device, const T* data, Index count) {
  std::vector<T> host(static_cast<std::size_t>(count));
  copy_bytes(Device{}, host.data(), device, data, host.size() * sizeof(T));
  return host;
}

/// Neighbour rows of one replica on a GPU, converted to the form of a CPU, without images.
NeighbourRows rows_of(const AtomState& state, const GpuRowsView& view, Index replica) {
  const auto count = to_host(state.device, view.count, view.atoms);
  const auto neighbour = to_host(state.device, view.neighbour, view.entries());
  const auto mirror = to_host(state.device, view.mirror, view.entries());
  const auto displacement = to_host(state.device, view.displacement, view.entries());
  const Index first_atom = state.layout.first(replica), last_atom = state.layout.first(replica + 1);
  NeighbourRows rows;
  rows.first.push_back(0);
  for (Index atom = first_atom; atom < last_atom; ++atom)
    rows.first.push_back(rows.first.back() + count[static_cast<std::size_t>(atom)]);
  for (Index atom = first_atom; atom < last_atom; ++atom)
    for (Index n = 0; n < count[static_cast<std::size_t>(atom)]; ++n) {
      const auto entry = static_cast<std::size_t>(view.entry(atom, n));
      const auto other = static_cast<std::int32_t>(neighbour[entry] - first_atom);
      rows.neighbour.push_back(other);
      rows.displacement.push_back(displacement[entry]);
      rows.mirror.push_back(rows.first[static_cast<std::size_t>(other)] + mirror[entry]);
    }
  return rows;
}

void expect_rows_of_cpu(AtomState& state, const GpuRowsView& view, double cutoff) {
  const std::vector<Vec3<double>> positions = state.position.to_host();
  const std::vector<Box> boxes = state.box.to_host();
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const NeighbourRows expected = find_neighbours(
        boxes[static_cast<std::size_t>(replica)],
        std::span(positions).subspan(static_cast<std::size_t>(state.layout.first(replica)),
                                     static_cast<std::size_t>(state.layout.atoms_of(replica))),
        cutoff);
    const NeighbourRows found = rows_of(state, view, replica);
    ASSERT_EQ(found.first, expected.first) << "replica " << replica;
    ASSERT_EQ(found.neighbour, expected.neighbour) << "replica " << replica;
    ASSERT_EQ(found.displacement, expected.displacement) << "replica " << replica;
    ASSERT_EQ(found.mirror, expected.mirror) << "replica " << replica;
  }
}

// --- neighbours

struct Boxes {
  double cutoff;
  std::vector<Structure> structures;
};
using NamedBoxes = testing_support::Named<Boxes>;

class AtomsOnGpuRows : public testing::TestWithParam<NamedBoxes> {
 protected:
  void SetUp() override {
    if (is_without_gpu()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_P(AtomsOnGpuRows, AreThoseOfACpuWhileAtomsAndBoxesMove) {
  const auto& [cutoff, structures] = GetParam().value;
  for (const double skin : {0.0, 0.4, 1.5}) {
    AtomState state = state_on(Device::cuda(), structures);
    GpuNeighbours neighbours(cutoff, skin);
    const int steps = 12;
    for (int step = 0; step < steps; ++step) {
      GpuRowsView rows = neighbours.rows(state);
      while (state.faults.first()) {
        ASSERT_EQ(state.faults.first()->fault, Fault::narrow_rows);
        state.faults.clear(state.step);
        neighbours.widen();
        rows = neighbours.rows(state);
      }
      expect_rows_of_cpu(state, rows, cutoff);
      if (HasFatalFailure()) return;
      std::vector<Vec3<double>> positions = state.position.to_host();
      std::vector<Box> boxes = state.box.to_host();
      // Only the boxes of every second replica change.
      for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
        const double scale = replica % 2 == 0 ? 1 : 0.997;
        for (Vec3<double>& v : boxes[static_cast<std::size_t>(replica)].vectors) v = scale * v;
        for (Index i = state.layout.first(replica); i < state.layout.first(replica + 1); ++i) {
          Vec3<double>& r = positions[static_cast<std::size_t>(i)];
          r = scale * r +
              Vec3<double>{0.05 * std::sin(double(i)), 0.05 * std::cos(double(i)), 0.01};
        }
      }
      state.position = positions;
      state.box = boxes;
    }
    // Narrow rows overflow, so one more search is needed.
    if (skin > 1) {
      EXPECT_LT(neighbours.searches(), steps * state.layout.replicas() / 2);
    }
  }
}

TEST_P(AtomsOnGpuRows, GrowFromNarrowOnes) {
  const auto& [cutoff, structures] = GetParam().value;
  AtomState state = state_on(Device::cuda(), structures);
  GpuNeighbours neighbours(cutoff, 0.5, 1);
  GpuRowsView rows = neighbours.rows(state);
  int widened = 0;
  for (; state.faults.first() && widened < 3; ++widened) {
    ASSERT_EQ(state.faults.first()->fault, Fault::narrow_rows);
    state.faults.clear(state.step);
    neighbours.widen();
    rows = neighbours.rows(state);
  }
  EXPECT_LE(widened, 2);
  EXPECT_EQ(rows.width % 8, 0);
  expect_rows_of_cpu(state, rows, cutoff);
}

const std::array<bool, 3> open{false, false, false}, slab{true, true, false};

INSTANTIATE_TEST_SUITE_P(
    Boxes, AtomsOnGpuRows,
    testing::Values(
        NamedBoxes{"one_atom", {5.0, {random_structure(box_of(3, 3.5, 4), 1, 0.5, 1)}}},
        NamedBoxes{"smaller_than_cutoff",
                   {6.5,
                    {random_structure(box_of(3, 4, 5, 1), 4, 1, 2),
                     random_structure(box_of(4, 4, 4), 3, 1, 3)}}},
        NamedBoxes{"triclinic", {4.0, {random_structure(box_of(14, 15, 16, 5), 200, 1, 4)}}},
        NamedBoxes{"open", {5.0, {random_structure(box_of(12, 13, 14, 0, open), 120, 1, 5)}}},
        NamedBoxes{"one_open_atom", {5.0, {random_structure(box_of(9, 9, 9, 0, open), 1, 1, 6)}}},
        NamedBoxes{"slab", {4.5, {random_structure(box_of(11, 12, 20, 2, slab), 130, 1, 7)}}},
        NamedBoxes{"many_replicas",
                   {4.0,
                    {random_structure(box_of(14, 14, 14), 150, 1, 8),
                     random_structure(box_of(5, 6, 7, 1), 9, 1, 9),
                     random_structure(box_of(10, 10, 30, 0, slab), 77, 1, 10),
                     random_structure(box_of(3, 3, 3), 2, 1, 11),
                     random_structure(box_of(12, 12, 12, 4, open), 64, 1, 12)}}},
        NamedBoxes{"long_rows", {11.0, {random_structure(box_of(8, 8, 8, 1), 40, 1, 13)}}}),
    by_name);

// --- forces

constexpr double inner = 2.0, outer = 3.4;

Zbl repulsion(double outer_radius = outer) {
  const Zbl::Nuclei pairs[] = {{0, 0, 14, 14}, {0, 1, 14, 6}, {1, 1, 6, 6}};
  return Zbl(inner, outer_radius, 2, pairs);
}

/// Repulsion between unlike atoms only.
Zbl partial_repulsion() {
  const Zbl::Nuclei pairs[] = {{0, 1, 30, 20}};
  return Zbl(1.5, 2.6, 2, pairs);
}

class ZblOnCpu : public Potential {
 public:
  explicit ZblOnCpu(const Zbl& zbl) : zbl_(zbl) {}
  double cutoff() const override { return zbl_.cutoff(); }
  PairGradients evaluate(const NeighbourRows& rows,
                         std::span<const std::int32_t> types) const override {
    return zbl_.evaluate(rows, types);
  }

 private:
  Zbl zbl_;
};

std::unique_ptr<ForceField> force_field(const Device& device, std::span<const Zbl> zbls,
                                        double skin, Index width_of_rows = 0) {
  if (device.backend == Backend::cuda) {
    std::vector<std::unique_ptr<GpuPotential>> potentials;
    for (const Zbl& zbl : zbls) potentials.push_back(std::make_unique<GpuZbl>(zbl, device));
    return std::make_unique<GpuForceField>(std::move(potentials), skin, width_of_rows);
  }
  std::vector<std::unique_ptr<const Potential>> potentials;
  for (const Zbl& zbl : zbls) potentials.push_back(std::make_unique<ZblOnCpu>(zbl));
  return std::make_unique<PotentialForces>(std::move(potentials), skin, 1);
}

std::vector<Structure> three_structures() {
  Structure crystal = fcc(2, 4.4);
  crystal.box.vectors[2].x = 1.5;
  for (std::size_t i = 0; i < crystal.positions.size(); ++i) {
    crystal.types[i] = static_cast<std::int32_t>(i % 2);
    crystal.positions[i] +=
        Vec3<double>{0.2 * std::sin(1.0 + double(i)), 0.2 * std::sin(2.0 + 3 * double(i)), 0};
  }
  return {crystal, random_structure(box_of(6, 6.5, 7, 1), 7, 2.3, 20),
          random_structure(box_of(13, 12, 12), 60, 2.2, 21)};
}

void expect_near(const std::vector<Vec3<double>>& found, const std::vector<Vec3<double>>& expected,
                 double share) {
  double scale = 0, largest = 0;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    scale = std::max(scale, length(expected[i]));
    const double off = length(found[i] - expected[i]);
    ASSERT_TRUE(std::isfinite(off));
    largest = std::max(largest, off);
  }
  EXPECT_LE(largest, share * scale);
}

class AtomsOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (is_without_gpu()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_F(AtomsOnGpu, ForcesOfPotentialsThatOverlayAreThoseOfACpu) {
  const std::vector<std::vector<Zbl>> overlays{
      {repulsion()}, {repulsion(), partial_repulsion()}, {partial_repulsion(), repulsion()}};
  for (const std::vector<Zbl>& zbls : overlays) {
    AtomState on_cpu = state_on(Device{}, three_structures()),
              on_gpu = state_on(Device::cuda(), three_structures());
    const auto cpu = force_field(Device{}, zbls, 0.5), gpu = force_field(Device::cuda(), zbls, 0.5);
    cpu->evaluate(on_cpu);
    do gpu->evaluate(on_gpu);
    while (!gpu->complete_steps(on_gpu));
    expect_near(on_gpu.force.to_host(), on_cpu.force.to_host(), 1e-13);
    const auto energy = on_gpu.energy.to_host();
    const auto virial = on_gpu.virial.to_host();
    for (std::size_t r = 0; r < energy.size(); ++r) {
      EXPECT_NEAR(energy[r], on_cpu.energy[r], 1e-13 * std::abs(on_cpu.energy[r]));
      const double scale = std::abs(on_cpu.virial[r][0]);
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_NEAR(virial[r][k], on_cpu.virial[r][k], 1e-12 * scale);
    }
  }
}

// --- velocities and sums

TEST_F(AtomsOnGpu, VelocitiesAndTheirSumsHaveTheBitsOfACpu) {
  const std::vector<Structure> structures{fcc(13, 4.4), fcc(1, 4.4), fcc(10, 4.0)};
  const std::vector<double> temperatures{300, 20, 1000};
  for (const bool scaled : {false, true}) {
    AtomState on_cpu = state_on(Device{}, structures, 5),
              on_gpu = state_on(Device::cuda(), structures, 5);
    on_cpu.set_seed(3);
    set_velocities(on_cpu, temperatures, scaled, 1);
    on_gpu.set_seed(3);
    set_velocities(on_gpu, temperatures, scaled, 1);
    EXPECT_EQ(on_gpu.velocity.to_host(), on_cpu.velocity.to_host());
    EXPECT_EQ(kinetic_energies(on_gpu, 1), kinetic_energies(on_cpu, 1));
    EXPECT_EQ(kinetic_stresses(on_gpu, 1), kinetic_stresses(on_cpu, 1));
  }
}

// --- integrators

using MakeIntegrator = std::function<std::unique_ptr<Integrator>(std::size_t replicas)>;
using NamedScheme = testing_support::Named<MakeIntegrator>;

constexpr double timestep = 0.0005;

HeatBath heat_bath(std::size_t replicas, bool is_coupled = true) {
  return {std::vector<Ramp>(replicas, Ramp{300, 400, 0, 40}), std::vector<double>(replicas, 0.05),
          is_coupled};
}

PressureBath pressure_bath(std::size_t replicas, CellShape shape) {
  return {shape, std::vector<Ramp>(replicas, Ramp{gigapascal(), 2 * gigapascal(), 0, 40}),
          std::vector<double>(replicas, 0.1)};
}

NamedScheme swinging_box(const char* name, CellShape shape, bool is_coupled = true) {
  return {name, [=](std::size_t replicas) {
            return std::make_unique<Mtk>(timestep, heat_bath(replicas, is_coupled),
                                         pressure_bath(replicas, shape), 1);
          }};
}

NamedScheme rescaled_box(const char* name, CellShape shape) {
  return {name, [shape](std::size_t replicas) {
            return std::make_unique<CellRescaling>(timestep, heat_bath(replicas),
                                                   pressure_bath(replicas, shape), 1,
                                                   CellRescaling::Keys{1 / gigapascal()});
          }};
}

class AtomsOnGpuMoved : public testing::TestWithParam<NamedScheme> {
 protected:
  void SetUp() override {
    if (is_without_gpu()) GTEST_SKIP() << "no GPU here";
  }
};

/// All numbers of a replica, and the conserved quantity of its integrator.
struct Outcome {
  std::vector<Vec3<double>> position, velocity, force, box;
  double energy, conserved;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::vector<Outcome> outcomes(const AtomState& state, const Integrator& integrator) {
  const auto position = state.position.to_host(), velocity = state.velocity.to_host(),
             force = state.force.to_host();
  const auto box = state.box.to_host();
  const auto energy = state.energy.to_host(), conserved = integrator.conserved(state);
  std::vector<Outcome> all;
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const auto r = static_cast<std::size_t>(replica);
    const auto of_replica = [&](const std::vector<Vec3<double>>& numbers) {
      return std::vector<Vec3<double>>(numbers.begin() + state.layout.first(replica),
                                       numbers.begin() + state.layout.first(replica + 1));
    };
    all.push_back({of_replica(position), of_replica(velocity), of_replica(force),
                   std::vector<Vec3<double>>(box[r].vectors.begin(), box[r].vectors.end()),
                   energy[r], conserved[r]});
  }
  return all;
}

/// Outcomes after 50 steps.
std::vector<Outcome> moved(AtomState& state, const MakeIntegrator& make, double skin = 0.5,
                           Index width_of_rows = 0) {
  const auto count = static_cast<std::size_t>(state.layout.replicas());
  set_velocities(state, std::vector<double>(count, 300), false, 1);
  const std::vector<Zbl> zbls{repulsion()};
  const auto field = force_field(state.device, zbls, skin, width_of_rows);
  const auto integrator = make(count);
  integrator->start(state, *field);
  integrator->run(state, *field, 20);
  integrator->run(state, *field, 30);
  return outcomes(state, *integrator);
}

/// Outcomes after 50 steps. @param first, count of the structures
std::vector<Outcome> moved(const Device& device, const MakeIntegrator& make, std::size_t first = 0,
                           std::size_t count = 3, double skin = 0.5, Index width_of_rows = 0) {
  const std::vector<Structure> structures = three_structures();
  AtomState state = state_on(device, std::span(structures).subspan(first, count), first);
  state.set_seed(4);
  return moved(state, make, skin, width_of_rows);
}

TEST_P(AtomsOnGpuMoved, GoWhereACpuMovesThem) {
  const auto expected = moved(Device{}, GetParam().value),
             found = moved(Device::cuda(), GetParam().value);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t r = 0; r < found.size(); ++r) {
    expect_near(found[r].position, expected[r].position, 1e-10);
    expect_near(found[r].velocity, expected[r].velocity, 1e-9);
    expect_near(found[r].force, expected[r].force, 1e-9);
    expect_near(found[r].box, expected[r].box, 1e-10);
    EXPECT_NEAR(found[r].energy, expected[r].energy, 1e-9 * std::abs(expected[r].energy));
    EXPECT_NEAR(found[r].conserved, expected[r].conserved, 1e-9 * std::abs(expected[r].conserved));
  }
}

TEST_P(AtomsOnGpuMoved, HaveTheSameBitsEachTimeAndForAnySkin) {
  const MakeIntegrator& make = GetParam().value;
  const auto expected = moved(Device::cuda(), make);
  EXPECT_TRUE(moved(Device::cuda(), make) == expected) << "again";
  for (const double skin : {0.1, 1.0})
    EXPECT_TRUE(moved(Device::cuda(), make, 0, 3, skin) == expected) << "skin " << skin;
  EXPECT_TRUE(moved(Device::cuda(), make, 0, 3, 0.5, 8) == expected) << "narrow rows";
}

TEST_P(AtomsOnGpuMoved, HaveTheBitsThatTheirReplicaHasAlone) {
  const auto together = moved(Device::cuda(), GetParam().value);
  for (std::size_t replica = 0; replica < 3; ++replica)
    EXPECT_TRUE(moved(Device::cuda(), GetParam().value, replica, 1)[0] == together[replica])
        << "replica " << replica;
}

TEST_P(AtomsOnGpuMoved, HaveTheBitsOfTheirKeys) {
  const std::vector<Structure> structures = three_structures();
  const std::vector<ReplicaKey> keys{{4, 0, 0}, {9, 0, 0}, {4, 6, 1000}};
  AtomState all = state_on(Device::cuda(), structures);
  all.keys = keys;
  const auto together = moved(all, GetParam().value);
  for (std::size_t r = 0; r < keys.size(); ++r) {
    AtomState alone = state_on(Device::cuda(), std::span(structures).subspan(r, 1));
    alone.keys = std::span(keys).subspan(r, 1);
    EXPECT_TRUE(moved(alone, GetParam().value)[0] == together[r]) << "replica " << r;
  }
}

TEST_P(AtomsOnGpuMoved, GoOnFromWhatWasSaved) {
  const std::vector<Structure> structures = three_structures();
  const std::vector<Zbl> zbls{repulsion()};
  const Device gpu = Device::cuda();
  AtomState state = state_on(gpu, structures), resumed = state_on(gpu, structures);
  state.set_seed(4);
  set_velocities(state, std::vector<double>(3, 300), false, 1);
  const auto field = force_field(gpu, zbls, 0.5), other_field = force_field(gpu, zbls, 0.5);
  const auto integrator = GetParam().value(3), other = GetParam().value(3);
  integrator->start(state, *field);
  integrator->run(state, *field, 20);

  resumed.position = state.position.to_host();
  resumed.velocity = state.velocity.to_host();
  resumed.box = state.box.to_host();
  resumed.step = static_cast<std::uint64_t>(state.step);
  resumed.keys = state.keys;
  other->load(integrator->save());
  other->start(resumed, *other_field);

  integrator->run(state, *field, 20);
  other->run(resumed, *other_field, 20);
  EXPECT_TRUE(outcomes(resumed, *other) == outcomes(state, *integrator));
}

std::vector<NamedScheme> schemes() {
  std::vector<NamedScheme> all{
      {"velocity_verlet",
       [](std::size_t) { return std::make_unique<VelocityVerlet>(timestep, 1); }},
      swinging_box("isotropic", CellShape::isotropic),
      swinging_box("anisotropic", CellShape::anisotropic),
      swinging_box("triclinic", CellShape::triclinic),
      swinging_box("constant_enthalpy", CellShape::triclinic, false),
      rescaled_box("rescaled_isotropic", CellShape::isotropic),
      rescaled_box("rescaled_triclinic", CellShape::triclinic)};
  for (const ThermostatType& type : thermostats())
    all.push_back({test_name(type.name), [&type](std::size_t replicas) {
                     return type.make(timestep, heat_bath(replicas), 1, {});
                   }});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Schemes, AtomsOnGpuMoved, testing::ValuesIn(schemes()), by_name);

TEST_F(AtomsOnGpu, RunAgainWhereRowsBecameTooNarrow) {
  const Box box = box_of(16, 16, 16, 0, open);
  const std::vector<Structure> structures{random_structure(box, 40, 2.4, 30)};
  constexpr double skin = 0.3;
  const auto longest_row = [&](std::span<const Vec3<double>> positions) {
    const NeighbourRows rows = find_neighbours(box, positions, outer + skin);
    Index longest = 0;
    for (std::size_t i = 1; i < rows.first.size(); ++i)
      longest = std::max(longest, rows.first[i] - rows.first[i - 1]);
    return longest;
  };
  ASSERT_LE(longest_row(structures[0].positions), 8);
  const auto outcome = [&](Index width_of_rows) {
    AtomState state = state_on(Device::cuda(), structures);
    // All atoms move towards the middle.
    std::vector<Vec3<double>> velocities;
    for (const Vec3<double>& r : structures[0].positions)
      velocities.push_back(-20.0 * (r - Vec3<double>{8, 8, 8}));
    state.velocity = velocities;
    const Zbl::Nuclei weak[] = {{0, 0, 0.1, 0.1}, {0, 1, 0.1, 0.1}, {1, 1, 0.1, 0.1}};
    const std::vector<Zbl> zbls{Zbl(inner, outer, 2, weak)};
    const auto field = force_field(Device::cuda(), zbls, skin, width_of_rows);
    stop_centre_of_mass(state, 1);
    NoseHoover integrator(timestep, {{Ramp::constant(300)}, {10.0}}, 1);
    integrator.start(state, *field);
    integrator.run(state, *field, 70);
    EXPECT_GT(longest_row(state.position.to_host()), 8);
    return outcomes(state, integrator);
  };
  EXPECT_TRUE(outcome(8) == outcome(64));
}

// --- errors

/// The error message of a GPU for the forces of two replicas.
/// @param spoil changes positions and boxes
std::string message(
    const std::function<void(std::vector<Vec3<double>>&, std::vector<Box>&)>& spoil) {
  const std::vector<Structure> structures(2, random_structure(box_of(9, 9, 9), 8, 2.2, 40));
  AtomState state = state_on(Device::cuda(), structures, 3);
  std::vector<Vec3<double>> positions = state.position.to_host();
  std::vector<Box> boxes = state.box.to_host();
  spoil(positions, boxes);
  state.position = positions;
  state.box = boxes;
  const std::vector<Zbl> zbls{repulsion()};
  const auto field = force_field(Device::cuda(), zbls, 0.5);
  try {
    do field->evaluate(state);
    while (!field->complete_steps(state));
  } catch (const UnphysicalError& error) {
    return error.what();
  }
  return "none";
}

TEST_F(AtomsOnGpu, SayWhichReplicaBecameUnphysical) {
  EXPECT_EQ(message([](auto&, auto&) {}), "none");
  for (const double x : {std::nan(""), std::numeric_limits<double>::infinity(), 1e30, 3e7}) {
    const std::string lost = message([x](auto& positions, auto&) { positions[9].x = x; });
    EXPECT_NE(lost.find("atom 1 of replica 4 at step 0 has left"), std::string::npos) << lost;
  }
  const std::string twice = message([](auto& positions, auto&) { positions[14] = positions[11]; });
  EXPECT_NE(twice.find("atom 3 of replica 4 at step 0 is at the same place"), std::string::npos)
      << twice;
  const std::string flat =
      message([](auto&, auto& boxes) { boxes[1].vectors[2] = boxes[1].vectors[1]; });
  EXPECT_NE(flat.find("replica 4"), std::string::npos) << flat;
  const std::string small = message([](auto&, auto& boxes) {
    for (Vec3<double>& v : boxes[0].vectors) v = 1e-3 * v;
  });
  EXPECT_NE(small.find("the box of replica 3 repeats too many times"), std::string::npos) << small;
}

TEST_F(AtomsOnGpu, SayAtWhichStepTheyExploded) {
  const std::vector<Structure> structures = three_structures();
  const auto message_on = [&](const Device& device) -> std::string {
    AtomState state = state_on(device, structures);
    state.set_seed(4);
    set_velocities(state, std::vector<double>(3, 300), false, 1);
    const std::vector<Zbl> zbls{repulsion()};
    const auto field = force_field(device, zbls, 0.5);
    Mtk barostat(
        0.02, heat_bath(3),
        PressureBath(CellShape::triclinic,
                     std::vector<Ramp>(3, Ramp::constant(-1000 * gigapascal())), {0.1, 0.1, 0.1}),
        1);
    barostat.start(state, *field);
    try {
      barostat.run(state, *field, 1000);
    } catch (const UnphysicalError& error) {
      return error.what();
    }
    return "none";
  };
  const std::string expected = message_on(Device{});
  EXPECT_NE(expected.find("changes by more than a quarter in the step"), std::string::npos)
      << expected;
  EXPECT_EQ(message_on(Device::cuda()), expected);
}

}  // namespace
}  // namespace larmor::atoms::gpu_atoms_tests
