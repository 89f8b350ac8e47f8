#pragma once
// Operands, launches and totals of sums over pairs on a GPU, for any multiplication. This header
// also includes kernels.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "larmor/correlations/pairs/gpu/packing.cuh"
#include "larmor/correlations/pairs/gpu/pair_grid.cuh"

namespace larmor::correlations::real_space {

inline constexpr int most_blocks_of_packing = 4096;

inline Index whole(Index number, Index unit) { return (number + unit - 1) / unit; }

inline unsigned packing_blocks(Index threads) {
  return static_cast<unsigned>(
      std::min<Index>(most_blocks_of_packing, std::max<Index>(1, whole(threads, packing_threads))));
}

inline Index padded(Index sites) { return whole(sites, panel_rows) * panel_rows; }

/// Columns of a unit: the units fill common GPUs evenly, and each is long enough to be efficient.
/// BITS: depends only on the number of sites, because it determines the order of sums.
inline Index segment_of(Index padded_sites) {
  constexpr Index units_wanted = 10000, step = 256, shortest = 512;
  const Index columns = padded_sites * (padded_sites / panel_rows) / units_wanted;
  return std::min(padded_sites, std::max(shortest, whole(columns, step) * step));
}

/// Sums over the units of a panel and their warps. sums: (unit, part, result)
static __global__ void panel_kernel(PairGrid grid, const double* sums, Index parts, Index results,
                                    Index all_panels, double* of_panels) {
  const Index i = static_cast<Index>(blockIdx.x) * packing_threads + threadIdx.x;
  if (i >= grid.panels * results) return;
  const Index panel = i / results, result = i % results;
  double sum = 0;
  for (Index segment = 0; segment < grid.segments(); ++segment) {
    const Index unit = segment * grid.panels + panel;
    for (Index part = 0; part < parts; ++part)
      sum += sums[(unit * parts + part) * results + result];
  }
  of_panels[result * all_panels + grid.first_panel + panel] = sum;
}

/// One block of threads per number. of_panels: (number, panel)
static __global__ void total_kernel(const double* of_panels, Index panels, double scale,
                                    double* totals) {
  __shared__ double of_thread[packing_threads];
  const int thread = static_cast<int>(threadIdx.x);
  double sum = 0;
  for (Index panel = thread; panel < panels; panel += packing_threads)
    sum += of_panels[blockIdx.x * panels + panel];
  of_thread[thread] = sum;
  __syncthreads();
  for (int width = packing_threads / 2; width > 0; width /= 2) {
    if (thread < width) of_thread[thread] += of_thread[thread + width];
    __syncthreads();
  }
  if (thread == 0) totals[blockIdx.x] = scale * of_thread[0];
}

/// Positions as (3, site).
inline std::vector<double> by_component(std::span<const Vec3<double>> position) {
  std::vector<double> numbers(3 * position.size());
  for (std::size_t i = 0; i < position.size(); ++i) {
    numbers[i] = position[i].x;
    numbers[i + position.size()] = position[i].y;
    numbers[i + 2 * position.size()] = position[i].z;
  }
  return numbers;
}

/// Keeps operands, and turns sums of units into totals.
template <class Numbers>
class SumsOfPairs : public FusedSums {
 public:
  void set_columns(const double* matrix) override {
    pack(matrix, columns_);
    grid_.columns = columns_.data();
    grid_.symmetric = false;
  }
  void set_rows(const double* matrix) override {
    pack(matrix, rows_);
    grid_.rows = rows_.data();
    grid_.symmetric = false;
  }
  void set_both(const double* matrix) override {
    pack(matrix, columns_);
    grid_.rows = grid_.columns = columns_.data();
    grid_.symmetric = true;
    rows_ = {};
  }
  std::span<double> tile_sums() override {
    return {of_panels_.data(), static_cast<std::size_t>(of_panels_.size())};
  }
  Pending totals() override {
    add_up_ranks();
    constexpr double product = 1 / (Numbers::scale * Numbers::scale);
    total_kernel<<<static_cast<unsigned>(results_), packing_threads, 0, stream()>>>(
        of_panels_.data(), all_panels_, settings_.squared ? product * product : product,
        totals_.data());
    larmor::cuda::check(cudaGetLastError(), "adding up correlations");
    Pending totals(device_, totals_.data(), totals_.size());
    if (!grid_.symmetric) return totals;
    return std::move(totals).then(both_ways());
  }

