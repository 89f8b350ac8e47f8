#pragma once
// Sums of C or C^2 over the pairs of each bin. BITS: sums are integers in shared memory, so they do
// not depend on the order of warps. After each unit, the sums become doubles.

#include "larmor/core/maths/vec3.hpp"
#include "larmor/correlations/pairs/gpu/fused_sums.hpp"
#include "larmor/correlations/pairs/gpu/pair_grid.cuh"
#include "larmor/correlations/pairs/reductions/distance_bins.hpp"

namespace larmor::correlations::real_space {

/// Bin g * groups + g' of a pair.
struct GroupBins {
  using Site = int;  ///< group of the site, -1: none
  const std::int32_t* group;
  int sites, groups;

  __device__ Site load(int site) const { return site < sites ? group[site] : -1; }
  __device__ int bin(Site row, Site column) const {
    return row < 0 || column < 0 ? -1 : row * groups + column;
  }
};

/// Bin of the distance to the nearest image (minimum_image.hpp).
struct NearestImageBins {
  using Site = Vec3<double>;
  const double* position;     ///< (3, site)
  const Vec3<double>* shift;  ///< (shifts)
  int sites, bins;
  double per_width;
  int periods, shifts;
  Vec3<double> period[3], dual[3];

  __device__ Site load(int site) const {
    if (site >= sites) return {NAN, NAN, NAN};
    return {position[site], position[sites + site], position[2 * sites + site]};
  }
  __device__ int bin(const Site& row, const Site& column) const {
    Vec3<double> d = row - column;
    for (int i = 0; i < periods; ++i) d = d - rint(dot(dual[i], d)) * period[i];
    double square = dot(d, d);
    for (int i = 0; i < shifts; ++i) {
      const Vec3<double> e = d + shift[i];
      square = fmin(square, dot(e, e));
    }
    // The position of a missing site is NaN. A comparison with NaN is false, so pairs of the site
    // get no bin.
    const double number = sqrt(square) * per_width + edge_of_bin;
    return number < bins ? static_cast<int>(number) : -1;
  }
};

/// Bin of the displacement and the atoms at its ends (displacement_bins.hpp).
struct CellDisplacementBins {
  using Site = int4;  ///< basis atom, -1: none; cell
  const int4* site;
  int sites, atoms;
  int period[3];              ///< cells; 0: not periodic
  int lowest[3], highest[3];  ///< displacements to the nearest image
  int least[3], count[3];     ///< displacements that have bins

  __device__ Site load(int n) const { return n < sites ? site[n] : make_int4(-1, 0, 0, 0); }
  __device__ int bin(const Site& row, const Site& column) const {
    if (row.x < 0 || column.x < 0) return -1;
    const int step[3] = {column.y - row.y, column.z - row.z, column.w - row.w};
    int bin = row.x * atoms + column.x;
#pragma unroll
    for (int d = 0; d < 3; ++d) {
      const int image = step[d] > highest[d]  ? step[d] - period[d]
                        : step[d] < lowest[d] ? step[d] + period[d]
                                              : step[d];
      const int place = image - least[d];
      if (place < 0 || place >= count[d]) return -1;
      bin = bin * count[d] + place;
    }
    return bin;
  }
};

template <class Numbers, class Bins>
struct BinEpilogue {
  using Integer = unsigned long long;
  struct Shared {
    Integer sum[most_bins];
  };
  Bins bins;
  int count;
  bool squared;
  double scale;  ///< integers per unit of a sum
  double* sums;  ///< (unit, bin)

  static constexpr int all_warps = summing_warps * warp_size;

  __device__ void begin(Shared& shared, const WarpTile&) const {
    for (int bin = static_cast<int>(threadIdx.x); bin < count; bin += all_warps)
      shared.sum[bin] = 0;
    sync_summing_warps();
  }

  template <class Ring>
  __device__ void tile(Shared& shared, const TileSums<Numbers>& tile, const WarpTile& w,
                       const TilePlace& place, Ring&, int) const {
    const auto times = static_cast<Integer>(place.times);
    int last = -1;
    Integer run = 0;  // sum of consecutive elements with equal bins
#pragma unroll
    for (int m = 0; m < Numbers::row_tiles; ++m)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        const auto row =
            bins.load(place.first_row + w.first_row + Numbers::row_step * m + 8 * h + w.eight);
#pragma unroll
        for (int n = 0; n < Numbers::column_tiles; ++n)
#pragma unroll
          for (int k = 0; k < 2; ++k) {
            const auto column =
                bins.load(place.first_column + w.first_column + 8 * n + 2 * w.place + k);
            const int bin = bins.bin(row, column);
            if (bin < 0) continue;
            double c = tile.c[m][n][2 * h + k];
            if (squared) c *= c;
            const auto number = static_cast<Integer>(__double2ll_rn(c * scale));
            if (bin != last) {
              if (last >= 0) atomicAdd(&shared.sum[last], times * run);
              last = bin;
              run = 0;
            }
            run += number;
          }
      }
    if (last >= 0) atomicAdd(&shared.sum[last], times * run);
  }

  __device__ void end(Shared& shared, const WarpTile&, int unit) const {
    sync_summing_warps();
    for (int bin = static_cast<int>(threadIdx.x); bin < count; bin += all_warps)
      sums[static_cast<Index>(unit) * count + bin] =
          static_cast<double>(static_cast<long long>(shared.sum[bin])) / scale;
    sync_summing_warps();
  }
};

}  // namespace larmor::correlations::real_space
