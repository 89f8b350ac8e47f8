#include <algorithm>
#include <numbers>
#include <vector>

#include "larmor/core/array.hpp"
#include "larmor/core/cuda_backend.hpp"
#include "larmor/core/gpu_profile.hpp"
#include "larmor/correlations/real_space/fourier_epilogue.cuh"
#include "larmor/correlations/real_space/fused_sums.hpp"
#include "larmor/correlations/real_space/packing.cuh"

namespace larmor::correlations::real_space {
namespace {

static_assert(panel_rows == rows_of_panel);
/// Of a block on a GPU of compute capability 9.0.
constexpr Index shared_bytes = 227 * 1024;
constexpr int most_blocks_of_packing = 4096;

Index whole(Index number, Index unit) { return (number + unit - 1) / unit; }

unsigned packing_blocks(Index threads) {
  return static_cast<unsigned>(
      std::min<Index>(most_blocks_of_packing, std::max<Index>(1, whole(threads, packing_threads))));
}

Index padded(Index sites) { return whole(sites, panel_rows) * panel_rows; }

/// Columns of a unit: so many units that they fill a GPU evenly, each long enough to pay. Of the
/// number of sites alone: it decides the order of sums.
Index segment_of(Index padded_sites) {
  constexpr Index units_wanted = 2500, step = 256, shortest = 512;
  const Index columns = padded_sites * (padded_sites / panel_rows) / units_wanted;
  return std::max(shortest, whole(columns, step) * step);
}

/// Sums over the units of a panel and their warps. numbers: of complex sums
__global__ void panel_kernel(PairGrid grid, const double2* sums, Index numbers, Index all_panels,
                             double* of_panels) {
  const Index i = static_cast<Index>(blockIdx.x) * packing_threads + threadIdx.x;
  if (i >= grid.panels * numbers) return;
  const Index panel = i / numbers, number = i % numbers;
  double2 sum = {0, 0};
  for (Index segment = 0; segment < grid.segments(); ++segment)
    for (Index warp = 0; warp < summing_warps; ++warp) {
      const Index unit = segment * grid.panels + panel;
      const double2 x = sums[(unit * summing_warps + warp) * numbers + number];
      sum.x += x.x;
      sum.y += x.y;
    }
  of_panels[2 * number * all_panels + grid.first_panel + panel] = sum.x;
  of_panels[(2 * number + 1) * all_panels + grid.first_panel + panel] = sum.y;
}

/// One block a number. of_panels: (number, panel)
__global__ void total_kernel(const double* of_panels, Index panels, double scale, double* totals) {
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

template <class Numbers>
class FourierSums : public FusedSums {
 public:
  FourierSums(const Device& device, const FourierSumsSettings& s)
      : device_(device),
        sites_(s.sites),
        numbers_(s.numbers),
        wave_vectors_(std::ssize(s.q)),
        squared_(s.squared),
        all_panels_(padded(s.sites) / panel_rows) {
    grid_.padded = static_cast<int>(padded(sites_));
    grid_.chunks = static_cast<int>(whole(numbers_, Numbers::numbers));
    grid_.first_panel = static_cast<int>(s.share.first);
    grid_.panels = static_cast<int>(s.share.count == 0 ? all_panels_ : s.share.count);
    grid_.segment = static_cast<int>(segment_of(grid_.padded));
    using Epilogue = FourierEpilogue<Numbers>;
    constexpr Index left =
        shared_bytes - barrier_bytes - static_cast<Index>(sizeof(typename Epilogue::Shared));
    grid_.stages = static_cast<int>(
        std::min<Index>(most_stages, left / (groups * TileShape<Numbers>::stage_bytes)));
    bytes_ = barrier_bytes + sizeof(typename Epilogue::Shared) +
             static_cast<std::size_t>(groups * grid_.stages * TileShape<Numbers>::stage_bytes);
    const Index row_elements = static_cast<Index>(grid_.chunks) * grid_.padded * row_bytes;
    rows_ = Array<char>(device, row_elements);
    columns_ = Array<char>(device, row_elements);
    const Index of_pass = std::min<Index>(most_wave_vectors, wave_vectors_);
    phases_ =
        Array<char>(device, whole(wave_vectors_, Numbers::wave_vectors) * grid_.padded * row_bytes);
    sums_ = Array<double2>(device, of_pass * grid_.units() * summing_warps);
    of_panels_ = Array<double>(device, 2 * wave_vectors_ * all_panels_);
    totals_ = Array<double>(device, 2 * wave_vectors_);
    grid_.rows = rows_.data();
    grid_.columns = columns_.data();
    fill_phases(s);
    larmor::cuda::check(
        cudaFuncSetAttribute(pair_kernel<Numbers, Epilogue>,
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes_)),
        "preparing the fused correlation kernel");
    larmor::cuda::check(
        cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device.ordinal),
        "counting multiprocessors");
  }

  void set_columns(const double* matrix) override { pack(matrix, columns_); }
  void set_rows(const double* matrix) override { pack(matrix, rows_); }

