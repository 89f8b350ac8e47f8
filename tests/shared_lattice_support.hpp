#pragma once
// One lattice that several ranks share, compared with that of one rank, on any device. The ranks
// are threads here.

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "larmor/correlations/spectra/structure_factor.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"
#include "tests/ranks_in_threads.hpp"

namespace larmor::spins {

/// Lattices for ranks to share. The first has colours in several ranges, and the second has a basis
/// and longer bonds. In the third, planes end within partial sums. The fourth has open boundaries,
/// where cells do not give the sites.
inline const char* const shared_lattices[] = {
    "[lattice]\ntype = 'sc'\nsize = [16, 16, 32]\n[[exchange]]\nshell = 1\nJ = 1\n",
    "[lattice]\ntype = 'bcc'\nsize = [8, 8, 32]\n[[exchange]]\nshell = 1\nJ = 1\n"
    "[[exchange]]\nshell = 2\nJ = 0.4\n",
    "[lattice]\ntype = 'sc'\nsize = [20, 20, 40]\n[[exchange]]\nshell = 1\nJ = 1\n"
    "[[exchange]]\nshell = 2\nJ = 0.3\n",
    "[lattice]\ntype = 'sc'\nsize = [16, 16, 24]\nperiodic = [true, true, false]\n"
    "[[exchange]]\nshell = 1\nJ = 1\n"};

/// A system with random spins, on one rank (`world` is null) or shared by the ranks of `world`.
struct SharedSystem : study::SpinSystem {
  SharedSystem(const study::SystemTables& tables, const Device& on, Index replicas,
               const Communicator* world, bool derivatives = false)
      : SpinSystem(tables, on, study::build_geometry(tables), replicas, world, derivatives) {
    if (slabs) slabs->connect();
    state.randomise(5);
  }
  SharedSystem(const std::string& text, const Device& on, Index replicas, const Communicator* world,
               bool derivatives = false)
      : SharedSystem(
            study::parse_system("replicas = " + std::to_string(replicas) + "\n" + text, "test"), on,
            replicas, world, derivatives) {}
};

inline Sampler sampler_of(const SharedSystem& system, Update update, Index replicas) {
  SamplerSettings settings;
  settings.update = update;
  Sampler sampler(system.model, settings, 9, replicas, system.device);
  sampler.set_temperatures({0.9});
  return sampler;
}

/// Sum of the numbers of all ranks.
inline double of_all(const Communicator& world, double own) {
  world.sum(&own, 1);
  return own;
}

/// Tests that all colours of a sweep together send the halo of the whole lattice once.
inline void expect_one_halo_a_sweep(const std::string& text, const Device& device, Index replicas,
                                    int ranks) {
  constexpr int sweeps = 3;
  for (const Update update : {Update::metropolis, Update::heat_bath, Update::over_relaxation}) {
    SharedSystem alone(text, device, replicas, nullptr);
    sampler_of(alone, update, replicas).run(alone.state, sweeps);
    const std::vector<double> expected = alone.state.configurations(replicas);
    testing_support::on_ranks(ranks, [&](const Communicator& world, auto& thread) {
      SharedSystem shared(text, device, replicas, &world);
      Sampler sampler = sampler_of(shared, update, replicas);
      thread.bytes_sent();
      sampler.run(shared.state, sweeps);
      const double sent = of_all(world, static_cast<double>(thread.bytes_sent()));
      const double halos = of_all(world, static_cast<double>(shared.slabs->halo_bytes()));
      EXPECT_GT(halos, 0) << text;
      EXPECT_EQ(sent, sweeps * halos) << text << ranks << " ranks";
      EXPECT_EQ(shared.state.configurations(replicas), expected) << text << ranks << " ranks";
    });
  }
}

/// Lattices in which no bond reaches the neighbours that derivatives read. A rank has one plane of
/// cells, also if cells have a basis or form a supercell. Boundaries are open, or there are
/// vacancies. The shortest bonds lie along only one axis, or reach only some atoms.
inline const char* const lattices_of_derivatives[] = {
    "[lattice]\ntype = 'sc'\nsize = [8, 10, 24]\n",
    "[lattice]\ntype = 'sc'\nsize = [3, 3, 3]\n[[exchange]]\noffset = [[1, 1, 0]]\nJ = 1\n",
    "[lattice]\ntype = 'bcc'\nsize = [6, 6, 16]\n[[exchange]]\nshell = 2\nJ = 0.4\n",
    "[lattice]\ntype = 'sc'\nsize = [8, 12, 33]\nperiodic = [true, false, false]\n"
    "[[exchange]]\nshell = 2\nJ = 0.3\n",
    "[lattice]\ntype = 'sc'\nsize = [12, 12, 32]\n[[alloy]]\nby = 'vacancy'\nfraction = 0.2\n"
    "[[exchange]]\nshell = 3\nJ = 0.3\n",
    "[lattice]\ncell = [[1, 0, 0], [0, 1.2, 0], [0, 0, 1.5]]\nsize = [8, 10, 24]\n"
    "[[exchange]]\nshell = 1\nJ = 0.3\n",
    "[lattice]\ncell = [[1, 0, 0], [0, 1.5, 0], [0, 0, 1.9]]\n"
    "basis = [[0, 0, 0], [0.3, 0, 0], [0.65, 0, 0]]\nsize = [6, 8, 15]\n"
    "[[exchange]]\nshell = 1\nJ = 0.3\n"};

/// A simple cubic lattice, open along z, that is given only by positions in irregular order.
class PlainPositions {
 public:
  explicit PlainPositions(const std::array<Index, 3>& size)
      : file_(std::filesystem::temp_directory_path() /
              ("larmor-plain-" + std::to_string(::getpid()) + ".extxyz")) {
    std::ofstream out(file_);
    const Index sites = size[0] * size[1] * size[2];
    out << sites << "\nLattice=\"" << size[0] << " 0 0 0 " << size[1] << " 0 0 0 " << size[2]
        << "\" Properties=species:S:1:pos:R:3 pbc=\"T T F\"\n";
    for (Index n = 0; n < sites; ++n) {
      const Index site = n * 1009 % sites;  // reaches all sites unless 1009 divides their number
      out << "A " << site % size[0] << ' ' << site / size[0] % size[1] << ' '
          << site / (size[0] * size[1]) << '\n';
    }
  }
  ~PlainPositions() { std::filesystem::remove(file_); }
  PlainPositions(const PlainPositions&) = delete;
  PlainPositions& operator=(const PlainPositions&) = delete;

