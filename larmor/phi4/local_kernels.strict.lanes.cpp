// This file is compiled without fused multiplication, so that a CPU and a GPU compute equal bits.

#include "larmor/phi4/local_kernels.hpp"

#include <cstring>

#include "larmor/core/maths/pack.hpp"

namespace larmor::phi4 {
inline namespace LARMOR_ISA_NAMESPACE {

template <>
struct DoublesOf<PackOf<float>> {
  using Type = Pack;
};

namespace {

using Floats = PackOf<float>;

/// A batch of sites of one colour. Sites are collected until a loop over packs is efficient. They
/// may belong to several replicas.
template <int N>
struct SiteBatch {
  static constexpr int capacity = 256;
  int count = 0, fixed = 0;  ///< `fixed`: number of sites with |phi| = 1
  /// The arrays have one extra pack, since a stored pack may extend beyond the last site.
  float phi[N][capacity + lane_count], B[N][capacity + lane_count];
  std::uint64_t site[capacity], replica[capacity];
};

/// Visits the rows of a grid one by one, and finds the neighbouring rows of each.
class RowCursor {
 public:
  int others;      ///< number of neighbouring rows
  Index other[6];  ///< first sites of these rows, in the order of neighbour_sum

  LARMOR_INLINE RowCursor(const clusters::GridView& grid, Index number)
      : grid_(grid), first_(static_cast<std::uint64_t>(number) * grid.length[0]) {
    for (int axis = 1; axis < grid.axes; ++axis) x_[axis] = coordinate(grid, first_, axis);
    find_neighbour_rows();
  }
  LARMOR_INLINE void advance() {
    first_ += grid_.length[0];
    for (int axis = 1; axis < grid_.axes; ++axis) {
      if (++x_[axis] < grid_.length[axis]) break;
      x_[axis] = 0;
    }
    find_neighbour_rows();
  }
  LARMOR_INLINE Index first() const { return static_cast<Index>(first_); }
  /// The sum of the row's colours along all axes except the first.
  LARMOR_INLINE int colour() const { return colour_; }

 private:
  LARMOR_INLINE void find_neighbour_rows() {
    others = colour_ = 0;
    for (int axis = 1; axis < grid_.axes; ++axis) {
      const std::uint64_t x = x_[axis], stride = grid_.stride[axis];
      colour_ += colour_along(grid_, axis, x);
      if (has_bond(grid_, x, axis))
        other[others++] = static_cast<Index>(next_site(grid_, first_, x, axis));
      const std::uint64_t before = x > 0 ? x - 1 : grid_.length[axis] - 1;
      if (has_bond(grid_, before, axis))
        other[others++] = static_cast<Index>(x > 0 ? first_ - stride : first_ + before * stride);
    }
  }

  const clusters::GridView& grid_;
  std::uint64_t first_;
  std::uint64_t x_[4] = {};  ///< coordinates of the first site
  int colour_;
};

using NativeFloats = Native<float>::Number;

/// The last number of a, then the first numbers of b: as many together as a vector has. The next
/// function begins at the second number of a instead.
LARMOR_INLINE NativeFloats from_last(const NativeFloats& a, const NativeFloats& b) {
#if defined(__AVX__)
  return __builtin_shufflevector(a, b, 7, 8, 9, 10, 11, 12, 13, 14);
#else
  return __builtin_shufflevector(a, b, 3, 4, 5, 6);
#endif
}
LARMOR_INLINE NativeFloats from_second(const NativeFloats& a, const NativeFloats& b) {
#if defined(__AVX__)
  return __builtin_shufflevector(a, b, 1, 2, 3, 4, 5, 6, 7, 8);
#else
  return __builtin_shufflevector(a, b, 1, 2, 3, 4);
#endif
}

/// Stores every second one of eight numbers. @param odd begins with the second number instead of
/// the first
LARMOR_INLINE void store_every_second(const Floats& a, bool odd, float* to) {
#if defined(__AVX__)
  const NativeFloats some = odd ? __builtin_shufflevector(a.v[0], a.v[0], 1, 3, 5, 7, 1, 3, 5, 7)
                                : __builtin_shufflevector(a.v[0], a.v[0], 0, 2, 4, 6, 0, 2, 4, 6);
#else
  const NativeFloats some = odd ? __builtin_shufflevector(a.v[0], a.v[1], 1, 3, 5, 7)
                                : __builtin_shufflevector(a.v[0], a.v[1], 0, 2, 4, 6);
#endif
  std::memcpy(to, &some, lane_count / 2 * sizeof(float));
}

/// (first, a_0, .. a_6)
LARMOR_INLINE Floats preceded_by(float first, const Floats& a) {
  Floats r;
  for (int v = 0; v < native_count<float>; ++v)
    r.v[v] = from_last(v > 0 ? a.v[v - 1] : NativeFloats{} + first, a.v[v]);
  return r;
}
/// (a_1, .. a_7, last)
LARMOR_INLINE Floats followed_by(const Floats& a, float last) {
  Floats r;
  for (int v = 0; v < native_count<float>; ++v)
    r.v[v] = from_second(a.v[v], v + 1 < native_count<float> ? a.v[v + 1] : NativeFloats{} + last);
  return r;
}

/// Fields beyond both ends of a row, along the row. A field is 0, and adds nothing, if no neighbour
/// exists.
struct RowEnds {
  float before_first, after_last;
};
LARMOR_INLINE RowEnds ends_of(const float* own, Index length, bool closes) {
  return closes ? RowEnds{own[length - 1], own[0]} : RowEnds{0.0f, 0.0f};
}

/// Every second site of a tile from `first` on, or only one site.
struct AlternateSites {
  int first, count;
};

/// The sites of a colour in a tile. @param x coordinate of the tile's first site @param count
/// number of its sites
AlternateSites sites_of_colour(const clusters::GridView& grid, int colour, int colours,
                               const RowCursor& row, Index x, int count) {
  int wanted = colour - row.colour();
  while (wanted < 0) wanted += colours;
  const bool last = is_odd_ring(grid, 0) && x + count == static_cast<Index>(grid.length[0]);
  if (wanted == 2) return {count - 1, last ? 1 : 0};
  const int alternating = count - (last ? 1 : 0);
  const int first = (wanted + static_cast<int>(x & 1)) & 1;
  return {first, (alternating - first + 1) / 2};
}

/// Adds the sites of a colour in a tile to a batch, pack by pack. The tile must fill at least one
/// pack.
///
/// Packs hold sites of both colours. Meanwhile, other threads may write neighbours of the sites
/// that are not updated. The numbers read from such neighbours are never used.
/// @param field fields of the replica @param x coordinate of the tile's first site @param width
/// number of sites of the tile
template <int N>
__attribute__((no_sanitize("thread"))) void add_packs(const FieldView& view, const float* field,
                                                      const RowCursor& row, Index x, int width,
                                                      const AlternateSites& of_colour,
                                                      SiteBatch<N>& batch) {
  // These are local copies, since a compiler must assume that stores of packs change the members.
  const Index sites = view.sites;
  const auto length = static_cast<Index>(view.grid.length[0]);
  const bool closes = has_bond(view.grid, static_cast<std::uint64_t>(length - 1), 0);
  const float* const own = field + row.first();
  const int others = row.others, batch_size = batch.count;
  const float* neighbours[6];
  for (int o = 0; o < others; ++o) neighbours[o] = field + row.other[o] + x;
  for (int done = 0; done < width; done += lane_count) {
    // The last pack ends with the tile, so it may repeat some sites of the pack before.
    const int i = done + lane_count <= width ? done : width - lane_count;
    const bool is_first = x + i == 0, is_last = x + i + lane_count == length;
    const bool odd = ((of_colour.first - i) & 1) != 0;
    const int place = batch_size + (i + (odd ? 1 : 0) - of_colour.first) / 2;
    Floats sum[N];
    for (int n = 0; n < N; ++n) {
      const float* const line = own + n * sites;
      const float* const here = line + x + i;
      const Floats phi = Floats::load(here);
      const Floats next = is_last ? followed_by(phi, ends_of(line, length, closes).after_last)
                                  : Floats::load(here + 1);
      const Floats before = is_first ? preceded_by(ends_of(line, length, closes).before_first, phi)
                                     : Floats::load(here - 1);
      sum[n] = (Floats(0.0f) + next) + before;
      store_every_second(phi, odd, batch.phi[n] + place);
    }
    for (int o = 0; o < others; ++o)
      for (int n = 0; n < N; ++n) sum[n] = sum[n] + Floats::load(neighbours[o] + i + n * sites);
    for (int n = 0; n < N; ++n) store_every_second(sum[n], odd, batch.B[n] + place);
  }
}

/// Stores the site and replica numbers of the fields that were added last, and increases the count.
template <int N>
void add_places(const FieldView& view, Index first_site, const AlternateSites& sites, Index replica,
                SiteBatch<N>& batch) {
  const auto site = static_cast<std::uint64_t>(first_site + sites.first);
  for (int k = 0; k < sites.count; ++k) {
    batch.site[batch.count + k] = site + 2 * static_cast<std::uint64_t>(k);
    batch.replica[batch.count + k] = static_cast<std::uint64_t>(replica);
  }
  batch.count += sites.count;
  if (is_infinite(view.lambda[replica])) batch.fixed += sites.count;
}

/// Adds the sites of a colour in a tile to a batch, one by one.
template <int N>
void add_singly(const FieldView& view, const float* field, const RowCursor& row, Index x,
                const AlternateSites& sites, SiteBatch<N>& batch) {
  const auto length = static_cast<Index>(view.grid.length[0]);
  const bool closes = has_bond(view.grid, static_cast<std::uint64_t>(length - 1), 0);
  for (int k = 0; k < sites.count; ++k) {
    const Index i = x + sites.first + 2 * k;
    Index neighbours[8];
    int count = 0;
    if (i + 1 < length || closes) neighbours[count++] = row.first() + (i + 1 < length ? i + 1 : 0);
    if (i > 0 || closes) neighbours[count++] = row.first() + (i > 0 ? i - 1 : length - 1);
    for (int o = 0; o < row.others; ++o) neighbours[count++] = row.other[o] + i;
    for (int n = 0; n < N; ++n) {
      const float* const component = field + n * view.sites;
      float sum = 0.0f;
      for (int b = 0; b < count; ++b) sum = sum + component[neighbours[b]];
      batch.phi[n][batch.count + k] = component[row.first() + i];
      batch.B[n][batch.count + k] = sum;
    }
  }
}

LARMOR_INLINE PackBits load_words(const std::uint64_t* from) {
  PackBits words;
  std::memcpy(words.v, from, sizeof(words.v));
  return words;
}

/// Couplings of eight sites. @param step length of trials [replica]; null: no trials
template <int N>
LARMOR_INLINE SiteCouplings<Floats> couplings_of(const FieldView& view, const double* step,
                                                 const SiteBatch<N>& batch, int k) {
  SiteCouplings<Floats> couplings;
  couplings.some_fixed = batch.fixed > 0;
  couplings.all_fixed = batch.fixed == batch.count;
  const std::uint64_t replica = batch.replica[k];
  couplings.kappa = Floats(static_cast<float>(view.kappa[replica]));
  couplings.lambda = Floats(static_cast<float>(view.lambda[replica]));
  couplings.step = Floats(step == nullptr ? 0.0f : static_cast<float>(step[replica]));
  if (batch.replica[k + lane_count - 1] == replica) return couplings;
  for (int l = 1; l < lane_count; ++l) {
    const std::uint64_t own = batch.replica[k + l];
    couplings.kappa.set(l, static_cast<float>(view.kappa[own]));
    couplings.lambda.set(l, static_cast<float>(view.lambda[own]));
    if (step != nullptr) couplings.step.set(l, static_cast<float>(step[own]));
  }
  return couplings;
}

/// @param lane -1 if the trial is accepted, otherwise 0
template <int N>
void count_accepted(const SiteBatch<N>& batch, const std::int32_t* lane, Index first_replica,
                    std::uint64_t* accepted) {
  if (batch.replica[0] == batch.replica[batch.count - 1]) {
    std::int32_t all = 0;
    for (int k = 0; k < batch.count; ++k) all -= lane[k];
    accepted[static_cast<Index>(batch.replica[0]) - first_replica] +=
        static_cast<std::uint64_t>(all);
    return;
  }
  for (int k = 0; k < batch.count; ++k)
    accepted[static_cast<Index>(batch.replica[k]) - first_replica] += lane[k] != 0 ? 1 : 0;
}

/// Updates the sites of the batch and empties it.
template <int N, class Update>
void update_batch(const Update& update, const double* step, SiteBatch<N>& batch,
                  Index first_replica, std::uint64_t* accepted) {
  const int count = batch.count;
  if (count == 0) return;
  const FieldView& view = update.view;
  // The lanes of the last pack beyond the last site are computed, and their results are not stored.
  for (int k = count; k % lane_count != 0; ++k) {
    for (int n = 0; n < N; ++n) batch.phi[n][k] = batch.B[n][k] = 0.0f;
    batch.site[k] = batch.site[k - 1];
    batch.replica[k] = batch.replica[k - 1];
  }
  const bool all_fixed = batch.fixed == count;
  // Random numbers and updates have separate loops. The packs of each loop are independent, so a
  // processor works on several of them at once.
  using Random = decltype(update.template draw<Floats>(PackBits{}, PackBits{}, true));
  Random random[SiteBatch<N>::capacity / lane_count];
  for (int k = 0; k < count; k += lane_count)
    random[k / lane_count] = update.template draw<Floats>(load_words(batch.site + k),
                                                          load_words(batch.replica + k), all_fixed);
  std::int32_t lane[SiteBatch<N>::capacity];
  for (int k = 0; k < count; k += lane_count) {
    Components<N, Floats> phi, B;
    for (int n = 0; n < N; ++n) {
      phi.c[n] = Floats::load(batch.phi[n] + k);
      B.c[n] = Floats::load(batch.B[n] + k);
    }
    const SiteCouplings<Floats> couplings = couplings_of(view, step, batch, k);
    if constexpr (Update::is_trial) {
      const auto are = update.apply(phi, B, couplings, random[k / lane_count]);
      static_assert(sizeof(are.v) == lane_count * sizeof(lane[0]));
      std::memcpy(lane + k, are.v, sizeof(are.v));
    } else {
      update.apply(phi, B, couplings, random[k / lane_count]);
    }
    for (int n = 0; n < N; ++n) phi.c[n].store(batch.phi[n] + k);
  }
  if constexpr (Update::is_trial) count_accepted(batch, lane, first_replica, accepted);
  float* const fields = view.field;
  const Index sites = view.sites;
  for (int k = 0; k < count; ++k) {
    float* const field = fields + static_cast<Index>(batch.replica[k]) * N * sites +
                         static_cast<Index>(batch.site[k]);
    for (int n = 0; n < N; ++n) field[n * sites] = batch.phi[n][k];
  }
  batch.count = batch.fixed = 0;
}

template <int N, class Update>
void update_tiles(const Update& update, const double* step, const ColourTiles& tiles,
                  std::uint64_t* accepted) {
  const FieldView& view = update.view;
  const clusters::GridView& grid = view.grid;
  const int colours = colours_of(grid);
  const Index in_row = tiles_of_row(grid);
  const auto length = static_cast<Index>(grid.length[0]);
  SiteBatch<N> batch;
  for (Index replica = tiles.first_replica; replica < tiles.last_replica; ++replica) {
    const float* const field = view.field + replica * N * view.sites;
    RowCursor row(grid, tiles.first_tile / in_row);
    Index in_turn = tiles.first_tile % in_row;  // number of the next tile in its row
    for (Index t = tiles.first_tile; t < tiles.last_tile; ++t, ++in_turn) {
      if (in_turn == in_row) {
        in_turn = 0;
        row.advance();
      }
      // Tiles of a row have nearly equal length. Most rows have one tile, so no division is needed.
      const Index x = in_row == 1 ? 0 : in_turn * length / in_row;
      const Index end = in_row == 1 ? length : (in_turn + 1) * length / in_row;
      const auto width = static_cast<int>(end - x);
      const AlternateSites sites = sites_of_colour(grid, tiles.colour, colours, row, x, width);
      if (sites.count <= 0) continue;
      if (batch.count + sites.count > SiteBatch<N>::capacity)
        update_batch(update, step, batch, tiles.first_replica, accepted);
      if (width < lane_count || sites.count == 1)
        add_singly(view, field, row, x, sites, batch);
      else
        add_packs(view, field, row, x, width, sites, batch);
      add_places(view, row.first() + x, sites, replica, batch);
    }
  }
  update_batch(update, step, batch, tiles.first_replica, accepted);
}

template <int N>
void metropolis(const FieldView& view, const RandomKey& key, const double* step,
                const ColourTiles& tiles, std::uint64_t* accepted) {
  update_tiles<N>(MetropolisUpdate<N>{view, key, step}, step, tiles, accepted);
}
template <int N>
void heat_bath(const FieldView& view, const RandomKey& key, const double*, const ColourTiles& tiles,
               std::uint64_t* accepted) {
  update_tiles<N>(HeatBathUpdate<N>{view, key}, nullptr, tiles, accepted);
}
template <int N>
void over_relaxation(const FieldView& view, const RandomKey&, const double*,
                     const ColourTiles& tiles, std::uint64_t* accepted) {
  update_tiles<N>(OverRelaxation<N>{view}, nullptr, tiles, accepted);
}

}  // namespace

const LocalKernels local_kernels_table{
    {metropolis<1>, metropolis<2>, metropolis<3>, metropolis<4>, metropolis<5>, metropolis<6>,
     metropolis<7>, metropolis<8>},
    {heat_bath<1>, heat_bath<2>, heat_bath<3>, heat_bath<4>, heat_bath<5>, heat_bath<6>,
     heat_bath<7>, heat_bath<8>},
    {over_relaxation<1>, over_relaxation<2>, over_relaxation<3>, over_relaxation<4>,
     over_relaxation<5>, over_relaxation<6>, over_relaxation<7>, over_relaxation<8>}};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::phi4
