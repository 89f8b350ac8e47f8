#pragma once
// The product of one tile on tensor cores, with instructions from CUTLASS's headers.

#include <cute/arch/mma_sm90.hpp>
#include <cute/arch/mma_sm90_desc.hpp>
#include <cute/arch/mma_sm90_gmma.hpp>
#include <utility>

#include "larmor/correlations/pairs/gpu/fused_kernel.cuh"

namespace larmor::correlations::real_space {

/// c += a b by the instruction m16n8k8. @param a the lane's numbers in rows g and g + 8, with g =
/// lane / 4
__device__ inline void multiply(double (&c)[4], const double2 (&a)[2], const double2& b) {
  cute::SM90::MMA_16x8x8_F64F64F64F64_TN::fma(c[0], c[1], c[2], c[3], a[0].x, a[1].x, a[0].y,
                                              a[1].y, b.x, b.y, c[0], c[1], c[2], c[3]);
}

template <>
struct TileSums<DoubleNumbers> {
  using Numbers = DoubleNumbers;
  double c[Numbers::row_tiles][Numbers::column_tiles][4] = {};

  template <class HalfDone>
  __device__ void add_up(Ring& ring, int k_blocks, const WarpTile& w, const HalfDone& half_done) {
    for (int k_block = 0; k_block < k_blocks; ++k_block) {
      add_k_block(ring.acquire(), w);
      ring.release();
      if (k_block == k_blocks / 2) half_done();
    }
  }

  /// Multiplies the tile, which is in registers, by the columns' phases of four wave vectors. The
  /// result y, (row tile, (h, cos sin)), has the sums of wave vector `place`.
  __device__ void multiply_phases(const char* stage, const WarpTile& w,
                                  double (&y)[Numbers::row_tiles][4]) const {
#pragma unroll
    for (int n = 0; n < Numbers::column_tiles; ++n) {
      const int column = w.first_column + 8 * n + 2 * w.place;
      const int number = w.eight * static_cast<int>(sizeof(double));
      const double2 b = {
          *reinterpret_cast<const double*>(stage + phase_offset(column, number)),
          *reinterpret_cast<const double*>(stage + phase_offset(column + 1, number))};
#pragma unroll
      for (int m = 0; m < Numbers::row_tiles; ++m) {
        const double2 a[2] = {{c[m][n][0], c[m][n][1]}, {c[m][n][2], c[m][n][3]}};
        multiply(y[m], a, b);
      }
    }
  }

 private:
  __device__ void add_k_block(const char* stage, const WarpTile& w) {
    const char* of_lane = stage + w.eight * row_bytes + w.place * 16;
    const char* columns = of_lane + w.first_column * row_bytes;
    const char* rows = of_lane + (TileShape<Numbers>::columns + w.first_row) * row_bytes;
    double2 b[Numbers::column_tiles];
#pragma unroll
    for (int n = 0; n < Numbers::column_tiles; ++n)
      b[n] = *reinterpret_cast<const double2*>(columns + n * 8 * row_bytes);
#pragma unroll
    for (int m = 0; m < Numbers::row_tiles; ++m) {
      const char* row = rows + m * Numbers::row_step * row_bytes;
      const double2 a[2] = {*reinterpret_cast<const double2*>(row),
                            *reinterpret_cast<const double2*>(row + 8 * row_bytes)};
#pragma unroll
      for (int n = 0; n < Numbers::column_tiles; ++n) multiply(c[m][n], a, b[n]);
    }
  }
};

namespace detail {

/// WGMMA descriptor of swizzled rows of 64 bytes in shared memory.
__device__ inline std::uint64_t descriptor(const char* rows) {
  constexpr int eight_rows = 8 * row_bytes;
  cute::GmmaDescriptor d;
  d.bitfield.start_address_ = static_cast<std::uint16_t>(cute::cast_smem_ptr_to_uint(rows) >> 4);
  d.bitfield.leading_byte_offset_ = 1;
  d.bitfield.stride_byte_offset_ = eight_rows >> 4;
  d.bitfield.base_offset_ = 0;
  d.bitfield.layout_type_ = static_cast<std::uint8_t>(cute::SM90::GMMA::LayoutType::B64);
  return d;
}

template <class Instruction, int... element>
__device__ void multiply(std::uint64_t a, std::uint64_t b, float* c, bool first,
                         std::integer_sequence<int, element...>) {
  using cute::SM90::GMMA::ScaleOut;
  Instruction::fma(a, b, c[element]..., first ? ScaleOut::Zero : ScaleOut::One);
}

}  // namespace detail

template <class Numbers>
struct InstructionOf;
template <>
struct InstructionOf<Tf32Numbers> {
  using type = cute::SM90::GMMA::MMA_64x128x8_F32TF32TF32_SS_TN<>;
};
template <>
struct InstructionOf<HalfNumbers> {
  using type = cute::SM90::GMMA::MMA_64x128x16_F32F16F16_SS<cute::SM90::GMMA::Major::K,
                                                            cute::SM90::GMMA::Major::K>;
};

/// Adds the products of high and low halves. Small products are added first.
template <class Numbers>
struct TileSums {
  float c[Numbers::row_tiles][Numbers::column_tiles][4];

  template <class HalfDone>
  __device__ void add_up(Ring& ring, int k_blocks, const WarpTile& w, const HalfDone& half_done) {
    for (int k_block = 0; k_block < k_blocks; ++k_block) {
      add_k_block(ring.acquire(), k_block == 0);
      // A block is multiplied while the next block is being loaded.
      if (k_block > 0) {
        cute::warpgroup_wait<1>();
        ring.release();
      }
      if (k_block == k_blocks / 2) half_done();
    }
    cute::warpgroup_wait<0>();
    fence();
    ring.release();
  }

 private:
  static constexpr int elements = 4 * Numbers::column_tiles;

  __device__ void fence() {
#pragma unroll
    for (auto& row : c)
#pragma unroll
      for (auto& column : row)
#pragma unroll
        for (float& x : column) cute::warpgroup_fence_operand(x);
  }

  __device__ void add_k_block(const char* stage, bool first) {
    constexpr int low = row_bytes / 2;
    constexpr int a_half[] = {low, 0, 0}, b_half[] = {0, low, 0};
    fence();
    cute::warpgroup_arrive();
#pragma unroll
    for (int m = 0; m < Numbers::row_tiles; ++m) {
      const char* rows = stage + (TileShape<Numbers>::columns + m * Numbers::row_step) * row_bytes;
#pragma unroll
      for (int p = 0; p < 3; ++p)
        detail::multiply<typename InstructionOf<Numbers>::type>(
            detail::descriptor(rows + a_half[p]), detail::descriptor(stage + b_half[p]),
            &c[m][0][0], first && p == 0, std::make_integer_sequence<int, elements>());
    }
    cute::warpgroup_commit_batch();
    fence();
  }
};

}  // namespace larmor::correlations::real_space
