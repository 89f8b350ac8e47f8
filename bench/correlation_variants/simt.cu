// C = A B^T by plain fused multiply-adds in double precision, for comparison and for GPUs without
// tensor cores for double precision. A kernel computes C in tiles, from tiles of A and B in shared
// memory. It sums each tile with its phases at once.

#include <algorithm>

#include "bench/correlation_variants/fields.cuh"
#include "bench/correlation_variants/methods.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"

namespace larmor::bench {
namespace {

struct SimtArguments {
  const double *rows, *columns;  ///< (site, k)
  const double2* phases;         ///< exp(-i q.r), (site)
  int sites, numbers;
  PairTiles tiles;
  double2* block_sums;
};

/// Adds p (x - i y) to a sum, for p = exp(-i q.r) and x + i y, the sum over r' of C exp(-i q.r').
__device__ void add_row(double2& sum, const double2& p, double x, double y) {
  sum.x += p.x * x + p.y * y;
  sum.y += p.y * x - p.x * y;
}

/// A tile in which a thread computes one element of C.
struct ElementTile {
  static constexpr int edge = 32;
  static constexpr int rows = edge, columns = edge, threads = edge * edge;
  static constexpr int depth = edge;  ///< numbers k that shared memory holds at once
  static constexpr int blocks_of_multiprocessor = 1;

  static __device__ void add(const SimtArguments& s, int2 place, double2& sum) {
    // A column of padding avoids bank conflicts within a warp.
    __shared__ double a[edge][edge + 1], b[edge][edge + 1];
    const int x = static_cast<int>(threadIdx.x) % edge, y = static_cast<int>(threadIdx.x) / edge;
    const int first_row = place.x * edge, first_column = place.y * edge;
    double c = 0;
    for (int first = 0; first < s.numbers; first += depth) {
      const int k = first + x;
      const auto number = [&](const double* matrix, int site) {
        return site < s.sites && k < s.numbers ? matrix[static_cast<Index>(site) * s.numbers + k]
                                               : 0.0;
      };
      a[y][x] = number(s.rows, first_row + y);
      b[y][x] = number(s.columns, first_column + y);
      __syncthreads();
#pragma unroll
      for (int j = 0; j < depth; ++j) c += a[y][j] * b[x][j];
      __syncthreads();
    }
    const int row = first_row + y, column = first_column + x;
    if (row >= s.sites || column >= s.sites) return;
    const double2 p = s.phases[column];
    add_row(sum, s.phases[row], c * p.x, c * p.y);
  }
};

/// A tile in which a thread computes 8 x 8 elements of C: four by four separate blocks of two by
/// two. Thus adjacent threads read adjacent pairs. While a thread multiplies some k, it loads the
/// next k to registers.
struct RegisterTile {
  static constexpr int rows = 128, columns = 128, threads = 256;
  static constexpr int depth = 8;
  static constexpr int blocks_of_multiprocessor = 1;
  static constexpr int pairs = 4;          ///< pairs of rows, and of columns, of a thread
  static constexpr int pair_step = 32;     ///< distance between pairs
  static constexpr int loads = depth / 2;  ///< numbers of each matrix that a thread loads: half a
                                           ///< site's
  /// Padding by two numbers avoids bank conflicts between the two halves of sixteen threads that
  /// store.
  static constexpr int stride = rows + 2;
  static_assert(rows == columns && 2 * rows == threads);

  /// Numbers of both matrices that a thread loads.
  struct LoadedNumbers {
    double a[loads], b[loads];
  };

  static __device__ LoadedNumbers load(const SimtArguments& s, int2 place, int first) {
    const int site = static_cast<int>(threadIdx.x) / 2;
    const int k = first + static_cast<int>(threadIdx.x) % 2 * loads;
    const int row = place.x * rows + site, column = place.y * columns + site;
    LoadedNumbers loaded;
#pragma unroll
    for (int j = 0; j < loads; ++j) {
      const bool is_number = k + j < s.numbers;
      loaded.a[j] = is_number && row < s.sites
                        ? __ldg(s.rows + static_cast<Index>(row) * s.numbers + k + j)
                        : 0.0;
      loaded.b[j] = is_number && column < s.sites
                        ? __ldg(s.columns + static_cast<Index>(column) * s.numbers + k + j)
                        : 0.0;
    }
    return loaded;
  }

  static __device__ void store(const LoadedNumbers& loaded, double (&a)[depth][stride],
                               double (&b)[depth][stride]) {
    const int site = static_cast<int>(threadIdx.x) / 2;
    const int k = static_cast<int>(threadIdx.x) % 2 * loads;
#pragma unroll
    for (int j = 0; j < loads; ++j) {
      a[k + j][site] = loaded.a[j];
      b[k + j][site] = loaded.b[j];
    }
  }

