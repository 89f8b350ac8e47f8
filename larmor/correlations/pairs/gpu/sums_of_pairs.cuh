#pragma once
// Operands, launches and totals of sums over pairs on a GPU, for any multiplication. This header
// also contains kernels.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/error.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "larmor/correlations/pairs/gpu/packing.cuh"
#include "larmor/correlations/pairs/gpu/pair_grid.cuh"

namespace larmor::correlations::real_space {

inline constexpr int most_blocks_of_packing = 4096;

inline Index whole(Index number, Index unit) { return (number + unit - 1) / unit; }

inline larmor::cuda::LaunchShape packing_shape(Index threads) {
  const Index blocks =
      std::min<Index>(most_blocks_of_packing, std::max<Index>(1, whole(threads, packing_threads)));
  return {dim3(static_cast<unsigned>(blocks)), packing_threads};
}

inline Index padded(Index sites) { return whole(sites, rows_of_tile) * rows_of_tile; }

/// Number of columns of a unit. Units of this length fill common GPUs evenly and are long enough to
/// be efficient. BITS: the number determines the order of sums, so it depends only on the number of
/// sites.
inline Index segment_of(Index padded_sites) {
  constexpr Index units_wanted = 10000, step = 256, shortest = 512;
  const Index columns = padded_sites * (padded_sites / rows_of_tile) / units_wanted;
  return std::min(padded_sites, std::max(shortest, whole(columns, step) * step));
}

/// Adds up the units of a block of rows, and all partial sums of each unit.
/// @param sums (unit, partial sum, result) @param row_block_sums (result, block of rows)
static __global__ void row_block_kernel(PairGrid grid, const double* sums, Index partials,
                                        Index results, Index all_row_blocks,
                                        double* row_block_sums) {
  const Index i = static_cast<Index>(blockIdx.x) * packing_threads + threadIdx.x;
  if (i >= grid.row_blocks * results) return;
  const Index row_block = i / results, result = i % results;
  double sum = 0;
  for (Index segment = 0; segment < grid.segments(); ++segment) {
    const Index unit = segment * grid.row_blocks + row_block;
    for (Index partial = 0; partial < partials; ++partial)
      sum += sums[(unit * partials + partial) * results + result];
  }
  row_block_sums[result * all_row_blocks + grid.first_row_block + row_block] = sum;
}

/// Adds up the blocks of rows. Each block of threads computes one number.
/// @param row_block_sums (number, block of rows)
static __global__ void total_kernel(const double* row_block_sums, Index row_blocks, double scale,
                                    double* totals) {
  __shared__ double thread_sums[packing_threads];
  const int thread = static_cast<int>(threadIdx.x);
  double sum = 0;
  for (Index row_block = thread; row_block < row_blocks; row_block += packing_threads)
    sum += row_block_sums[blockIdx.x * row_blocks + row_block];
  thread_sums[thread] = sum;
  __syncthreads();
  for (int width = packing_threads / 2; width > 0; width /= 2) {
    if (thread < width) thread_sums[thread] += thread_sums[thread + width];
    __syncthreads();
  }
  if (thread == 0) totals[blockIdx.x] = scale * thread_sums[0];
}

/// Positions, converted from (site) to (3, site).
inline std::vector<double> by_component(std::span<const Vec3<double>> position) {
  std::vector<double> numbers(3 * position.size());
  for (std::size_t i = 0; i < position.size(); ++i) {
    numbers[i] = position[i].x;
    numbers[i + position.size()] = position[i].y;
    numbers[i + 2 * position.size()] = position[i].z;
  }
  return numbers;
}

/// Stores the operands, and adds up the sums of units to totals.
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
  std::span<double> row_block_sums() override {
    return {row_block_sums_.data(), static_cast<std::size_t>(row_block_sums_.size())};
  }
  Pending totals() override {
    add_up_ranks();
    constexpr double product = 1 / (Numbers::scale * Numbers::scale);
    larmor::cuda::launch(stream(), {dim3(static_cast<unsigned>(results_)), packing_threads},
                         total_kernel, row_block_sums_.data(), all_row_blocks_,
                         settings_.squared ? product * product : product, totals_.data());
    Pending totals(device_, totals_.data(), totals_.size());
    if (!grid_.symmetric) return totals;
    return std::move(totals).then(both_ways());
  }

