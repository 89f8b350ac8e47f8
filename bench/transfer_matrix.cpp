// Speed of products with the transfer matrix of Ising strips, and of steps of the Lanczos method.

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "bench/command.hpp"
#include "bench/timing.hpp"
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

}  // namespace

void bench_transfer_matrix(const Device& device, BenchChoice& choice) {
  fmt::print("Transfer matrix of critical periodic Ising strips, {}\n", study::device_text(device));
  fmt::print("floor: each pass over tiles reads and writes the vector at the rate of a copy\n");
  fmt::print("step: a product, and orthogonalisation against eight vectors\n\n");
  fmt::print("{:<24} {:>12} {:>7} {:>11} {:>9} {:>7} {:>11}\n", "strip", "numbers", "passes",
             "product, ms", "floor, ms", "share", "step, ms");
  const bool is_on_gpu = device.backend == Backend::cuda;
  for (const int sites : {12, 16, 20, 24, 28})
    for (const Sector sector : {Sector::all, Sector::even}) {
      if (!is_on_gpu && sites > 24) continue;
      const std::string name =
          fmt::format("L = {}, {}", sites, sector == Sector::all ? "all states" : "even");
      if (!choice.wants(name)) continue;
      const RowModel row = critical_ring(sites);
      const SiteBits bits(row, sector);
      const TransferMatrix matrix = TransferMatrix::of_equal_rows(device, row, bits);
      const Index size = bits.states();
      Vector in(device, size), out(device, size);
      randomise(in, {1, 0, Stream::lanczos});
      const double product = milliseconds(device, size, [&] { matrix.multiply(in, out); });
      const double copied = milliseconds(device, size, [&] { copy(in, out); });
      constexpr Index basis = 8;
      std::vector<Vector> vectors;
      std::vector<const Vector*> others;
      for (Index n = 0; n < basis; ++n) {
        vectors.emplace_back(device, size);
        randomise(vectors.back(), {1, static_cast<std::uint64_t>(n + 1), Stream::lanczos});
      }
      for (const Vector& vector : vectors) others.push_back(&vector);
      const double step = milliseconds(device, size, [&] {
        matrix.multiply(in, out);
        for (int again = 0; again < 2; ++again) subtract(out, dots(out, others), others);
        scale(out, 1 / norm(out));
      });
      const double floor = static_cast<double>(matrix.passes()) * copied;
      fmt::print("{:<24} {:>12} {:>7} {:>11.4f} {:>9.4f} {:>6.0f}% {:>11.4f}\n", name, size,
                 matrix.passes(), product, floor, 100 * floor / product, step);
    }
}

}  // namespace larmor::bench