  std::string table() const { return "[lattice]\nfile = '" + file_.string() + "'\n"; }

 private:
  std::filesystem::path file_;
};

/// Spins after some steps with a spin-transfer torque. The steps follow a sweep of another sampler.
inline std::vector<double> spins_after_a_torque(SharedSystem& system, Scheme scheme,
                                                const Vec3<double>& velocity, Index replicas) {
  IntegratorSettings settings;
  settings.scheme = scheme;
  settings.timestep = 0.02;
  settings.damping = {0.1};
  Integrator integrator(system.model, system.state.layout(), settings, system.device);
  if (scheme == Scheme::depondt) integrator.set_temperatures({0.3});
  integrator.set_torque(SpinTransferTorque{velocity, 0.2}, system.geometry);
  sampler_of(system, Update::heat_bath, replicas).run(system.state, 1);
  integrator.run(system.state, 3);
  return system.state.configurations(replicas);
}

inline void expect_torques_of_one_rank(const std::string& text, const Device& device,
                                       Index replicas, const std::vector<int>& numbers_of_ranks) {
  const std::pair<Scheme, Vec3<double>> runs[] = {{Scheme::depondt, {0.6, 0, 0}},
                                                  {Scheme::rk4, {0, 0.6, 0}},
                                                  {Scheme::midpoint, {0, 0, 0.6}},
                                                  {Scheme::heun, {0.3, -0.2, 0.4}}};
  for (const auto& [scheme, velocity] : runs) {
    SharedSystem alone(text, device, replicas, nullptr);
    const std::vector<double> expected = spins_after_a_torque(alone, scheme, velocity, replicas);
    for (const int ranks : numbers_of_ranks)
      testing_support::on_ranks(ranks, [&](const Communicator& world, auto&) {
        SharedSystem shared(text, device, replicas, &world, true);
        EXPECT_EQ(spins_after_a_torque(shared, scheme, velocity, replicas), expected)
            << text << ranks << " ranks";
      });
  }
}

/// Tests that data that a rank reads is sent once: a plane on either side, for derivatives as for
/// bonds.
/// @param bytes_of_spin size of a spin in the precision of the bonds
inline void expect_halos_of_derivatives(const Device& device, int ranks, Index bytes_of_spin) {
  const std::string lattice =
      "[lattice]\ntype = 'sc'\nsize = [32, 32, " + std::to_string(64 * ranks) + "]\n";
  constexpr Index plane = 32 * 32;
  testing_support::on_ranks(ranks, [&](const Communicator& world, auto&) {
    const auto bytes = [&](const std::string& terms, bool derivatives) {
      return SharedSystem(lattice + terms, device, 1, &world, derivatives).slabs->halo_bytes();
    };
    const std::string in_planes = "[[exchange]]\noffset = [[1, 0, 0]]\nJ = 1\n";
    const std::string nearest = "[[exchange]]\nshell = 1\nJ = 1\n";
    EXPECT_EQ(bytes(in_planes, false), 0);
    EXPECT_EQ(bytes(in_planes, true), 2 * plane * bytes_of_spin);
    EXPECT_EQ(bytes(nearest, false), 2 * plane * bytes_of_spin);
    EXPECT_EQ(bytes(nearest, true), 2 * plane * bytes_of_spin);
  });
}

/// Several wave vectors are more than one sum takes. Zero means all wave vectors of the lattice.
inline constexpr int several_wave_vectors = 11, all_wave_vectors = 0;

inline correlations::StructureFactorSettings amplitudes_wanted(
    const lattice::Geometry& geometry, correlations::Method method,
    int wave_vectors = several_wave_vectors) {
  correlations::StructureFactorSettings settings;
  // Wave vectors of the lattice along its shortest directions.
  std::vector<Vec3<double>> q;
  for (int n = 0; n < wave_vectors; ++n)
    q.push_back({n % 4 / 4.0, n / 4 / 4.0, method == correlations::Method::fft ? 0.5 : 0.37});
  settings.q = wave_vectors == all_wave_vectors ? correlations::q_grid(geometry)
                                                : correlations::q_explicit(geometry, q);
  settings.method = method;
  settings.connected = false;
  settings.origins = correlations::Origins::all;  // keeps the amplitudes
  settings.samples = 2;
  return settings;
}

/// Amplitudes after some updates, so that each rank has outdated spins of all other ranks.
inline std::vector<double> amplitudes_of(SharedSystem& system, Index replicas,
                                         correlations::Method method, int wave_vectors) {
  const auto settings = amplitudes_wanted(system.geometry, method, wave_vectors);
  correlations::StructureFactor sum(system.geometry, settings, replicas);
  Sampler sampler = sampler_of(system, Update::heat_bath, replicas);
  for (Index sample = 0; sample < settings.samples; ++sample) {
    sampler.run(system.state, 2);
    sum.add(system.state);
  }
  return sum.save();
}

inline void expect_amplitudes_of_one_rank(const std::string& text, const Device& device,
                                          Index replicas, const std::vector<int>& numbers_of_ranks,
                                          correlations::Method method,
                                          int wave_vectors = several_wave_vectors) {
  SharedSystem alone(text, device, replicas, nullptr);
  const std::vector<double> expected = amplitudes_of(alone, replicas, method, wave_vectors);
  for (const int ranks : numbers_of_ranks)
    testing_support::on_ranks(ranks, [&](const Communicator& world, auto&) {
      SharedSystem shared(text, device, replicas, &world);
      EXPECT_EQ(amplitudes_of(shared, replicas, method, wave_vectors), expected)
          << text << ranks << " ranks";
    });
}

}  // namespace larmor::spins
