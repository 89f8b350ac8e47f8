// Speed of updates of O(N) phi^4 fields.

#include <fmt/core.h>

#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "bench/command.hpp"
#include "bench/timing.hpp"
#include "larmor/phi4/field_clusters.hpp"
#include "larmor/phi4/field_sampler.hpp"
#include "larmor/phi4/field_sums.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::phi4;

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Case {
  const char* name;
  int components, axes;
  Index length, replicas;
  double kappa, lambda;
  /// Milliseconds of an update in Table 2 of T. Protzman, J. Giedt, Int. J. Mod. Phys. C: serial
  /// code on a Haswell E5-2695, and their GPU code on a P100.
  std::optional<std::pair<double, double>> source = {};
};

std::vector<Case> cases(const Device& device) {
  // The table of the paper gives the minutes of 10,000 updates.
  const auto milliseconds = [](double cpu, double gpu) { return std::pair(6 * cpu, 6 * gpu); };
  std::vector<Case> all{{"O(4) 16^4", 4, 4, 16, 1, 0.304, infinity, milliseconds(11.246, 0.186)},
                        {"O(4) 20^4", 4, 4, 20, 1, 0.304, infinity, milliseconds(26.931, 0.305)},
                        {"O(4) 24^4", 4, 4, 24, 1, 0.304, infinity, milliseconds(57.939, 0.619)},
                        {"O(4) 28^4", 4, 4, 28, 1, 0.304, infinity, milliseconds(106.821, 1.188)},
                        {"O(4) 28^4, lambda 1", 4, 4, 28, 1, 0.304, 1},
                        {"O(4) 8^4 x 64", 4, 4, 8, 64, 0.304, infinity},
                        // At the transition, twice kappa is the critical coupling of Heisenberg
                        // spins, or of Ising spins.
                        {"O(3) 64^3", 3, 3, 64, 1, 0.3465, infinity},
                        {"O(1) 64^3", 1, 3, 64, 1, 0.110827, infinity}};
  if (device.backend == Backend::cuda) {
    all.push_back({"O(4) 64^4", 4, 4, 64, 1, 0.304, infinity});
    all.push_back({"O(3) 256^3", 3, 3, 256, 1, 0.3465, infinity});
  }
  return all;
}

/// The fields of a case, and their updates.
struct Fields {
  FieldModel model;
  UpdateCounter counter;
  FieldState state;
  FieldSampler local;
  FieldClusters cluster;
  FieldSums sums;

  Fields(const Case& c, const Device& device)
      : model({std::vector<Index>(static_cast<std::size_t>(c.axes), c.length),
               std::vector<bool>(static_cast<std::size_t>(c.axes), true)},
              c.components, ReplicaShare(c.replicas), device),
        state(model, counter),
        local(model, 1),
        cluster(model, 1),
        sums(model) {
    const auto count = static_cast<std::size_t>(c.replicas);
    model.set_couplings(std::vector<double>(count, c.kappa), std::vector<double>(count, c.lambda));
    // The updates start from the ordered state and run until clusters of all sizes exist.
    for (int n = 0; n < 30; ++n) {
      local.run(state, LocalRule::metropolis, 1);
      local.tune();
      cluster.swendsen_wang(state, false);
    }
  }
  Index sites() const { return model.sites() * model.replicas().count; }
};

/// Rate of copying the fields. The copy reads and writes each of them once.
double copy_rate(const Fields& fields, int components) {
  const Device& device = fields.model.device();
  const Array<float> from(device, fields.sites() * components);
  Array<float> to(device, fields.sites() * components);
  return best_rate(device, fields.sites(), [&] {
    copy_bytes(device, to.data(), device, from.data(),
               static_cast<std::size_t>(from.size()) * sizeof(float));
  });
}

}  // namespace

void bench_phi4(const Device& device, BenchChoice& choice) {
  const Device serial = Device::cpu(1);
  fmt::print("O(N) phi^4, periodic lattices, {}\n", study::device_text(device));
  fmt::print(
      "all clusters: one Swendsen-Wang update; measured: an update with sums over the clusters\n");
  fmt::print(
      "serial: all clusters on one thread of this CPU; source: serial and GPU code of Protzman and "
      "Giedt\n");
  fmt::print(
      "least traffic: reading all fields and writing half of the fields; floor: copying all "
      "fields\n\n");
  fmt::print("{:<20} {:>10} {:>9} {:>9} {:>9} {:>9} {:>8} {:>13} {:>9}   {}\n", "system",
             "us/update", "Msite/s", "measured", "Wolff", "serial", "gain", "least traffic",
             "floor", "source, us");
  for (const Case& c : cases(device)) {
    if (!choice.wants(c.name)) continue;
    Fields fields(c, device);
    const Index sites = fields.sites();
    const double plain =
        best_rate(device, sites, [&] { fields.cluster.swendsen_wang(fields.state, false); });
    const double measured =
        best_rate(device, sites, [&] { fields.cluster.swendsen_wang(fields.state, true); });
    const double wolff =
        best_rate(device, sites, [&] { fields.cluster.wolff(fields.state, 1, false); });
    double of_one_thread = plain;
    constexpr Index most_serial = 1 << 20;
    const bool is_serial = device.backend == Backend::cpu && device.threads == 1;
    if (sites > most_serial) {
      of_one_thread = std::nan("");
    } else if (!is_serial) {
      Fields slow(c, serial);
      of_one_thread =
          best_rate(serial, sites, [&] { slow.cluster.swendsen_wang(slow.state, false); });
    }
    const double least = 1.5 * sizeof(float) * c.components;
    fmt::print(
        "{:<20} {:>10.1f} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.2f} {:>8.1f} {:>8.1f} GB/s {:>9.1f}",
        c.name, 1e6 * static_cast<double>(sites) / plain, plain / 1e6, measured / 1e6, wolff / 1e6,
        of_one_thread / 1e6, plain / of_one_thread, plain * least / 1e9,
        copy_rate(fields, c.components) / 1e6);
    if (c.source) fmt::print("   {:.0f} and {:.0f}", 1e3 * c.source->first, 1e3 * c.source->second);
    fmt::print("\n");
  }
  fmt::print("\nupdates of single sites and sums over them, Msite/s\n");
  fmt::print("{:<20} {:>12} {:>16} {:>12}\n", "system", "Metropolis", "over-relaxation", "sums");
  for (const Case& c : cases(device)) {
    if (!choice.wants(c.name)) continue;
    Fields fields(c, device);
    const auto rate = [&](const std::function<void()>& work) {
      return best_rate(device, fields.sites(), work) / 1e6;
    };
    fmt::print("{:<20} {:>12.1f} {:>16.1f} {:>12.1f}\n", c.name,
               rate([&] { fields.local.run(fields.state, LocalRule::metropolis, 1); }),
               rate([&] { fields.local.run(fields.state, LocalRule::over_relaxation, 1); }),
               rate([&] { fields.sums.begin(fields.state).take(); }));
  }
}

}  // namespace larmor::bench
