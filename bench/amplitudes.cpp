#include "bench/amplitudes.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>

#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "larmor/core/device/array.hpp"
#include "larmor/correlations/fourier/amplitudes.hpp"
#include "larmor/correlations/fourier/gpu_transforms.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::bench {
namespace {

using correlations::Method;
using correlations::QList;

constexpr Index counts[] = {1, 2, 4, 8, 16, 32, 64, 128, 300};

/// `count` different wave vectors of a lattice with `cells` cells along each axis.
QList some_of_grid(const lattice::Geometry& geometry, Index cells, Index count) {
  const auto part = [&](Index n) {
    return static_cast<double>(n % cells) / static_cast<double>(cells);
  };
  std::vector<Vec3<double>> q;
  for (Index n = 0; n < count; ++n)
    q.push_back({part(n), part(n / cells),
                 geometry.crystal.dimensions == 3 ? part(n + n / (cells * cells)) : 0.0});
  return correlations::q_explicit(geometry, q);
}

/// Returns a function that transforms once. On a GPU the function does not wait for the result.
std::function<void()> transforming(const study::SpinSystem& system, const QList& q, Method method) {
  const spins::SpinState& state = system.state;
#if defined(LARMOR_HAS_CUDA)
  if (system.device.backend == Backend::cuda) {
    const auto make =
        method == Method::fft ? correlations::make_gpu_fft : correlations::make_gpu_sum;
    const std::shared_ptr<correlations::GpuTransform> transform = make(system.geometry, q, state);
    const auto pending = std::make_shared<std::deque<Pending>>();
    return [transform, pending, &state] {
      constexpr std::size_t most_on_their_way = 16;
      if (pending->size() == most_on_their_way) pending->pop_front();
      pending->push_back(transform->transform(state));
    };
  }
#endif
  const std::shared_ptr<correlations::AmplitudeTransform> transform =
      correlations::make_transform(system.geometry, q, method);
  const auto amplitudes = std::make_shared<std::vector<std::complex<double>>>(
      static_cast<std::size_t>(3 * q.size() * state.layout().replicas));
  return [transform, amplitudes, &state, threads = system.device.threads] {
    transform->transform(state.vectors(), threads, amplitudes->data());
  };
}

/// Measures the best times of two transforms, whose runs alternate. Each run takes at least 0.01 s.
void time_both(const Device& device, const std::function<void()>& first,
               const std::function<void()>& second, AmplitudesMeasured& measured) {
  const auto repeat = [&](const std::function<void()>& work, Index times) {
    for (Index n = 0; n < times; ++n) work();
    synchronise(device);
  };
  const auto times_of = [&](const std::function<void()>& work) {
    return times_that_take(0.01, [&] { repeat(work, 1); });
  };
  const Index of_first = times_of(first), of_second = times_of(second);
  const std::vector<double> seconds =
      best_seconds_in_turn({[&] { repeat(first, of_first); }, [&] { repeat(second, of_second); }});
  measured.factorised = seconds[0] / static_cast<double>(of_first);
  measured.fft = seconds[1] / static_cast<double>(of_second);
}

/// @param type lattice type with `atoms` atoms in a cell
LatticeOfAmplitudes measured_lattice(const Device& device, const std::string& type, Index atoms,
                                     int dimensions, double spins, Index replicas) {
  const auto cells = static_cast<Index>(
      std::lround(std::pow(spins / static_cast<double>(atoms), 1.0 / dimensions)));
  study::SpinSystem system(
      study::parse_system(
          fmt::format(
              "replicas = {}\n[lattice]\ntype = '{}'\nsize = [{}]\n[[exchange]]\nshell = 1\n"
              "J = 1\n",
              replicas, type, fmt::join(std::vector<Index>(dimensions, cells), ", ")),
          "bench"),
      device);
  system.state.randomise(1);
  LatticeOfAmplitudes lattice{type + " " + size_text(cells, dimensions, replicas), {}};
  for (const Index count : counts) {
    if (count > system.geometry.sites()) break;
    const QList q = some_of_grid(system.geometry, cells, count);
    AmplitudesMeasured measured;
    measured.wave_vectors = count;
    measured.takes_fft = correlations::chosen_method(system.geometry, q, Method::automatic,
                                                     device.backend, replicas) == Method::fft;
    time_both(device, transforming(system, q, Method::factorised),
              transforming(system, q, Method::fft), measured);
    lattice.measured.push_back(measured);
  }
  return lattice;
}

/// Relative scatter of repeated measurements. A smaller difference does not count as slower.
constexpr double scatter = 0.02;

}  // namespace

std::vector<LatticeOfAmplitudes> measured_amplitudes(const Device& device, Index length,
                                                     Index replicas) {
  const auto spins = static_cast<double>(length * length);
  return {measured_lattice(device, "square", 1, 2, spins, replicas),
          measured_lattice(device, "honeycomb", 2, 2, spins, replicas),
          measured_lattice(device, "sc", 1, 3, spins, replicas)};
}

void print_amplitudes(const LatticeOfAmplitudes& lattice) {
  fmt::print("\namplitudes of wave vectors of the lattice, {}, ms\n", lattice.name);
  fmt::print("{:>13} {:>12} {:>12}  {}\n", "wave vectors", "factorised", "fft", "auto takes");
  for (const AmplitudesMeasured& m : lattice.measured) {
    const double taken = m.takes_fft ? m.fft : m.factorised;
    const double lost = taken / std::min(m.fft, m.factorised) - 1;
    fmt::print("{:>13} {:>12.4f} {:>12.4f}  {}{}\n", m.wave_vectors, 1e3 * m.factorised,
               1e3 * m.fft, m.takes_fft ? "fft" : "factorised",
               lost > scatter ? fmt::format(", slower by {:.0f}%", 100 * lost) : "");
  }
}

}  // namespace larmor::bench
