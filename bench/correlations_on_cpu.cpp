#include "bench/correlations_on_cpu.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <set>

#include "bench/amplitudes.hpp"
#include "bench/naive_pairs.hpp"
#include "bench/systems.hpp"
#include "bench/timing.hpp"
#include "larmor/core/device/parallel.hpp"
#include "larmor/correlations/fourier/amplitudes.hpp"
#include "larmor/correlations/pairs/cpu/tile_product.hpp"
#include "larmor/correlations/pairs/cpu/tile_sums.hpp"

namespace larmor::bench {
namespace {

using namespace correlations::real_space;

std::vector<double> random_numbers(Index count) {
  std::mt19937_64 generator(1);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (double& x : numbers) x = number(generator);
  return numbers;
}

lattice::Geometry square_lattice(Index length) {
  return lattice::make_lattice(lattice::named_crystal("square", 1.0), {length, length}, {true});
}

/// Spins of a square lattice and the sums to measure.
class PairSystem {
 public:
  PairSystem(Index length, Index replicas)
      : sites_(length * length),
        numbers_(3 * replicas),
        matrix_(random_numbers(sites_ * numbers_)) {
    const lattice::Geometry geometry = square_lattice(length);
    const auto size = static_cast<double>(length);
    periods_ = {{size, 0, 0}, {0, size, 0}};
    for (Index i = 0; i < sites_; ++i) {
      position_.push_back(geometry.position(i));
      label_.push_back(static_cast<std::int32_t>(i % groups));
    }
    for (int n = 0; n < 64; ++n) q_.push_back({0.05 * n, 0.02 * n, 0});
  }

  Index sites() const { return sites_; }
  Index numbers() const { return numbers_; }
  const double* matrix() const { return matrix_.data(); }
  double flops() const {
    const auto N = static_cast<double>(sites_);
    return 2 * N * N * static_cast<double>(numbers_);
  }

  FourierTerms phases(std::size_t wave_vectors) const {
    return {std::span(q_).first(wave_vectors), position_};
  }
  ByDistance distances() const {
    return {position_, {0.5, static_cast<Index>(periods_[0].x), periods_}};
  }
  BetweenGroups grouped() const { return {label_, groups}; }

  PairSettings settings() const {
    PairSettings settings;
    settings.sites = sites_;
    settings.numbers = numbers_;
    settings.squared = true;
    return settings;
  }
  /// @param sums sums that were made with the settings of this system
  std::unique_ptr<PairSums> ready(std::unique_ptr<PairSums> sums) const {
    sums->set_rows(matrix());
    sums->set_columns(matrix());
    return sums;
  }

 private:
  static constexpr Index groups = 8;

  Index sites_, numbers_;
  std::vector<double> matrix_;  ///< (site, k)
  std::vector<Vec3<double>> position_, periods_, q_;
  std::vector<std::int32_t> label_;
};

/// Products by only OpenBLAS. Each thread multiplies blocks of rows with all columns. A block has
/// fewer than N / threads rows if N / threads rows would need more than a gigabyte.
class WholeProducts {
 public:
  WholeProducts(const PairSystem& system, int threads)
      : system_(system), threads_(threads), N_(system.sites()) {
    constexpr Index most = (Index{1} << 30) / 8;
    rows_ = std::clamp<Index>(most / (N_ * threads), 1, (N_ + threads - 1) / threads);
    c_.resize(static_cast<std::size_t>(threads));
    for (auto& strip : c_) strip.resize(static_cast<std::size_t>(rows_ * N_));
  }

  void operator()() {
    const Index strips = (N_ + rows_ - 1) / rows_, K = system_.numbers();
    parallel_for(threads_, threads_, [&](Index thread) {
      for (Index strip = thread; strip < strips; strip += threads_)
        multiply_transposed(std::min(rows_, N_ - strip * rows_), N_, K,
                            {system_.matrix() + strip * rows_ * K, K}, {system_.matrix(), K},
                            {c_[static_cast<std::size_t>(thread)].data(), N_});
    });
  }

