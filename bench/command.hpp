#pragma once
// larmor bench: measures speeds. Each run also measures lower bounds of the time (floors).

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::bench {

/// Choice of the systems of a benchmark by name.
class BenchChoice {
 public:
  /// @param only substring of the names; empty: all
  explicit BenchChoice(std::string only) : only_(std::move(only)) {}

  /// Returns true if the user chose this system. A benchmark calls it before each measurement.
  /// @param system the line of the system in the table, of which the user gives a substring
  bool wants(const std::string& system);
  /// @throws InputError with a list of the names if no name was chosen
  void require_one() const;

 private:
  std::string only_;
  std::vector<std::string> offered_;
  bool any_ = false;
};

struct CorrelationBenchOptions {
  std::string lengths;        ///< L: ranges from:to:step and numbers, with commas; empty: default
  Index configurations = 50;  ///< M
  std::vector<std::string> methods;  ///< on a GPU; empty: all
  std::string json;                  ///< on a GPU: file to write; empty: none
};

struct SnapBenchOptions {
  std::vector<Index> cells;          ///< along each edge of a cubic box, one number for each box;
                                     ///< empty: default
  std::vector<int> twojmax;          ///< empty: default
  std::string prefix;                ///< prefix of the files of a potential; empty: made-up
                                     ///< potential
  std::vector<std::string> methods;  ///< empty: all
  std::string json;                  ///< file to write; empty: none
};

struct TemperingBenchOptions {
  std::string json;  ///< file to write; empty: none
};

struct GlassBenchOptions {
  std::string json;  ///< file to write; empty: none
};

/// Options of single benchmarks.
struct BenchOptions {
  CorrelationBenchOptions correlations;
  SnapBenchOptions snap;
  TemperingBenchOptions tempering;
  GlassBenchOptions glass;
};

/// Runs `work` on all ranks of this run. @return exit code
using OnAllRanks = std::function<int(const std::function<int(const Communicator&)>& work)>;

/// Runs one benchmark.
/// @param name name of the benchmark @param only substring of names of systems; empty: all
/// @return exit code @throws InputError for an unknown benchmark or system
int run_benchmark(const std::string& name, const std::string& only,
                  const study::DeviceOverrides& device, const BenchOptions& options,
                  const OnAllRanks& on_all_ranks);

/// Measures `bench ising` on every rank; several ranks share one grid.
void bench_ising(const Device& device, BenchChoice& choice, const Communicator& world);
/// Measures `bench clusters` on every rank; several ranks share one grid.
void bench_clusters(const Device& device, BenchChoice& choice, const Communicator& world);
void bench_phi4(const Device& device, BenchChoice& choice);
void bench_landscape(const Device& device, BenchChoice& choice);
void bench_samples(const Device& device, BenchChoice& choice);
void bench_transfer_matrix(const Device& device, BenchChoice& choice, const Communicator& world);
void bench_lanczos(const Device& device, BenchChoice& choice);
void bench_trotter(const Device& device, BenchChoice& choice);
/// @throws InternalError if bits differ from those of one thread of a CPU
void bench_glass(const Device& device, BenchChoice& choice, const GlassBenchOptions& options);
/// @throws InputError for a potential or an option that the benchmark cannot measure
/// @throws InternalError if a method gives wrong forces
void bench_snap(const Device& device, BenchChoice& choice, const SnapBenchOptions& options);
void bench_tempering(const Device& device, BenchChoice& choice,
                     const TemperingBenchOptions& options);
/// Called on every rank.
void bench_scaling(const Device& device, BenchChoice& choice, const Communicator& world);
/// Called on every rank. @throws InputError for precisions other than double, unknown lengths or
/// methods, or options of another device
void bench_correlations(const Device& device, BenchChoice& choice,
                        const CorrelationBenchOptions& options, const Communicator& world);

}  // namespace larmor::bench
