#pragma once
// Speed of sums over all pairs of sites on the CPU. Each method is compared with its limit, which
// is measured in the same run.

#include <string>
#include <vector>

#include "bench/command.hpp"
#include "larmor/core/types.hpp"

namespace larmor::bench {

struct PairSumsRow {
  std::string method;
  Index sites, numbers;  ///< N, K
  double seconds;        ///< best of several
  double rate;           ///< in `unit`
  const char* unit;      ///< GFLOP/s, counting only the 2 N^2 K operations of the products; or GB/s
  double share;          ///< rate relative to `floor`; NaN: not compared
  const char* floor;     ///< name of the limit
};

/// Measures a square lattice of length^2 sites with K = 3 replicas. The limit of products is
/// OpenBLAS's rate for this shape and number of threads, with the matrix of correlations written to
/// memory. The naive method is measured on at most 500 sites.
std::vector<PairSumsRow> bench_pair_sums_on_cpu(Index length, Index replicas, int threads);

/// Amplitudes of one wave vector by the factorised sum, for spins that exceed all caches. The rate
/// in GB/s counts every spin and phase once. The limit is the rate of copying on an equal number of
/// threads.
PairSumsRow bench_factorised_on_cpu(Index replicas, int threads);

/// `larmor bench correlations` on a CPU.
/// @param lengths edges of the square lattices; empty: default
/// @param choice choice of the measurements
void bench_correlations_on_cpu(std::vector<Index> lengths, Index replicas, BenchChoice& choice,
                               int threads);

}  // namespace larmor::bench
