#include "larmor/core/maths/pack.hpp"
#include "larmor/correlations/fourier/factorised_kernel.hpp"

namespace larmor::correlations {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

struct Accumulator {
  Pack re[3], im[3];

  LARMOR_INLINE explicit Accumulator(const double* sum) {
    for (int a = 0; a < 3; ++a) {
      re[a] = Pack::load(sum + a * lane_count);
      im[a] = Pack::load(sum + (3 + a) * lane_count);
    }
  }
  LARMOR_INLINE void store(double* sum) const {
    for (int a = 0; a < 3; ++a) {
      re[a].store(sum + a * lane_count);
      im[a].store(sum + (3 + a) * lane_count);
    }
  }
  LARMOR_INLINE void add(int a, const Pack& e, const Pack& phase_re, const Pack& phase_im) {
    re[a] = re[a] + phase_re * e;
    im[a] = im[a] + phase_im * e;
  }
};

}  // namespace

void accumulate_tile(const TileRequest& t) {
  Accumulator sums(t.sum);
  if (t.one_replica) {
    const Index whole = t.sites / lane_count * lane_count;
    for (Index i = 0; i < whole; i += lane_count)
      for (int a = 0; a < 3; ++a)
        sums.add(a, Pack::load(t.spins + a * t.component_stride + i), Pack::load(t.phase_re + i),
                 Pack::load(t.phase_im + i));
    sums.store(t.sum);
    for (Index i = whole; i < t.sites; ++i)
      for (int a = 0; a < 3; ++a) {
        const double e = t.spins[a * t.component_stride + i];
        t.sum[a * lane_count + i - whole] += t.phase_re[i] * e;
        t.sum[(3 + a) * lane_count + i - whole] += t.phase_im[i] * e;
      }
    return;
  }
  // The program prefetches spins itself, because hardware prefetch stops at the end of a memory
  // page. A page holds about twenty sites.
  constexpr Index sites_ahead = 16;
  for (Index i = 0; i < t.sites; ++i) {
    const Pack re(t.phase_re[i]), im(t.phase_im[i]);
    for (int a = 0; a < 3; ++a)
      __builtin_prefetch(t.spins + (3 * (i + sites_ahead) + a) * lane_count);
    for (int a = 0; a < 3; ++a) sums.add(a, Pack::load(t.spins + (3 * i + a) * lane_count), re, im);
  }
  sums.store(t.sum);
}

const TileKernel tile_kernel_table = accumulate_tile;

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::correlations
