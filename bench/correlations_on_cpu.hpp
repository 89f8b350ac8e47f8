#pragma once
// Speed of sums over all pairs of sites on the CPU, each method beside the best it could do,
// measured in the same run.

#include <string>
#include <vector>

#include "bench/choice.hpp"
#include "larmor/core/types.hpp"

namespace larmor::bench {

struct PairSumsRow {
  std::string method;
  Index sites, numbers;  ///< N, K
  double seconds;        ///< best of several
  double rate;           ///< in `unit`
  const char* unit;      ///< GFLOP/s, of the 2 N^2 K operations of the products alone; or GB/s
  double share;          ///< rate over that of `floor`; NaN: not compared
  const char* floor;     ///< what it is compared with
};

/// On a square lattice of length^2 sites with K = 3 replicas. The floor of products is OpenBLAS's
/// own rate for this shape on as many threads, the matrix of correlations written to memory.
/// naive is measured on 500 sites at most.
std::vector<PairSumsRow> bench_pair_sums_on_cpu(Index length, Index replicas, int threads);

/// Amplitudes of one wave vector by the factorised sum, of spins that no cache holds. GB/s counts
/// every spin and phase once; the floor is what copying moves on as many threads.
PairSumsRow bench_factorised_on_cpu(Index replicas, int threads);

/// `larmor bench correlations` on a CPU. @param lengths of the square lattices, none: the usual
/// ones
/// @param choice of what is measured
void bench_correlations_on_cpu(std::vector<Index> lengths, Index replicas, BenchChoice& choice,
                               int threads);

}  // namespace larmor::bench
