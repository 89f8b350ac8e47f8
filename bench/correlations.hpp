#pragma once
// larmor bench correlations: what is measured, the tables that are made of it, and its file.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/amplitudes.hpp"
#include "bench/method_measured.hpp"
#include "larmor/core/types.hpp"

namespace larmor::bench {

/// The sum over A(q), O(N M), beside them.
struct FactorisedMeasured {
  Index wave_vectors = 0;
  double seconds = 0, bytes = 0;  ///< bytes: of the spins, read once
};

struct LatticeOfPairs {
  Index length = 0;         ///< L; N = L^2
  double step_seconds = 0;  ///< of Landau-Lifshitz, RK4, all configurations
  double gemm_seconds = 0;  ///< cuBLAS alone, the same shape; 0: N x N does not fit
  /// S(q,t) of one wave vector at one time step. Errors are relative, against the factorised sum on
  /// the host, here and below.
  std::vector<MethodMeasured> methods;
  std::vector<std::pair<std::string, std::string>> left_out;  ///< name and why
  std::vector<MethodMeasured> precisions;   ///< of the fused kernel, by other arithmetic
  std::vector<MethodMeasured> equal_times;  ///< of the fused kernel where C is symmetric
  std::vector<FactorisedMeasured> factorised;
  std::vector<LatticeOfAmplitudes> amplitudes;  ///< of about as many sites
  std::map<int, double> of_ranks;  ///< seconds of the fused kernel by the number of GPUs

  Index sites() const { return length * length; }
  /// null: it was not measured
  const MethodMeasured* method(const std::string& name) const;
};

struct CorrelationsMeasured {
  std::string device;
  Index configurations = 0;
  double gemm_rate = 0;       ///< of a plain product of 8192^3, flop/s
  double copy_bandwidth = 0;  ///< bytes a second, read and written
  std::vector<LatticeOfPairs> lattices;

  /// 2 N^2 3M
  double flops(const LatticeOfPairs& lattice) const;
};

/// The paper's figures, and what goes beyond them.
void print_correlations(const CorrelationsMeasured& measured);
/// @throws MachineError when the file cannot be written
void write_correlations(const CorrelationsMeasured& measured, const std::string& path);

}  // namespace larmor::bench
