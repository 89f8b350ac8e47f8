// Data that ranks of a shared lattice send. Their results agree with those of one rank.
// Rooms: spins

#include <gtest/gtest.h>

#include "tests/shared_lattice_support.hpp"

namespace larmor::spins {
namespace {

Device in_precision(Precision precision) {
  Device device = Device::cpu(1);
  device.precision = precision;
  return device;
}

TEST(SharedLattice, ColoursOfASweepSendOneHalo) {
  for (const char* text : shared_lattices)
    for (const int ranks : {2, 3}) expect_one_halo_a_sweep(text, Device::cpu(1), 1, ranks);
  for (const Precision precision : {Precision::double_numbers, Precision::single_numbers})
    expect_one_halo_a_sweep(shared_lattices[1], in_precision(precision), 9, 2);
}

/// Partial sums do not cross the ends of slabs, and bonds join only nearest neighbours. Thus a halo
/// has one plane on either side of a slab.
TEST(SharedLattice, AHaloIsThePlanesBesideAPart) {
  const std::string text =
      "[lattice]\ntype = 'sc'\nsize = [32, 32, 64]\n[[exchange]]\nshell = 1\nJ = 1\n";
  constexpr Index plane = 32 * 32;
  for (const Precision precision : {Precision::double_numbers, Precision::single_numbers})
    testing_support::on_ranks(4, [&](const Communicator& world, auto&) {
      const SharedSystem shared(text, in_precision(precision), 1, &world);
      EXPECT_EQ(shared.slabs->halo_bytes(),
                2 * plane * (precision == Precision::double_numbers ? 24 : 12));
    });
}

TEST(SharedLattice, EveryStepOfAnIntegratorSendsAHaloAStage) {
  testing_support::on_ranks(3, [&](const Communicator& world, auto& thread) {
    SharedSystem shared(shared_lattices[2], Device::cpu(1), 1, &world);
    IntegratorSettings settings;
    settings.timestep = 0.01;
    Integrator integrator(shared.model, shared.state.layout(), settings, shared.device);
    thread.bytes_sent();
    integrator.run(shared.state, 5);
    const double sent = of_all(world, static_cast<double>(thread.bytes_sent()));
    const double halos = of_all(world, static_cast<double>(shared.slabs->halo_bytes()));
    EXPECT_EQ(sent, 5 * 2 * halos);  // the predictor and the corrector each send a halo
  });
}

/// Every rank transforms all spins. It receives the spins once per field, whatever the number of
/// blocks.
TEST(SharedLattice, DipolesByFftBringAllSpinsOnceAField) {
  const std::string text =
      "[lattice]\ntype = 'sc'\nsize = [8, 12, 24]\nperiodic = [true, true, false]\n"
      "[[exchange]]\nshell = 1\nJ = 1\n[dipolar]\nstrength = 0.3\nmethod = 'fft'\n";
  constexpr Index replicas = 17;  // three blocks
  constexpr int steps = 2, fields = 2 * steps;
  const auto run = [](SharedSystem& system) {
    IntegratorSettings settings;
    settings.timestep = 0.01;
    Integrator integrator(system.model, system.state.layout(), settings, system.device);
    integrator.run(system.state, steps);
  };
  SharedSystem alone(text, Device::cpu(1), replicas, nullptr);
  run(alone);
  const std::vector<double> expected = alone.state.configurations(replicas);
  testing_support::on_ranks(2, [&](const Communicator& world, auto& thread) {
    SharedSystem shared(text, Device::cpu(1), replicas, &world);
    thread.bytes_sent();
    run(shared);
    const double sent = of_all(world, static_cast<double>(thread.bytes_sent()));
    const double halos = of_all(world, static_cast<double>(shared.slabs->halo_bytes()));
    const SpinLayout& layout = shared.state.layout();
    const auto whole = static_cast<double>(24 * layout.spins() * layout.padded_replicas());
    EXPECT_EQ(sent, fields * (whole + halos));
    EXPECT_EQ(shared.state.configurations(replicas), expected);
  });
}

TEST(SharedLattice, TorquesThatTakeDerivativesAreThoseOfOneRank) {
  for (const char* text : lattices_of_derivatives)
    expect_torques_of_one_rank(text, Device::cpu(1), 1, {2, 3});
  expect_torques_of_one_rank(lattices_of_derivatives[0], Device::cpu(2), 9, {4});
  expect_torques_of_one_rank(lattices_of_derivatives[3], in_precision(Precision::single_numbers), 9,
                             {2});
}

TEST(SharedLattice, TorquesOfPlainPositionsAreThoseOfOneRank) {
  const PlainPositions lattice({14, 15, 16});
  expect_torques_of_one_rank(lattice.table(), Device::cpu(1), 1, {2, 3});
}

TEST(SharedLatticeInDepth, TorquesOfPlainPositionsWithMoreBondsAreThoseOfOneRank) {
  const PlainPositions lattice({14, 15, 16});
  expect_torques_of_one_rank(lattice.table() + "[[exchange]]\nshell = 2\nJ = 0.4\n", Device::cpu(1),
                             1, {3});
}

TEST(SharedLattice, DerivativesNeedNoMoreThanTheyRead) {
  expect_halos_of_derivatives(Device::cpu(1), 2, 24);
  expect_halos_of_derivatives(in_precision(Precision::single_numbers), 3, 12);
}

TEST(SharedLattice, AmplitudesAreThoseOfOneRank) {
  using correlations::Method;
  for (const char* text : shared_lattices)
    expect_amplitudes_of_one_rank(text, Device::cpu(1), 1, {2, 3, 4}, Method::factorised);
  expect_amplitudes_of_one_rank(shared_lattices[2], Device::cpu(2), 9, {3}, Method::factorised);
  expect_amplitudes_of_one_rank(shared_lattices[0], in_precision(Precision::single_numbers), 1, {3},
                                Method::factorised);
  for (const char* text : shared_lattices)
    expect_amplitudes_of_one_rank(text, Device::cpu(1), 1, {2, 3}, Method::fft);
  expect_amplitudes_of_one_rank(shared_lattices[1], Device::cpu(2), 17, {4}, Method::fft);
  expect_amplitudes_of_one_rank(shared_lattices[1], Device::cpu(2), 1, {3}, Method::fft,
                                all_wave_vectors);
  expect_amplitudes_of_one_rank(shared_lattices[0], in_precision(Precision::single_numbers), 9, {2},
                                Method::fft);
}

/// Two ranks divide the cells across z, with few planes to transform. Four ranks divide the cells
/// across y.
TEST(SharedLattice, AmplitudesByFftAreThoseOfOneRankHoweverItIsCut) {
  const std::string text =
      "[lattice]\ntype = 'sc'\nsize = [32, 48, 8]\n[[exchange]]\nshell = 1\nJ = 1\n";
  for (const Index replicas : {1, 9})
    expect_amplitudes_of_one_rank(text, Device::cpu(1), replicas, {2, 4},
                                  correlations::Method::fft);
}

/// Vacancies come last in storage, and no rank owns them.
TEST(SharedLattice, AmplitudesOfAnAlloyAreThoseOfOneRank) {
  const std::string text =
      "[lattice]\ntype = 'sc'\nsize = [16, 16, 24]\n[[alloy]]\nby = 'vacancy'\n"
      "fraction = 0.2\n[[exchange]]\nshell = 1\nJ = 1\n";
  for (const auto method : {correlations::Method::factorised, correlations::Method::fft})
    expect_amplitudes_of_one_rank(text, Device::cpu(1), 1, {2, 4}, method);
}

/// Ranks request sites of other ranks only if partial sums cross the borders. The partial sums of
/// planes do not cross the borders.
TEST(SharedLattice, AmplitudesDoNotNeedAllSpins) {
  testing_support::on_ranks(2, [&](const Communicator& world, auto& thread) {
    SharedSystem shared(shared_lattices[2], Device::cpu(1), 1, &world);
    const double spins = static_cast<double>(shared.geometry.spins());
    thread.bytes_sent();
    shared.state.complete();
    EXPECT_EQ(of_all(world, static_cast<double>(thread.bytes_sent())), 24 * spins);
    using correlations::Method;
    for (const auto& [method, most] :
         {std::pair{Method::factorised, 1.0 / 3}, {Method::fft, 0.0}}) {
      correlations::StructureFactor sum(shared.geometry, amplitudes_wanted(shared.geometry, method),
                                        1);
      sum.add(shared.state);
      EXPECT_LE(of_all(world, static_cast<double>(thread.bytes_sent())), 24 * spins * most);
    }
  });
}

}  // namespace
}  // namespace larmor::spins
