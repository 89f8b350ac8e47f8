#pragma once
// Number types of the operands in three precisions, and their memory layout. Most of them are for
// tensor cores.
//
// Operands are divided along K into blocks. In each block, a site has one row of 64 bytes, with
// four places of 16 bytes. In double precision, each warp multiplies on its own (DMMA). The four
// lanes that share a row read one place each. The instruction expects numbers k and k + 4, but a
// lane supplies adjacent numbers. The product is summed over k, so any order of k is valid if both
// operands have it. With split numbers, four warps multiply together (WGMMA). They read shared
// memory directly, swizzled over 64 bytes. The four places of a row are high, high, low, low
// halves.

#include <cuda_fp16.h>

#include <cstdint>

namespace larmor::correlations::real_space {

inline constexpr int row_bytes = 64;
inline constexpr int places_of_row = 4;

struct DoubleNumbers {
  using Sum = double;
  using Place = double2;
  static constexpr int per_row = 8;       ///< numbers of K in a row of 64 bytes
  static constexpr int wave_vectors = 4;  ///< wave vectors in a row of phases: (q, cos sin)
  static constexpr double scale = 1;      ///< factor applied to stored numbers
  /// Number of tiles of 16 rows, and of tiles of 8 columns, in the share of one warp.
  static constexpr int row_tiles = 4, column_tiles = 4;
  static constexpr int row_step = 16;  ///< from one tile of rows to the next
  static constexpr int warps_along_rows =
      2;  ///< how many of a group's four warps lie along the rows
  static constexpr bool multiplies_phases = true;  ///< phases also use tensor cores

  template <class Number>
  static __device__ Place place(int p, const Number& x) {
    return {x(2 * p), x(2 * p + 1)};
  }
  static __host__ __device__ int stored_place(int, int place) { return place; }
};

/// Double precision, multiplied without tensor cores.
struct PlainNumbers : DoubleNumbers {
  static constexpr bool multiplies_phases = false;
};

/// Numbers split into two halves: high + low.
struct SplitNumbers {
  using Sum = float;
  using Place = uint4;
  static constexpr int wave_vectors = 8;
  static constexpr int row_tiles = 2, column_tiles = 16;
  static constexpr int row_step = 64;
  static constexpr int warps_along_rows = 4;
  static constexpr bool multiplies_phases = false;

  static __host__ __device__ int stored_place(int site, int place) {
    return place ^ (site >> 1 & 3);
  }
};

/// Both halves TF32: 11 bits.
struct Tf32Numbers : SplitNumbers {
  static constexpr int per_row = 8;
  static constexpr double scale = 1;

  static __device__ std::uint32_t rounded(float x) {
    std::uint32_t bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
  }
  template <class Number>
  static __device__ Place place(int p, const Number& x) {
    std::uint32_t part[4];
    for (int j = 0; j < 4; ++j) {
      const double number = x(4 * (p % 2) + j);
      part[j] = rounded(static_cast<float>(number));
      if (p / 2 == 1)
        part[j] =
            rounded(static_cast<float>(number - static_cast<double>(__uint_as_float(part[j]))));
    }
    return {part[0], part[1], part[2], part[3]};
  }
};

/// Both halves of half precision: 11 bits each. Numbers are scaled so that the low half of a spin
/// is not subnormal.
struct HalfNumbers : SplitNumbers {
  static constexpr int per_row = 16;
  static constexpr double scale = 256;

  template <class Number>
  static __device__ Place place(int p, const Number& x) {
    std::uint32_t part[4] = {};
    for (int j = 0; j < 8; ++j) {
      const double number = scale * x(8 * (p % 2) + j);
      __half half = __double2half(number);
      if (p / 2 == 1) half = __double2half(number - static_cast<double>(__half2float(half)));
      part[j / 2] |= static_cast<std::uint32_t>(__half_as_ushort(half)) << 16 * (j % 2);
    }
    return {part[0], part[1], part[2], part[3]};
  }
};

/// Position in a site's row of phases at which the byte `byte` is stored. This swizzling avoids
/// bank conflicts if lanes read one byte of sites 0, 2, 4 and 6. It also avoids them if lanes read
/// 16 bytes of two adjacent sites.
template <class Site>
__host__ __device__ Site phase_offset(Site site, int byte) {
  return site / 2 * (2 * row_bytes) +
         ((static_cast<int>(site & 1) * row_bytes + byte) ^ (static_cast<int>(site / 2 & 3) * 32));
}

}  // namespace larmor::correlations::real_space
