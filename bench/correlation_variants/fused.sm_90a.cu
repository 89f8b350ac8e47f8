// The paper's fused kernels (sections 3.3 and 3.4). CUTLASS's threadblock-level building blocks
// form a product, with one block of threads per tile of C. An epilogue then sums the tile. As in
// the paper, atomic operations add the sums of the blocks, so the last bits differ from run to run.

#include <cutlass/gemm/threadblock/default_mma.h>

#include <algorithm>

#include "bench/correlation_variants/epilogues.cuh"
#include "bench/correlation_variants/methods.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"

namespace larmor::bench {
namespace {

template <int rows, int columns>
using Shape = cutlass::gemm::GemmShape<rows, columns, 16>;

/// A B^T for A (site, k) and B^T (k, site), both with adjacent k, for any number of sites and of k.
template <class BlockShape, class WarpShape>
using Product = typename cutlass::gemm::threadblock::DefaultMma<
    double, cutlass::layout::RowMajor, 1, double, cutlass::layout::ColumnMajor, 1, double,
    cutlass::layout::RowMajor, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, BlockShape,
    WarpShape, cutlass::gemm::GemmShape<16, 8, 4>, 3, cutlass::arch::OpMultiplyAdd>::ThreadblockMma;

using WideProduct = Product<Shape<128, 128>, Shape<32, 64>>;
using NarrowProduct = Product<Shape<128, 64>, Shape<32, 32>>;

template <class Mma>
constexpr int threads_of = Mma::WarpCount::kCount* warp_size;

template <class Mma>
struct TileArguments {
  typename Mma::IteratorA::Params of_rows;
  typename Mma::IteratorB::Params of_columns;
  const double *rows, *columns;  ///< (site, k)
  int sites, numbers;
  double scale;
  PairTiles tiles;
  double2* total;
};

template <class Mma, class Epilogue>
constexpr int shared_bytes_of = std::max(static_cast<int>(sizeof(typename Mma::SharedStorage)),
                                         Epilogue::shared_bytes);

template <class Mma, class Epilogue>
__global__ void __launch_bounds__(threads_of<Mma>, Epilogue::blocks_of_multiprocessor)
    tile_kernel(const TileArguments<Mma> s, const Epilogue epilogue) {
  extern __shared__ __align__(128) char shared[];
  using cutlass::MatrixCoord;
  const int2 place = s.tiles.place(blockIdx.x);
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = cutlass::canonical_warp_idx_sync(), lane = thread % warp_size;
  TileOrigin origin;
  origin.row = place.x * Mma::Shape::kM;
  origin.column = place.y * Mma::Shape::kN;
  origin.warp_row = warp % Mma::WarpCount::kM * Mma::Operator::Shape::kM;
  origin.warp_column = warp / Mma::WarpCount::kM * Mma::Operator::Shape::kN;
  typename Mma::IteratorA rows(s.of_rows, const_cast<double*>(s.rows), {s.sites, s.numbers}, thread,
                               {origin.row, 0});
  typename Mma::IteratorB columns(s.of_columns, const_cast<double*>(s.columns),
                                  {s.numbers, s.sites}, thread, {0, origin.column});
  typename Mma::FragmentC tile;
  tile.clear();
  // The product ends only when every warp has read its operands in shared memory.
  Mma product(*reinterpret_cast<typename Mma::SharedStorage*>(shared), thread, warp, lane);
  product((s.numbers + Mma::Shape::kK - 1) / Mma::Shape::kK, tile, rows, columns, tile);
  const double2 sum = block_sum<threads_of<Mma>>(epilogue.sum(tile, origin, shared));
  if (thread != 0) return;
  atomicAdd(&s.total->x, s.scale * sum.x);
  atomicAdd(&s.total->y, s.scale * sum.y);
}

/// @tparam Source owns the inputs of the epilogue, and makes the epilogue
template <class Mma, class Source>
class TileProduct : public VariantMethod {
 public:
  using Epilogue = typename Source::Epilogue;