  static __device__ void add(const SimtArguments& s, int2 place, double2& sum) {
    __shared__ __align__(16) double a[2][depth][stride], b[2][depth][stride];
    const int warp = static_cast<int>(threadIdx.x) / warp_size;
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    // The warps form a grid of four by two, and the threads of a warp form a grid of four by eight.
    const int y = 2 * (warp / 2 * 4 + lane / 8), x = 2 * (warp % 2 * 8 + lane % 8);
    double c[2 * pairs][2 * pairs] = {};
    store(load(s, place, 0), a[0], b[0]);
    __syncthreads();
    int half = 0;
    for (int first = 0; first < s.numbers; first += depth) {
      const bool is_last = first + depth >= s.numbers;
      LoadedNumbers next;
      if (!is_last) next = load(s, place, first + depth);
#pragma unroll
      for (int k = 0; k < depth; ++k) {
        double2 of_row[pairs], of_column[pairs];
#pragma unroll
        for (int p = 0; p < pairs; ++p) {
          of_row[p] = *reinterpret_cast<const double2*>(&a[half][k][y + p * pair_step]);
          of_column[p] = *reinterpret_cast<const double2*>(&b[half][k][x + p * pair_step]);
        }
#pragma unroll
        for (int i = 0; i < pairs; ++i)
#pragma unroll
          for (int j = 0; j < pairs; ++j) {
            c[2 * i][2 * j] += of_row[i].x * of_column[j].x;
            c[2 * i][2 * j + 1] += of_row[i].x * of_column[j].y;
            c[2 * i + 1][2 * j] += of_row[i].y * of_column[j].x;
            c[2 * i + 1][2 * j + 1] += of_row[i].y * of_column[j].y;
          }
      }
      half ^= 1;
      if (!is_last) store(next, a[half], b[half]);
      __syncthreads();
    }
    add_phases(s, place, x, y, c, sum);
  }

  static __device__ void add_phases(const SimtArguments& s, int2 place, int x, int y,
                                    const double (&c)[2 * pairs][2 * pairs], double2& sum) {
    double re[2 * pairs] = {}, im[2 * pairs] = {};
#pragma unroll
    for (int j = 0; j < 2 * pairs; ++j) {
      const int column = place.y * columns + x + j / 2 * pair_step + j % 2;
      if (column >= s.sites) continue;
      const double2 p = s.phases[column];
#pragma unroll
      for (int i = 0; i < 2 * pairs; ++i) {
        re[i] += c[i][j] * p.x;
        im[i] += c[i][j] * p.y;
      }
    }
#pragma unroll
    for (int i = 0; i < 2 * pairs; ++i) {
      const int row = place.x * rows + y + i / 2 * pair_step + i % 2;
      if (row < s.sites) add_row(sum, s.phases[row], re[i], im[i]);
    }
  }
};

template <class Tile>
__global__ void __launch_bounds__(Tile::threads, Tile::blocks_of_multiprocessor)
    simt_kernel(const SimtArguments s) {
  double2 sum = {0, 0};
  for (Index tile = blockIdx.x; tile < s.tiles.count(); tile += gridDim.x)
    Tile::add(s, s.tiles.place(tile), sum);
  sum = block_sum<Tile::threads>(sum);
  if (threadIdx.x == 0) s.block_sums[blockIdx.x] = sum;
}

/// Number of blocks of threads that a GPU runs at once.
template <class Tile>
Index resident_blocks(const Device& device) {
  int multiprocessors = 0, of_one = 0;
  larmor::cuda::check(
      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device.ordinal),
      "counting multiprocessors");
  larmor::cuda::check(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_one, simt_kernel<Tile>, Tile::threads, 0),
      "asking how many blocks a multiprocessor takes");
  return static_cast<Index>(multiprocessors) * std::max(1, of_one);
}

template <class Tile>
class Simt : public VariantMethod {
 public:
  Simt(const Device& device, const VariantProblem& problem, const SpinMatrices& spins)
      : device_(device),
        configurations_(static_cast<double>(problem.configurations)),
        phases_(variant_phases(device, problem)),
        tiles_(problem.sites, Tile::rows, Tile::columns),
        block_sums_(device,
                    std::min(tiles_.count(),
                             problem.blocks > 0 ? problem.blocks : resident_blocks<Tile>(device))),
        total_(device, 1) {
    const SimtArguments arguments{spins.centred_rows,
                                  spins.centred_columns,
                                  phases_.data(),
                                  static_cast<int>(problem.sites),
                                  static_cast<int>(problem.numbers()),
                                  tiles_,
                                  block_sums_.data()};
    parts_ = {{"tiles", [this, arguments] { launch_tiles(arguments); }},
              {"sum of tiles", [this] {
                 launch_variant_total(device_, block_sums_.data(), block_sums_.size(),
                                      1 / configurations_, total_.data());
               }}};
  }
  std::complex<double> total() override { return variant_total(total_); }

 private:
  void launch_tiles(const SimtArguments& arguments) {
    const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, plain tiles");
    larmor::cuda::launch(device_.ordinal,
                         {dim3(static_cast<unsigned>(block_sums_.size())), Tile::threads},
                         simt_kernel<Tile>, arguments);
  }

  Device device_;
  double configurations_;
  Array<double2> phases_;
  PairTiles tiles_;
  Array<double2> block_sums_, total_;
};

}  // namespace

std::unique_ptr<VariantMethod> make_simt_tile(const Device& device, const VariantProblem& problem,
                                              const SpinMatrices& spins) {
  return std::make_unique<Simt<ElementTile>>(device, problem, spins);
}

std::unique_ptr<VariantMethod> make_simt_thread_tile(const Device& device,
                                                     const VariantProblem& problem,
                                                     const SpinMatrices& spins) {
  return std::make_unique<Simt<RegisterTile>>(device, problem, spins);
}

}  // namespace larmor::bench
