// Speed of products with the transfer matrix of Ising strips, and of steps of the Lanczos method.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/command.hpp"
#include "bench/timing.hpp"
#include "larmor/core/device/memory.hpp"
#include "larmor/transfer/strip.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::transfer;

/// A critical periodic strip of the square lattice.
RowModel critical_ring(int sites) {
  const double K = 0.5 * std::log(1 + std::numbers::sqrt2);
  RowModel row;
  row.sites = sites;
  for (int i = 0; i < sites; ++i) row.bonds.push_back({i, (i + 1) % sites, K});
  row.h.assign(static_cast<std::size_t>(sites), 0);
  row.K_next.assign(static_cast<std::size_t>(sites), K);
  return row;
}

/// Milliseconds of work that waits for its launches only at the end.
double milliseconds(const Device& device, const Communicator& world,
                    const std::function<void()>& work) {
  const auto run = [&](Index times) {
    for (Index n = 0; n < times; ++n) work();
    synchronise(device);
  };
  return 1e3 * best_seconds(device, run, {}, world);
}

/// Milliseconds.
struct Times {
  double product = 0, step = 0, copy = 0;
  Index passes = 0;
};

Times times_of(const VectorSpace& space, const RowModel& row, const SiteBits& bits,
               const Communicator& world) {
  TransferMatrix matrix = TransferMatrix::of_equal_rows(space, row, bits);
  Vector in = space.vector(), out = space.vector(), previous = space.vector();
  randomise(space, in, {1, 0, Stream::lanczos});
  const auto time = [&](const std::function<void()>& work) {
    return milliseconds(space.device(), world, work);
  };
  Times times;
  times.passes = matrix.passes();
  times.product = time([&] { matrix.multiply(in, out); });
  times.step = time([&] {
    const double alpha = matrix.multiply(in, 1, &previous, 0.1, out);
    const double coefficient[] = {1e-3 * alpha};
    const Vector* const vector[] = {&in};
    subtract_and_square(space, out, 1, coefficient, vector);
  });
  times.copy = time([&] { copy(in, out); });
  return times;
}

/// A search for the largest eigenvalue.
struct Search {
  double milliseconds;
  Index products;
};

Search search(const Device& device, const RowModel& row, Sector sector, Index basis,
              const Communicator& world) {
  StripSpectrum spectrum(device, row, sector, {.wanted = 1, .basis = basis}, &world);
  const double seconds = elapsed_seconds(
      [&] {
        // The last step reads numbers of the device.
        while (!spectrum.step()) {
        }
      },
      world);
  return {1e3 * seconds, spectrum.products()};
}

/// The largest basis that fits into this memory, together with a table of weights and a buffer.
Index basis_for(Index own, double bytes) {
  constexpr Index least = 3, usual = 12, others = 2;
  const double vectors = (bytes - 1e9) / (8 * static_cast<double>(own));
  return std::clamp(static_cast<Index>(vectors) - others, least, usual);
}

}  // namespace

void bench_transfer_matrix(const Device& device, BenchChoice& choice, const Communicator& world) {
  const bool is_on_gpu = device.backend == Backend::cuda;
  const double memory = is_on_gpu ? static_cast<double>(gpu_info(device.ordinal).free_bytes)
                                  : free_memory(world.size_on_node()).bytes;
  if (world.is_root()) {
    fmt::print("Transfer matrix of critical periodic Ising strips, {} rank(s), {}\n", world.size(),
               study::device_text(device));
    fmt::print("floor: each pass over tiles reads and writes the vector at the rate of a copy\n");
    fmt::print("step: a product, and the recurrence of three vectors of the Lanczos method\n");
    fmt::print("products: a search for the largest eigenvalue to 1e-11, with restarts\n\n");
    fmt::print("{:<20} {:>11} {:>6} {:>11} {:>9} {:>7} {:>9} {:>6} {:>9} {:>11}\n", "strip",
               "numbers", "passes", "product, ms", "floor, ms", "share", "step, ms", "basis",
               "products", "of them, ms");
  }
  for (const int sites : {12, 16, 20, 24, 28, 32, 33})
    for (const Sector sector : {Sector::all, Sector::even}) {
      if (sites > (is_on_gpu ? 33 : 24)) continue;
      const std::string name =
          fmt::format("L = {}, {}", sites, sector == Sector::all ? "all states" : "even");
      if (!choice.wants(name)) continue;
      const RowModel row = critical_ring(sites);
      const SiteBits bits(row, sector);
      const Index size = bits.states();
      // A basis of three, the vector after it, and that of another rank.
      const double vectors = world.size() > 1 ? 5 : 4;
      const bool fits = 8 * vectors * static_cast<double>(size) / world.size() < memory;
      if (!VectorSpace::can_share(size, world.size()) || !world.all(fits)) continue;
      Times times;
      Index own = 0;
      {
        const VectorSpace space(device, size, world);
        own = space.own();
        times = times_of(space, row, bits, world);
      }
      const Index basis = basis_for(own, memory);
      const Search found = search(device, row, sector, basis, world);
      if (!world.is_root()) continue;
      const double floor = static_cast<double>(times.passes) * times.copy;
      fmt::print(
          "{:<20} {:>11} {:>6} {:>11.4f} {:>9.4f} {:>6.0f}% {:>9.4f} {:>6} {:>9} {:>11.4f}\n", name,
          size, times.passes, times.product, floor, 100 * floor / times.product, times.step, basis,
          found.products, found.milliseconds / static_cast<double>(found.products));
    }
}

}  // namespace larmor::bench
