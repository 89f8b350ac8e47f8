#pragma once
// larmor bench: speed beside its floor, measured in the same run.

#include <functional>
#include <string>

#include "bench/choice.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::bench {

struct CorrelationBenchOptions {
  std::string lengths;        ///< L: ranges from:to:step and numbers, with commas; empty: usual
  Index configurations = 50;  ///< M
  std::string methods;        ///< on a GPU: names of methods with commas; empty: all
  std::string json;           ///< on a GPU: file to write; empty: none
};

/// Runs work on all ranks that this process was started with. @return exit code
using OnAllRanks = std::function<int(const std::function<int(const Communicator&)>& work)>;

/// @param name of the benchmark @param only part of the name of a system; empty: all
/// @param correlations what `bench correlations` alone knows
/// @return exit code @throws InputError for a benchmark or systems that there are not
int run_benchmark(const std::string& name, const std::string& only,
                  const study::DeviceOverrides& device, const CorrelationBenchOptions& correlations,
                  const OnAllRanks& on_all_ranks);

/// What `bench ising` does, on every rank: several share one grid.
void bench_ising(const Device& device, BenchChoice& choice, const Communicator& world);
/// What `bench clusters` does, on every rank: several share one grid.
void bench_clusters(const Device& device, BenchChoice& choice, const Communicator& world);
/// What `bench phi4` does.
void bench_phi4(const Device& device, BenchChoice& choice);
/// What `bench samples` does.
void bench_samples(const Device& device, BenchChoice& choice);
/// What `bench scaling` does, on every rank.
void bench_scaling(const Device& device, BenchChoice& choice, const Communicator& world);
/// What `bench correlations` does, on every rank. @throws InputError for spins in other than
/// doubles, lengths or methods that there are not, or options of another device
void bench_correlations(const Device& device, BenchChoice& choice,
                        const CorrelationBenchOptions& options, const Communicator& world);

}  // namespace larmor::bench