 protected:
  /// For symmetric C, only one order of each pair is computed, and it counts twice. The returned
  /// function corrects the totals for the order (r', r).
  virtual std::function<void(std::vector<double>&)> both_ways() const = 0;

  /// @param results number of sums @param results_of_launch number of sums in one launch
  /// @param partials number of partial sums in a unit
  SumsOfPairs(const Device& device, const PairSettings& settings, const RowShare& share,
              Index results, Index results_of_launch, Index partials)
      : device_(device),
        settings_(settings),
        share_(share),
        results_(results),
        partials_(partials),
        all_row_blocks_(padded(settings.sites) / rows_of_tile) {
    grid_.padded = static_cast<int>(padded(settings.sites));
    grid_.k_blocks = static_cast<int>(whole(settings.numbers, Numbers::per_row));
    grid_.segment = static_cast<int>(segment_of(grid_.padded));
    select_rows({});
    sums_ = Array<double>(device, results_of_launch * partials * grid_.units());
    row_block_sums_ = Array<double>(device, results * all_row_blocks_);
    totals_ = Array<double>(device, results);
  }

  /// Restricts the next launches to a share of the rows.
  void select_rows(const RowShare& share) {
    const RowShare rows = share_.subshare(share);
    grid_.first_row_block = static_cast<int>(rows.first(all_row_blocks_));
    grid_.row_blocks = static_cast<int>(rows.last(all_row_blocks_)) - grid_.first_row_block;
    first_share_ = share.index == 0;
  }

  /// Adds sums of blocks of rows over ranks. Before this, the sums of other ranks' blocks are zero.
  void add_up_ranks() {
    if (settings_.ranks != nullptr)
      settings_.ranks->add_up(row_block_sums_.data(), row_block_sums_.size());
  }

  cudaStream_t stream() const { return larmor::cuda::stream(device_.ordinal); }

  /// Computes the sums of `count` results from `first` on.
  template <class Epilogue>
  void run(const PairGrid& grid, const Epilogue& epilogue, Index first, Index results) {
    const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, fused");
    double* sums_of_results = row_block_sums_.data() + first * all_row_blocks_;
    if (first_share_)
      larmor::cuda::check(
          cudaMemsetAsync(sums_of_results, 0,
                          static_cast<std::size_t>(results * all_row_blocks_) * 8, stream()),
          "forgetting the last sums");
    if (grid.row_blocks == 0) return;
    const int most = settings_.blocks > 0 ? static_cast<int>(settings_.blocks)
                                          : larmor::cuda::multiprocessors(device_.ordinal);
    PairKernel<Numbers>::launch(std::min(most, grid.units()), grid, epilogue, stream());
    larmor::cuda::launch(
        stream(), larmor::cuda::shape_of(results * grid.row_blocks, 1, packing_threads),
        row_block_kernel, grid, sums_.data(), partials_, results, all_row_blocks_, sums_of_results);
  }

  Device device_;
  PairSettings settings_;
  RowShare share_;
  bool first_share_ = true;
  Index results_, partials_, all_row_blocks_;
  PairGrid grid_{};
  Array<double> sums_;            ///< (unit, partial sum, number)
  Array<double> row_block_sums_;  ///< (number, block of rows)

 private:
  void pack(const double* matrix, Array<char>& to) {
    const Index bytes = static_cast<Index>(grid_.k_blocks) * grid_.padded * row_bytes;
    if (to.size() != bytes) to = Array<char>(device_, bytes);
    const Index threads = static_cast<Index>(grid_.k_blocks) * grid_.padded * places_of_row;
    larmor::cuda::launch(stream(), packing_shape(threads), pack_kernel<Numbers>, matrix,
                         settings_.sites, settings_.numbers, grid_.padded, grid_.k_blocks,
                         reinterpret_cast<typename Numbers::Place*>(to.data()));
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
