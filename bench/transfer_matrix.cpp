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

/// Milliseconds of work on vectors of `size` numbers.
double milliseconds(const Device& device, Index size, const std::function<void()>& work) {
  return 1e3 * static_cast<double>(size) / best_rate(device, size, work);
}

/// A search for the largest eigenvalue.
struct Search {
  double milliseconds;
  Index products;
};

Search search(const Device& device, const RowModel& row, Sector sector, Index basis) {
  StripSpectrum spectrum(device, row, sector, {.wanted = 1, .basis = basis});
  const double seconds = elapsed_seconds([&] {
    // The last step reads numbers of the device.
    while (!spectrum.step()) {
    }
  });
  return {1e3 * seconds, spectrum.products()};
}

/// The largest basis that fits into this memory, together with a table of weights.
Index basis_for(Index size, double bytes) {
  constexpr Index least = 3, usual = 8, others = 1;
  const double vectors = (bytes - 1e9) / (8 * static_cast<double>(size));
  return std::clamp(static_cast<Index>(vectors) - others, least, usual);
}

}  // namespace

void bench_transfer_matrix(const Device& device, BenchChoice& choice) {
  fmt::print("Transfer matrix of critical periodic Ising strips, {}\n", study::device_text(device));
  fmt::print("floor: each pass over tiles reads and writes the vector at the rate of a copy\n");
  fmt::print("search: the Lanczos method until the largest eigenvalue is known to 1e-11\n\n");
  fmt::print("{:<24} {:>12} {:>7} {:>11} {:>9} {:>7} {:>6} {:>9} {:>11}\n", "strip", "numbers",
             "passes", "product, ms", "floor, ms", "share", "basis", "products", "step, ms");
  const bool is_on_gpu = device.backend == Backend::cuda;
  const double memory =
      is_on_gpu ? static_cast<double>(gpu_info(device.ordinal).free_bytes) : free_memory().bytes;
  for (const int sites : {12, 16, 20, 24, 28, 32})
    for (const Sector sector : {Sector::all, Sector::even}) {
      if (!is_on_gpu && sites > 24) continue;
      const std::string name =
          fmt::format("L = {}, {}", sites, sector == Sector::all ? "all states" : "even");
      if (!choice.wants(name)) continue;
      const RowModel row = critical_ring(sites);
      const SiteBits bits(row, sector);
      const Index size = bits.states(), basis = basis_for(size, memory);
      const StateSpace space(device, size);
      TransferMatrix matrix = TransferMatrix::of_equal_rows(space, row, bits);
      double product = 0, copied = 0;
      {
        Vector in(device, size), out(device, size);
        randomise(in, {1, 0, Stream::lanczos});
        product = milliseconds(device, size, [&] { matrix.multiply(in, out); });
        copied = milliseconds(device, size, [&] { copy(in, out); });
      }
      const Search found = search(device, row, sector, basis);
      const double floor = static_cast<double>(matrix.passes()) * copied;
      fmt::print("{:<24} {:>12} {:>7} {:>11.4f} {:>9.4f} {:>6.0f}% {:>6} {:>9} {:>11.4f}\n", name,
                 size, matrix.passes(), product, floor, 100 * floor / product, basis,
                 found.products, found.milliseconds / static_cast<double>(found.products));
    }
}

}  // namespace larmor::bench
