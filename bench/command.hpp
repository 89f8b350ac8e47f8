#pragma once
// larmor bench: speed beside its floor, measured in the same run.

#include <functional>
#include <string>
#include <vector>

#include "bench/choice.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::bench {

struct CorrelationBenchOptions {
  std::string lengths;        ///< L: ranges from:to:step and numbers, with commas; empty: usual
  Index configurations = 50;  ///< M
  std::vector<std::string> methods;  ///< on a GPU; empty: all
  std::string json;                  ///< on a GPU: file to write; empty: none
};

struct SnapBenchOptions {
  std::vector<Index> cells;          ///< along the edges of boxes; empty: usual
  std::vector<int> twojmax;          ///< empty: usual
  std::string prefix;                ///< of the files of a potential; empty: it is made up
  std::vector<std::string> methods;  ///< empty: all
  std::string json;                  ///< file to write; empty: none
};

struct TemperingBenchOptions {
  std::string json;  ///< file to write; empty: none
};

struct GlassBenchOptions {
  std::string json;  ///< file to write; empty: none
};

/// What single benchmarks know.
struct BenchOptions {
  CorrelationBenchOptions correlations;
  SnapBenchOptions snap;
  TemperingBenchOptions tempering;
  GlassBenchOptions glass;
};

/// Runs work on all ranks that this process was started with. @return exit code
using OnAllRanks = std::function<int(const std::function<int(const Communicator&)>& work)>;

/// @param name of the benchmark @param only part of the name of a system; empty: all
/// @return exit code @throws InputError for a benchmark or systems that there are not
int run_benchmark(const std::string& name, const std::string& only,
                  const study::DeviceOverrides& device, const BenchOptions& options,
                  const OnAllRanks& on_all_ranks);

/// What `bench ising` does, on every rank: several share one grid.
void bench_ising(const Device& device, BenchChoice& choice, const Communicator& world);
/// What `bench clusters` does, on every rank: several share one grid.
void bench_clusters(const Device& device, BenchChoice& choice, const Communicator& world);
/// What `bench phi4` does.
void bench_phi4(const Device& device, BenchChoice& choice);
/// What `bench landscape` does.
void bench_landscape(const Device& device, BenchChoice& choice);
/// What `bench samples` does.
void bench_samples(const Device& device, BenchChoice& choice);
/// What `bench glass` does. @throws InternalError where bits are not those of one thread of a CPU
void bench_glass(const Device& device, BenchChoice& choice, const GlassBenchOptions& options);
/// What `bench snap` does. @throws InputError for what it does not measure; InternalError where a
/// method gives wrong forces
void bench_snap(const Device& device, BenchChoice& choice, const SnapBenchOptions& options);
/// What `bench tempering` does.
void bench_tempering(const Device& device, BenchChoice& choice,
                     const TemperingBenchOptions& options);
/// What `bench scaling` does, on every rank.
void bench_scaling(const Device& device, BenchChoice& choice, const Communicator& world);
/// What `bench correlations` does, on every rank. @throws InputError for spins in other than
/// doubles, lengths or methods that there are not, or options of another device
void bench_correlations(const Device& device, BenchChoice& choice,
                        const CorrelationBenchOptions& options, const Communicator& world);

}  // namespace larmor::bench
