// Speed of products of Hamiltonians of quantum spins with vectors, and of steps of the Lanczos
// method.

#include <fmt/core.h>

#include <cmath>

#include "bench/command.hpp"
#include "bench/timing.hpp"
#include "larmor/quantum/krylov_chain.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::quantum;

/// A periodic chain with bonds of nearest neighbours.
SpinModel chain_of(int sites, double Jxy, double Gamma) {
  SpinModel model;
  model.sites = sites;
  for (int i = 0; i < sites; ++i) model.bonds.push_back({i, (i + 1) % sites, 1, Jxy});
  model.hz.assign(static_cast<std::size_t>(sites), 0);
  model.Gamma.assign(static_cast<std::size_t>(sites), Gamma);
  return model;
}

struct QuantumSystemOfBench {
  std::string name;
  SpinModel model;
  Sector sector;
};

std::vector<QuantumSystemOfBench> quantum_systems() {
  using Kind = Sector::Kind;
  std::vector<QuantumSystemOfBench> systems;
  for (const int sites : {12, 16, 20, 24, 28}) {
    systems.push_back(
        {fmt::format("Ising L = {}, all states", sites), chain_of(sites, 0, 1), {Kind::all}});
    systems.push_back(
        {fmt::format("Ising L = {}, even", sites), chain_of(sites, 0, 1), {Kind::even}});
    systems.push_back({fmt::format("Heisenberg L = {}, M = 0", sites),
                       chain_of(sites, 1, 0),
                       {Kind::magnetisation, sites / 2}});
  }
  return systems;
}

double milliseconds_of(const Device& device, Index size, const std::function<void()>& work) {
  return 1e3 * static_cast<double>(size) / best_rate(device, size, work);
}

}  // namespace

void bench_lanczos(const Device& device, BenchChoice& choice) {
  fmt::print("H v of periodic chains of quantum spins, {}\n", study::device_text(device));
  fmt::print("floor: the numbers that passes read and write, at the rate of a copy\n");
  fmt::print("step: a product, and the next vector of the Krylov space\n\n");
  fmt::print("{:<26} {:>12} {:>8} {:>11} {:>9} {:>7} {:>11}\n", "system", "numbers", "traffic",
             "H v, ms", "floor, ms", "share", "step, ms");
  const bool is_on_gpu = device.backend == Backend::cuda;
  for (const QuantumSystemOfBench& system : quantum_systems()) {
    if ((!is_on_gpu && system.model.sites > 24) || !choice.wants(system.name)) continue;
    const Hamiltonian H(device, system.model, system.sector);
    const Index size = H.states();
    Vector in(device, size), out(device, size);
    transfer::randomise(in, {1, 0, Stream::lanczos});
    const double product = milliseconds_of(device, size, [&] { H.multiply(in, out); });
    const double copied = milliseconds_of(device, size, [&] { transfer::copy(in, out); });
    KrylovChain chain(device, H);
    const auto fill = [](Vector& v) { transfer::randomise(v, {1, 1, Stream::lanczos}); };
    chain.begin(fill);
    const double step = milliseconds_of(device, size, [&] {
      // A small space has few vectors.
      if (chain.length() > 20 || !chain.extend()) {
        chain.forget();
        chain.begin(fill);
      }
    });
    // A copy reads and writes a vector.
    const double floor = H.traffic() / 2 * copied;
    fmt::print("{:<26} {:>12} {:>8} {:>11.4f} {:>9.4f} {:>6.0f}% {:>11.4f}\n", system.name, size,
               H.traffic(), product, floor, 100 * floor / product, step);
  }
}

}  // namespace larmor::bench