  void launch() override {
    const cudaStream_t stream = larmor::cuda::stream(device_.ordinal);
    for (Index first = 0; first < wave_vectors_; first += most_wave_vectors) {
      const Index count = std::min<Index>(most_wave_vectors, wave_vectors_ - first);
      PairGrid grid = grid_;
      grid.phases = phases_.data() + first / Numbers::wave_vectors * grid_.padded * row_bytes;
      grid.phase_chunks = static_cast<int>(whole(count, Numbers::wave_vectors));
      const FourierEpilogue<Numbers> epilogue{static_cast<int>(count), squared_, sums_.data()};
      const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, fused");
      pair_kernel<Numbers, FourierEpilogue<Numbers>>
          <<<static_cast<unsigned>(std::min(multiprocessors_, grid.units())), block_threads, bytes_,
             stream>>>(grid, epilogue);
      panel_kernel<<<static_cast<unsigned>(whole(count * grid.panels, packing_threads)),
                     packing_threads, 0, stream>>>(grid, sums_.data(), count, all_panels_,
                                                   of_panels_.data() + 2 * first * all_panels_);
      larmor::cuda::check(cudaGetLastError(), "launching the fused correlation kernel");
    }
  }

  std::span<double> panel_sums() override {
    return {of_panels_.data(), static_cast<std::size_t>(of_panels_.size())};
  }

  Pending totals() override {
    constexpr double product = 1 / (Numbers::scale * Numbers::scale);
    total_kernel<<<static_cast<unsigned>(2 * wave_vectors_), packing_threads, 0,
                   larmor::cuda::stream(device_.ordinal)>>>(
        of_panels_.data(), all_panels_, squared_ ? product * product : product, totals_.data());
    larmor::cuda::check(cudaGetLastError(), "adding up correlations");
    return {device_, totals_.data(), totals_.size()};
  }

 private:
  void pack(const double* matrix, Array<char>& to) {
    const Index threads = static_cast<Index>(grid_.chunks) * grid_.padded * places_of_row;
    pack_kernel<Numbers>
        <<<packing_blocks(threads), packing_threads, 0, larmor::cuda::stream(device_.ordinal)>>>(
            matrix, sites_, numbers_, grid_.padded, grid_.chunks,
            reinterpret_cast<typename Numbers::Place*>(to.data()));
    larmor::cuda::check(cudaGetLastError(), "packing spins for tensor cores");
  }

  void fill_phases(const FourierSumsSettings& s) {
    std::vector<double> turns, position(static_cast<std::size_t>(3 * sites_));
    for (const Vec3<double>& k : s.q)
      for (const double x : {k.x, k.y, k.z}) turns.push_back(x / (2 * std::numbers::pi));
    for (std::size_t i = 0; i < s.position.size(); ++i) {
      position[i] = s.position[i].x;
      position[i + s.position.size()] = s.position[i].y;
      position[i + 2 * s.position.size()] = s.position[i].z;
    }
    const Array<double> on_device_q(device_, turns), on_device_r(device_, position);
    const cudaStream_t stream = larmor::cuda::stream(device_.ordinal);
    phase_kernel<Numbers><<<packing_blocks(wave_vectors_ * sites_), packing_threads, 0, stream>>>(
        on_device_q.data(), on_device_r.data(), wave_vectors_, sites_, grid_.padded,
        phases_.data());
    larmor::cuda::check(cudaGetLastError(), "computing phases");
    larmor::cuda::synchronise(device_.ordinal);
  }

  Device device_;
  Index sites_, numbers_, wave_vectors_;
  bool squared_;
  Index all_panels_;
  PairGrid grid_{};
  std::size_t bytes_ = 0;
  int multiprocessors_ = 1;
  Array<char> rows_, columns_, phases_;
  Array<double2> sums_;
  Array<double> of_panels_, totals_;
};

template <class Numbers>
double bytes_of(Index sites, Index numbers, Index wave_vectors) {
  const Index rows = padded(sites), panels = rows / panel_rows;
  const Index units = panels * whole(rows, segment_of(rows));
  const Index chunks =
      2 * whole(numbers, Numbers::numbers) + whole(wave_vectors, Numbers::wave_vectors);
  const Index of_pass = std::min<Index>(most_wave_vectors, wave_vectors);
  return static_cast<double>(chunks * rows * row_bytes + 16 * units * summing_warps * of_pass +
                             16 * wave_vectors * (panels + 1));
}

}  // namespace

std::unique_ptr<FusedSums> make_fourier_sums(const Device& device,
                                             const FourierSumsSettings& settings) {
  if (!has_fused_sums(device))
    throw MachineError("the fused correlation kernel needs a GPU of compute capability 9.0");
  switch (settings.precision) {
    case PairPrecision::full:
      return std::make_unique<FourierSums<DoubleNumbers>>(device, settings);
    case PairPrecision::tf32x3:
      return std::make_unique<FourierSums<Tf32Numbers>>(device, settings);
    case PairPrecision::half_split:
      return std::make_unique<FourierSums<HalfNumbers>>(device, settings);
  }
  throw InternalError("unknown precision of a pair sum");
}

double fourier_sums_bytes(Index sites, Index numbers, Index wave_vectors, PairPrecision precision) {
  switch (precision) {
    case PairPrecision::full:
      return bytes_of<DoubleNumbers>(sites, numbers, wave_vectors);
    case PairPrecision::tf32x3:
      return bytes_of<Tf32Numbers>(sites, numbers, wave_vectors);
    case PairPrecision::half_split:
      return bytes_of<HalfNumbers>(sites, numbers, wave_vectors);
  }
  throw InternalError("unknown precision of a pair sum");
}

bool has_fused_sums(const Device& device) {
  int major = 0, minor = 0;
  larmor::cuda::check(
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device.ordinal),
      "asking for the GPU's kind");
  larmor::cuda::check(
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device.ordinal),
      "asking for the GPU's kind");
  return major == 9 && minor == 0;
}

}  // namespace larmor::correlations::real_space
