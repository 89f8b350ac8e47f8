#pragma once
// Packing of matrices and phases into the rows of 64 bytes that tensor cores read.

#include "larmor/correlations/fourier/site_phase.hpp"
#include "larmor/correlations/pairs/gpu/tensor_numbers.cuh"

namespace larmor::correlations::real_space {

inline constexpr int packing_threads = 256;

/// Copies a matrix, (site, k), to rows, (block of k, padded site, place). Missing numbers become
/// zeros.
template <class Numbers>
__global__ void pack_kernel(const double* matrix, Index sites, Index numbers, Index padded,
                            Index k_blocks, typename Numbers::Place* rows) {
  const Index total = k_blocks * padded * places_of_row;
  const Index stride = static_cast<Index>(gridDim.x) * packing_threads;
  for (Index i = static_cast<Index>(blockIdx.x) * packing_threads + threadIdx.x; i < total;
       i += stride) {
    const int place = static_cast<int>(i % places_of_row);
    const Index row = i / places_of_row, site = row % padded;
    const Index first = row / padded * Numbers::per_row;
    const auto number = [&](int k) {
      return site < sites && first + k < numbers ? matrix[site * numbers + first + k] : 0.0;
    };
    const int stored = Numbers::stored_place(static_cast<int>(site % 8), place);
    rows[row * places_of_row + stored] = Numbers::place(place, number);
  }
}

/// Writes the conjugate phases, exp(i q.r). @param turns q over 2 pi, (q, 3) @param position (3,
/// site)
/// @param phases (block of q, padded site, 64 bytes), initially zero
template <class Numbers>
__global__ void phase_kernel(const double* turns, const double* position, Index wave_vectors,
                             Index sites, Index padded, char* phases) {
  using Real = typename Numbers::Sum;
  const Index stride = static_cast<Index>(gridDim.x) * packing_threads;
  for (Index i = static_cast<Index>(blockIdx.x) * packing_threads + threadIdx.x;
       i < wave_vectors * sites; i += stride) {
    const Index q = i / sites, site = i % sites;
    const double* k = turns + 3 * q;
    const SitePhase phase = site_phase_of_turns(
        k[0] * position[site] + k[1] * position[sites + site] + k[2] * position[2 * sites + site]);
    char* q_block = phases + q / Numbers::wave_vectors * padded * row_bytes;
    constexpr int bytes = 2 * static_cast<int>(sizeof(Real));
    auto* to = reinterpret_cast<Real*>(
        q_block + phase_offset(site, static_cast<int>(q % Numbers::wave_vectors) * bytes));
    to[0] = static_cast<Real>(phase.re);
    to[1] = static_cast<Real>(-phase.im);
  }
}

}  // namespace larmor::correlations::real_space
