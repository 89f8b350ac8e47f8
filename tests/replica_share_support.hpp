#pragma once
// Shares of replicas, compared bit for bit with these replicas in a whole study, on any device.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::spins {

/// Systems without disorder, and with disorder that each replica draws.
inline const char* const systems_of_shares[] = {
    "replicas = 20\n[lattice]\ntype = 'sc'\nsize = [6, 4, 8]\n[[exchange]]\nshell = 1\nJ = 1\n"
    "[[anisotropy]]\nK = 0.2\n",
    "replicas = 20\n[lattice]\ntype = 'square'\nsize = [8, 8]\n[[exchange]]\nshell = 1\nJ = 1\n"
    "disorder = 0.4\ndisorder_by_replica = true\n[[random-field]]\nwidth = 0.3\nby_replica = "
    "true\n"};

struct EndOfShare {
  std::vector<std::vector<Vec3<double>>> spins;  ///< of each replica
  std::vector<double> energy;
};

/// The state of a share of the replicas after some sweeps and steps.
inline EndOfShare end_of_share(const std::string& text, const Device& device,
                               const ReplicaShare& share) {
  const study::SystemTables tables = study::parse_system(text, "test");
  study::SpinSystem system(tables, device, study::build_geometry(tables), share);
  system.state.randomise(5);
  for (const Update update : {Update::metropolis, Update::heat_bath}) {
    SamplerSettings settings;
    settings.update = update;
    settings.over_relaxation = 1;
    Sampler sampler(system.model, settings, 9, share, device);
    sampler.set_temperatures({0.7});
    sampler.tune(system.state, 3);
    sampler.run(system.state, 3);
  }
  IntegratorSettings settings;
  settings.timestep = 0.01;
  settings.damping = {0.3};
  settings.seed = 4;
  Integrator integrator(system.model, system.state.layout(), settings, device);
  integrator.set_temperatures({0.2});
  integrator.run(system.state, 5);
  EndOfShare end;
  for (Index replica = 0; replica < share.count; ++replica)
    end.spins.push_back(system.state.configuration(replica));
  end.energy = energy_per_site(system.model, system.state);
  return end;
}

inline void expect_shares_are_alike(const std::string& text, const Device& device) {
  const EndOfShare all = end_of_share(text, device, 20);
  for (const ReplicaShare& share : {ReplicaShare{0, 8, 20}, {8, 8, 20}, {16, 4, 20}, {8, 12, 20}}) {
    const EndOfShare own = end_of_share(text, device, share);
    for (std::size_t r = 0; r < own.spins.size(); ++r) {
      const auto n = static_cast<std::size_t>(share.first) + r;
      EXPECT_EQ(own.spins[r], all.spins[n]) << "replica " << n << "\n" << text;
      EXPECT_EQ(own.energy[r], all.energy[n]) << "replica " << n << "\n" << text;
    }
  }
}

}  // namespace larmor::spins
