#pragma once
// larmor bench correlations: its results, tables and file.

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/amplitudes.hpp"
#include "bench/compared_methods.hpp"
#include "larmor/core/types.hpp"

namespace larmor::bench {

/// Result for the sum over amplitudes A(q), which needs O(N M) operations, for comparison.
struct FactorisedMeasured {
  Index wave_vectors = 0;
  double seconds = 0, bytes = 0;  ///< bytes: size of the spins, read once
};

struct LatticeOfPairs {
  Index length = 0;         ///< L; N = L^2
  double step_seconds = 0;  ///< step of Landau-Lifshitz, RK4, all configurations
  double gemm_seconds = 0;  ///< only cuBLAS, equal shape; 0: N x N does not fit
  /// S(q,t) of one wave vector at one time step. All errors are relative to the factorised sum on
  /// the host.
  std::vector<MethodMeasured> methods;
  std::vector<std::pair<std::string, std::string>> left_out;  ///< name and reason
  std::vector<MethodMeasured> precisions;   ///< fused kernel with other arithmetic
  std::vector<MethodMeasured> equal_times;  ///< fused kernel for symmetric C
  std::vector<FactorisedMeasured> factorised;
  std::vector<LatticeOfAmplitudes> amplitudes;  ///< lattices of similar size
  std::map<int, double> of_ranks;  ///< seconds of the fused kernel by the number of GPUs

  Index sites() const { return length * length; }
  /// @return null if the method was not measured
  const MethodMeasured* method(const std::string& name) const;
};

struct CorrelationsMeasured {
  std::string device;
  Index configurations = 0;
  double gemm_rate = 0;       ///< rate of a plain product of 8192^3, flop/s
  double copy_bandwidth = 0;  ///< bytes a second, read and written
  std::vector<LatticeOfPairs> lattices;

  /// Operations of the products for one time step, 2 N^2 3M.
  double flops(const LatticeOfPairs& lattice) const;
};

/// Prints the paper's figures and further tables.
void print_correlations(const CorrelationsMeasured& measured);
/// @throws MachineError if the file cannot be written
void write_correlations(const CorrelationsMeasured& measured, const std::string& path);

}  // namespace larmor::bench