  TileProduct(const Device& device, const VariantProblem& problem, const SpinMatrices& spins)
      : device_(device), source_(device, problem), total_(device, 1) {
    const auto sites = static_cast<int>(problem.sites);
    const auto numbers = static_cast<int>(problem.numbers());
    const TileArguments<Mma> arguments{
        typename Mma::IteratorA::Params(cutlass::layout::RowMajor(numbers)),
        typename Mma::IteratorB::Params(cutlass::layout::ColumnMajor(numbers)),
        spins.centred_rows,
        spins.centred_columns,
        sites,
        numbers,
        1 / static_cast<double>(problem.configurations),
        PairTiles(problem.sites, Mma::Shape::kM, Mma::Shape::kN),
        total_.data()};
    larmor::cuda::check(cudaFuncSetAttribute(tile_kernel<Mma, Epilogue>,
                                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             shared_bytes_of<Mma, Epilogue>),
                        "preparing a correlation kernel");
    parts_ = {{"fused", [this, arguments, epilogue = source_.epilogue(problem)] {
                 launch_tiles(arguments, epilogue);
               }}};
  }
  std::complex<double> total() override { return variant_total(total_); }

 private:
  void launch_tiles(const TileArguments<Mma>& arguments, const Epilogue& epilogue) {
    const cudaStream_t stream = larmor::cuda::stream(device_.ordinal);
    const larmor::cuda::LaunchRegion region(device_.ordinal, "correlations, fused as the paper");
    larmor::cuda::check(cudaMemsetAsync(total_.data(), 0, sizeof(double2), stream),
                        "clearing a sum");
    larmor::cuda::launch(stream,
                         {dim3(static_cast<unsigned>(arguments.tiles.count())), threads_of<Mma>,
                          static_cast<std::size_t>(shared_bytes_of<Mma, Epilogue>)},
                         tile_kernel<Mma, Epilogue>, arguments, epilogue);
  }

  Device device_;
  Source source_;
  Array<double2> total_;
};

struct MatrixSource {
  using Epilogue = LoadedPhases<WideProduct>;
  Array<double2> matrix;
  MatrixSource(const Device& device, const VariantProblem& problem)
      : matrix(variant_matrix(device, problem)) {}
  Epilogue epilogue(const VariantProblem& problem) const {
    return {matrix.data(), static_cast<int>(problem.sites)};
  }
};

template <class EpilogueOfPositions>
struct PositionSource {
  using Epilogue = EpilogueOfPositions;
  Array<double> position;
  PositionSource(const Device& device, const VariantProblem& problem)
      : position(variant_positions(device, problem)) {}
  Epilogue epilogue(const VariantProblem& problem) const {
    return {{position.data(), problem.q, static_cast<int>(problem.sites)}};
  }
};

template <class Mma, class Source>
std::unique_ptr<VariantMethod> made(const Device& device, const VariantProblem& problem,
                                    const SpinMatrices& spins) {
  if (!correlations::real_space::has_tensor_core_sums(device))
    throw MachineError("the fused correlation kernels need a GPU of compute capability 9.0");
  return std::make_unique<TileProduct<Mma, Source>>(device, problem, spins);
}

}  // namespace

std::unique_ptr<VariantMethod> make_fused_load(const Device& device, const VariantProblem& problem,
                                               const SpinMatrices& spins) {
  return made<WideProduct, MatrixSource>(device, problem, spins);
}

std::unique_ptr<VariantMethod> make_fused_registers(const Device& device,
                                                    const VariantProblem& problem,
                                                    const SpinMatrices& spins) {
  return made<NarrowProduct, PositionSource<PhasesInRegisters<NarrowProduct>>>(device, problem,
                                                                               spins);
}

std::unique_ptr<VariantMethod> make_fused_shared(const Device& device,
                                                 const VariantProblem& problem,
                                                 const SpinMatrices& spins) {
  return made<NarrowProduct, PositionSource<PhasesFromSharedMemory<NarrowProduct>>>(device, problem,
                                                                                    spins);
}

}  // namespace larmor::bench
