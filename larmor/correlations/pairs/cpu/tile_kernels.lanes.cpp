#include "larmor/correlations/pairs/cpu/tile_kernels.hpp"

#include "larmor/core/maths/pack.hpp"
#include "larmor/correlations/pairs/reductions/distance_bins.hpp"

namespace larmor::correlations::real_space {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

/// Rounds to the nearest integer, by adding and subtracting 1.5 * 2^52. A double of this size has
/// no binary digits for a fraction.
LARMOR_INLINE Pack rounded(const Pack& x) {
  const Pack shift(6755399441055744.0);
  return (x + shift) - shift;
}

LARMOR_INLINE Vec3<Pack> spread(const Vec3<double>& v) { return {Pack(v.x), Pack(v.y), Pack(v.z)}; }

LARMOR_INLINE Pack least(const Pack& a, const Pack& b) { return select(a < b, a, b); }

void square(double* c, Index count) {
  for (Index i = 0; i < count; ++i) c[i] *= c[i];
}

double sum(const double* c, Index count) {
  const Index whole = count / lane_count * lane_count;
  Pack lanes(0.0);
  for (Index i = 0; i < whole; i += lane_count) lanes = lanes + Pack::load(c + i);
  double total = 0;
  for (int l = 0; l < lane_count; ++l) total += lanes.lane(l);
  for (Index i = whole; i < count; ++i) total += c[i];
  return total;
}

void add_with_squares(const double* c, Index count, double* sum, double* square) {
  const Index whole = count / lane_count * lane_count;
  for (Index i = 0; i < whole; i += lane_count) {
    const Pack x = Pack::load(c + i);
    (Pack::load(sum + i) + x).store(sum + i);
    (Pack::load(square + i) + x * x).store(square + i);
  }
  for (Index i = whole; i < count; ++i) {
    sum[i] += c[i];
    square[i] += c[i] * c[i];
  }
}

void find_bins(const BinsRequest& t) {
  const Vec3<Pack> site = spread(t.site);
  const Pack scale(t.bins_per_length), edge(edge_of_bin), beyond(static_cast<double>(t.bins));
  for (Index i = 0; i < t.columns; i += lane_count) {
    Vec3<Pack> d = Vec3<Pack>{Pack::load(t.x + i), Pack::load(t.y + i), Pack::load(t.z + i)} - site;
    Vec3<Pack> image = d;
    for (std::size_t p = 0; p < t.period.size(); ++p)
      image = image - rounded(dot(spread(t.dual[p]), d)) * spread(t.period[p]);
    Pack squared = dot(image, image);
    for (const Vec3<double>& shift : t.shift) {
      d = image + spread(shift);
      squared = least(squared, dot(d, d));
    }
    double place[lane_count];
    least(square_root(squared) * scale + edge, beyond).store(place);
    for (int l = 0; l < lane_count; ++l) t.bin[i + l] = static_cast<std::int32_t>(place[l]);
  }
}

/// The numbers of a bin.
typedef double Four __attribute__((vector_size(32), may_alias, aligned(8)));

void add_to_bins(const double* c, const std::int32_t* bin, Index count, Index bins, double* sums) {
  const Index copy = (bins + 1) * numbers_of_bin;
  const auto add = [&](Index i, Index n) {
    Four* to = reinterpret_cast<Four*>(sums + n * copy + bin[i] * numbers_of_bin);
    *to += Four{c[i], c[i] * c[i], 1, 0};
  };
  const Index whole = count / bin_copies * bin_copies;
  for (Index i = 0; i < whole; i += bin_copies)
    for (Index n = 0; n < bin_copies; ++n) add(i + n, n);
  for (Index i = whole; i < count; ++i) add(i, i - whole);
}

}  // namespace

const TileKernels tile_kernels_table = {square, sum, add_with_squares, find_bins, add_to_bins};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::correlations::real_space