 protected:
  /// Function that completes totals over half of the pairs (r, r') by the other order. Pairs count
  /// twice.
  virtual std::function<void(std::vector<double>&)> both_ways() const = 0;

  /// @param results number of sums @param of_pass number in one launch
  /// @param parts separate sums in a unit
  SumsOfPairs(const Device& device, const PairSettings& settings, const RowShare& share,
              Index results, Index of_pass, Index parts)
      : device_(device),
        settings_(settings),
        share_(share),
        results_(results),
        parts_(parts),
        all_panels_(padded(settings.sites) / panel_rows) {
    grid_.padded = static_cast<int>(padded(settings.sites));
    grid_.chunks = static_cast<int>(whole(settings.numbers, Numbers::per_row));
    grid_.segment = static_cast<int>(segment_of(grid_.padded));
    take_rows({});
    sums_ = Array<double>(device, of_pass * parts * grid_.units());
    of_panels_ = Array<double>(device, results * all_panels_);
    totals_ = Array<double>(device, results);
  }

  /// Restricts the next launches to a share of the rows.
  void take_rows(const RowShare& part) {
    const RowShare rows = share_.cut(part);
    grid_.first_panel = static_cast<int>(rows.first(all_panels_));
    grid_.panels = static_cast<int>(rows.last(all_panels_)) - grid_.first_panel;
    first_part_ = part.part == 0;
  }

  /// Adds panels over ranks; panels of other ranks are zero here.
  void add_up_ranks() {
    if (settings_.ranks != nullptr) settings_.ranks->add_up(of_panels_.data(), of_panels_.size());
  }

  cudaStream_t stream() const { return larmor::cuda::stream(device_.ordinal); }

  /// Computes the sums of `count` results from `first` on.
  template <class Epilogue>
  void run(const PairGrid& grid, const Epilogue& epilogue, Index first, Index results) {
    const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, fused");
    double* of_panels = of_panels_.data() + first * all_panels_;
    if (first_part_)
      larmor::cuda::check(
          cudaMemsetAsync(of_panels, 0, static_cast<std::size_t>(results * all_panels_) * 8,
                          stream()),
          "forgetting the last sums");
    if (grid.panels == 0) return;
    const int most = settings_.blocks > 0 ? static_cast<int>(settings_.blocks)
                                          : larmor::cuda::multiprocessors(device_.ordinal);
    PairKernel<Numbers>::launch(std::min(most, grid.units()), grid, epilogue, stream());
    panel_kernel<<<static_cast<unsigned>(whole(results * grid.panels, packing_threads)),
                   packing_threads, 0, stream()>>>(grid, sums_.data(), parts_, results, all_panels_,
                                                   of_panels);
    larmor::cuda::check(cudaGetLastError(), "launching the fused correlation kernel");
  }

  Device device_;
  PairSettings settings_;
  RowShare share_;
  bool first_part_ = true;
  Index results_, parts_, all_panels_;
  PairGrid grid_{};
  Array<double> sums_;       ///< (unit, part, number)
  Array<double> of_panels_;  ///< (number, panel)

 private:
  void pack(const double* matrix, Array<char>& to) {
    const Index bytes = static_cast<Index>(grid_.chunks) * grid_.padded * row_bytes;
    if (to.size() != bytes) to = Array<char>(device_, bytes);
    const Index threads = static_cast<Index>(grid_.chunks) * grid_.padded * places_of_row;
    pack_kernel<Numbers><<<packing_blocks(threads), packing_threads, 0, stream()>>>(
        matrix, settings_.sites, settings_.numbers, grid_.padded, grid_.chunks,
        reinterpret_cast<typename Numbers::Place*>(to.data()));
    larmor::cuda::check(cudaGetLastError(), "packing spins");
  }

  Array<char> rows_, columns_;
  Array<double> totals_;
};

inline void require_at_most(Index most, Index number, const char* what) {
  if (number > most)
    throw InputError(std::to_string(number) + " " + what + " are too many",
                     "give at most " + std::to_string(most));
}

}  // namespace larmor::correlations::real_space