 private:
  const PairSystem& system_;
  int threads_;
  Index N_, rows_;
  std::vector<std::vector<double>> c_;  ///< (thread)(row, column)
};

void sum_up(PairSums& sums) {
  sums.add();
  sums.totals();
}

PairSumsRow naive_row(Index length, Index replicas) {
  const PairSystem small(std::min<Index>(length, 22), replicas);
  const auto sums = small.ready(make_naive_sums(small.settings(), small.phases(1)));
  const double seconds = best_seconds_in_turn({[&] { sum_up(*sums); }})[0];
  return {"naive, one thread, C^2, 1 q", small.sites(), small.numbers(), seconds,
          small.flops() / seconds / 1e9, "GFLOP/s",     std::nan(""),    ""};
}

}  // namespace

std::vector<PairSumsRow> bench_pair_sums_on_cpu(Index length, Index replicas, int threads) {
  const PairSystem system(length, replicas);
  WholeProducts whole(system, threads);
  std::vector<std::string> names = {"OpenBLAS alone"};
  std::vector<std::function<void()>> works = {[&] { whole(); }};
  std::vector<std::unique_ptr<PairSums>> sums;
  const auto add = [&](const std::string& name, const PairReduction& reduction) {
    names.push_back("gemm-panels, " + name);
    sums.push_back(system.ready(make_tile_sums(system.settings(), reduction, threads)));
    works.push_back([sum = sums.back().get()] { sum_up(*sum); });
  };
  for (const std::size_t wave_vectors : {1, 8, 64})
    add(fmt::format("C^2, {} q", wave_vectors), system.phases(wave_vectors));
  add("C and C^2 by distance", system.distances());
  add("C^2, 8 groups", system.grouped());
  const std::vector<double> seconds = best_seconds_in_turn(works);
  std::vector<PairSumsRow> rows = {naive_row(length, replicas)};
  for (std::size_t i = 0; i < works.size(); ++i)
    rows.push_back({names[i], system.sites(), system.numbers(), seconds[i],
                    system.flops() / seconds[i] / 1e9, "GFLOP/s", seconds[0] / seconds[i],
                    "OpenBLAS alone"});
  return rows;
}

PairSumsRow bench_factorised_on_cpu(Index replicas, int threads) {
  // 24 bytes a spin, in total several hundred megabytes.
  constexpr Index least_numbers = Index{60} << 20;
  const auto length = static_cast<Index>(
      std::sqrt(static_cast<double>(least_numbers) / (3.0 * static_cast<double>(replicas))));
  const lattice::Geometry geometry = square_lattice(length);
  const Index N = geometry.sites(), lanes = replicas == 1 ? 1 : 8;
  const Index blocks = (replicas + lanes - 1) / lanes;
  const std::vector<double> numbers = random_numbers(blocks * lanes * 3 * N);
  std::vector<std::int32_t> canonical(static_cast<std::size_t>(N));
  std::iota(canonical.begin(), canonical.end(), 0);
  const StridedVectors spins =
      lanes == 1
          ? StridedVectors{numbers.data(), N, 1, 1, 3 * N, 0, 1, N, canonical.data()}
          : StridedVectors{numbers.data(), N, replicas, 8, 24 * N, 1, 24, 8, canonical.data()};
  const auto transform =
      make_transform(geometry, correlations::q_explicit(geometry, {{0.123, 0.2, 0}}),
                     correlations::Method::factorised);
  std::vector<std::complex<double>> amplitudes(static_cast<std::size_t>(3 * replicas));
  std::vector<double> copy(numbers.size());
  const auto count = static_cast<Index>(numbers.size());
  const std::vector<double> seconds = best_seconds_in_turn(
      {[&] { transform->transform(spins, threads, amplitudes.data()); },
       [&] {
         parallel_for(threads, threads, [&](Index thread) {
           const Index first = thread * count / threads, last = (thread + 1) * count / threads;
           std::memcpy(copy.data() + first, numbers.data() + first,
                       sizeof(double) * static_cast<std::size_t>(last - first));
         });
       }});
  const double bytes = static_cast<double>(N) * (24.0 * static_cast<double>(replicas) + 16.0);
  const double rate = bytes / seconds[0] / 1e9;
  const double copied = 16.0 * static_cast<double>(count) / seconds[1] / 1e9;
  return {"factorised, C, 1 q", N,        3 * replicas, seconds[0], rate, "GB/s",
          rate / copied,        "copying"};
}

void bench_correlations_on_cpu(std::vector<Index> lengths, Index replicas, BenchChoice& choice,
                               int threads) {
  if (lengths.empty()) lengths = {60, 80, 100};
  fmt::print("Correlations of all pairs of sites, square lattice, {} threads\n", threads);
  fmt::print("GFLOP/s counts only the products C = a b^T, 2 N^2 K operations\n");
  fmt::print("\"OpenBLAS alone\": only the products of this shape, C written to memory\n\n");
  fmt::print("{:<34} {:>8} {:>5} {:>12} {:>18} {:>22}\n", "", "N", "K", "ms", "rate", "share");
  const auto print = [](const PairSumsRow& row) {
    const std::string share =
        std::isnan(row.share) ? "" : fmt::format("{:.0f}% of {}", 100 * row.share, row.floor);
    fmt::print("{:<34} {:>8} {:>5} {:>12.3f} {:>10.2f} {:<7} {:>22}\n", row.method, row.sites,
               row.numbers, 1e3 * row.seconds, row.rate, row.unit, share);
  };
  for (const Index length : lengths) {
    if (!choice.wants(size_text(length, 2, replicas))) continue;
    for (const PairSumsRow& row : bench_pair_sums_on_cpu(length, replicas, threads)) print(row);
  }
  for (const Index count : {Index{1}, replicas})
    if (choice.wants(fmt::format("factorised x {}", count)))
      print(bench_factorised_on_cpu(count, threads));
  Device device;
  device.threads = threads;
  const auto [smallest, largest] = std::ranges::minmax(lengths);
  for (const Index length : std::set{smallest, largest})
    for (const Index count : {Index{1}, replicas})
      if (choice.wants(fmt::format("auto {}", size_text(length, 2, count))))
        for (const LatticeOfAmplitudes& lattice : measured_amplitudes(device, length, count))
          print_amplitudes(lattice);
}

}  // namespace larmor::bench
