#include "larmor/transfer/tile_kernels.hpp"

#include <algorithm>

namespace larmor::transfer {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

/// Reads `count` contiguous numbers from index x on, which have one factor of the rest.
void load_row(const TileInput& in, Index x, Index count, double* to) {
  const double* const v = in.v + x;
  if (!in.is_first) {
    for (Index i = 0; i < count; ++i) to[i] = v[i];
    return;
  }
  const double rest = in.a * in.weight.rest[x >> in.weight.plain_bits];
  const double* const low = in.weight.low + (x & ((Index{1} << in.weight.low_bits) - 1));
  if (in.mirror != nullptr) {
    const Index y = x ^ in.mask;
    const WeightView& weight = in.mirror_weight;
    const double* const mirror = in.mirror + y;
    const double other_rest = in.b * weight.rest[y >> weight.plain_bits];
    const double* const other_low = weight.low + (y & ((Index{1} << weight.low_bits) - 1));
    for (Index i = 0; i < count; ++i)
      to[i] = low[i] * rest * v[i] + other_low[-i] * other_rest * mirror[-i];
  } else {
    for (Index i = 0; i < count; ++i) to[i] = low[i] * rest * v[i];
  }
}

void store_row(const TileOutput& out, Index x, Index count, const double* from) {
  double* const v = out.v + x;
  if (!out.is_last) {
    for (Index i = 0; i < count; ++i) v[i] = from[i];
    return;
  }
  const double rest = out.weight.rest[x >> out.weight.plain_bits];
  const double* const low = out.weight.low + (x & ((Index{1} << out.weight.low_bits) - 1));
  for (Index i = 0; i < count; ++i) v[i] = low[i] * rest * from[i];
}

/// Multiplies the matrix of a low bit. The compiler knows the stride and shuffles vectors.
template <int stride>
void multiply_near(const PassView& pass, int bit, double* tile, Index elements) {
  const double a = pass.a[bit], b = pass.b[bit];
  for (Index begin = 0; begin < elements; begin += 2 * stride)
    for (int i = 0; i < stride; ++i) multiply(a, b, tile[begin + i], tile[begin + i + stride]);
}

void multiply_bit(const PassView& pass, int bit, double* tile, Index elements) {
  const double a = pass.a[bit], b = pass.b[bit];
  const Index stride = Index{1} << bit;
  for (Index begin = 0; begin < elements; begin += 2 * stride) {
    double* const x = tile + begin;
    double* const y = x + stride;
    for (Index i = 0; i < stride; ++i) multiply(a, b, x[i], y[i]);
  }
}

/// Two bits at once: half as many loads and stores.
void multiply_two(const PassView& pass, int bit, double* tile, Index elements) {
  const double a = pass.a[bit], b = pass.b[bit], c = pass.a[bit + 1], d = pass.b[bit + 1];
  const Index stride = Index{1} << bit;
  for (Index begin = 0; begin < elements; begin += 4 * stride) {
    double* const p = tile + begin;
    for (Index i = 0; i < stride; ++i) {
      double w = p[i], x = p[i + stride], y = p[i + 2 * stride], z = p[i + 3 * stride];
      multiply(a, b, w, x);
      multiply(a, b, y, z);
      multiply(c, d, w, y);
      multiply(c, d, x, z);
      p[i] = w;
      p[i + stride] = x;
      p[i + 2 * stride] = y;
      p[i + 3 * stride] = z;
    }
  }
}

void multiply_bits(const PassView& pass, double* tile) {
  const int bits = pass.element_bits;
  const Index elements = Index{1} << bits;
  int bit = pass.chunk;
  for (; bit < bits && bit < 3; ++bit) {
    if (bit == 0) multiply_near<1>(pass, bit, tile, elements);
    if (bit == 1) multiply_near<2>(pass, bit, tile, elements);
    if (bit == 2) multiply_near<4>(pass, bit, tile, elements);
  }
  for (; bit + 1 < bits; bit += 2) multiply_two(pass, bit, tile, elements);
  if (bit < bits) multiply_bit(pass, bit, tile, elements);
}

/// Numbers of a row that have one factor of the rest.
Index row_of(const WeightView& weight, bool is_weighted, Index contiguous) {
  return is_weighted ? std::min(contiguous, Index{1} << weight.plain_bits) : contiguous;
}

void pass(const PassView& pass, const TileInput& in, const TileOutput& out, Index first_tile,
          Index last_tile) {
  alignas(64) double tile[Index{1} << tile_bits];
  const Index elements = Index{1} << pass.element_bits;
  const Index contiguous = pass.first_bit == 0 ? elements : Index{1} << pass.chunk;
  const Index in_row = row_of(in.weight, in.is_first, contiguous);
  const Index out_row = row_of(out.weight, out.is_last, contiguous);
  for (Index n = first_tile; n < last_tile; ++n) {
    const Index begin = pass.begin_of(n);
    for (Index t = 0; t < elements; t += in_row)
      load_row(in, begin + pass.offset_of(t), in_row, tile + t);
    multiply_bits(pass, tile);
    for (Index t = 0; t < elements; t += out_row)
      store_row(out, begin + pass.offset_of(t), out_row, tile + t);
  }
}

void combine(double a, double b, const double* received, const TileOutput& out, Index first,
             Index last) {
  alignas(64) double row[Index{1} << tile_bits];
  const Index count = row_of(out.weight, out.is_last, Index{1} << tile_bits);
  for (Index x = first; x < last; x += count) {
    for (Index i = 0; i < count; ++i) row[i] = combined(a, out.v[x + i], b, received[x + i]);
    store_row(out, x, count, row);
  }
}

}  // namespace

const TileKernels tile_kernels_table{pass, combine};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::transfer
