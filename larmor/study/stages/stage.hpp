#pragma once
// A stage does its work in small portions, so that a run can be watched, interrupted and resumed
// between any two of them. BITS: where it was interrupted does not show.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/ranks.hpp"
#include "larmor/study/model_kind/results_group.hpp"
#include "larmor/study/stages/convergence.hpp"

namespace larmor::study {

/// Everything a stage acts on.
struct Simulation {
  const Study& study;
  System& system;
  const Ranks& ranks;
};

/// Replicas side by side that share a sample of frozen disorder; 0: there is none that differs.
inline Index replicas_of_sample(const Simulation& simulation) {
  return simulation.system.replicas_differ() ? simulation.study.replicas_of_sample() : 0;
}

/// @throws InputError where a study has samples of a disorder that does not differ
void require_samples(const Simulation& simulation);

/// What a stage goes by before anything is allocated.
struct Sizing {
  const Study& study;
  SystemSize system;
  Device device;
  Index replicas;      ///< of this process
  Index all_replicas;  ///< of all processes
};

/// What a stage needs beside the state and its system.
struct StageBytes {
  double host = 0;                  ///< by the replicas of the process
  double host_of_all_replicas = 0;  ///< in each process, by the replicas of all
  double device = 0;                ///< that kernels work in
  double samples = 0;               ///< that go into the results as they come, all of them
  double averages = 0;              ///< made of them one after another: that of most bytes

  /// Samples in memory, and rows that wait for the file, with room to grow.
  static constexpr double most_samples = 96.0 * 1048576;

  double on_host() const {
    return host + host_of_all_replicas + std::min(samples, most_samples) + averages;
  }
  StageBytes& operator+=(const StageBytes& other) {
    host += other.host;
    host_of_all_replicas += other.host_of_all_replicas;
    device += other.device;
    samples += other.samples;
    averages = std::max(averages, other.averages);
    return *this;
  }
};

/// FORMAT: a stage's own state between two portions, by name, as checkpoints have it.
struct StageMemory {
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::vector<Index>> integers;

  /// @throws InputError if the checkpoint lacks the entry
  const std::vector<double>& number(const std::string& name) const;
  const std::vector<Index>& integer(const std::string& name) const;
};

/// What a portion reports to the progress line.
struct Portion {
  double work = 0;    ///< updates done, or what is worth as many
  bool done = false;  ///< was it the last one?
};

/// What the user should know about a stage before it runs.
struct Advice {
  std::string words;
  bool warns;  ///< of results that are wrong; then `run` tells it too
};

class Stage {
 public:
  Stage() = default;
  // What a stage measures may refer to it.
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;
  virtual std::string kind() const = 0;
  /// The stage's table with every default.
  virtual Value completed() const = 0;
  /// Updates in all, for one site and replica of this system.
  /// @throws InputError if the stage cannot be run on it
  virtual double updates_on(const SystemSize&) const { return updates_per_site(); }
  /// Updates that the stage is worth in all, by which progress is told.
  virtual double work(const Study& study, const SystemSize& system) const {
    return updates_on(system) * static_cast<double>(system.movable * study.replicas);
  }
  /// Does the stage end once it has converged? Then `updates_on` is the most that it may take.
  virtual bool ends_on_convergence() const { return false; }
  /// Of such a stage while it runs; nothing before something is known.
  virtual std::optional<Approach> approach() const { return std::nullopt; }
  /// What the stage will do, in one line.
  virtual std::string plan() const = 0;
  /// @throws InputError if the study cannot be run so
  virtual void validate(const Sizing& sizing) const { static_cast<void>(sizing); }
  /// What the stage will need, of a system that it fits.
  virtual StageBytes forecast(const Sizing& sizing) const = 0;

  /// Are spins in single precision too coarse for the stage?
  virtual bool needs_double_spins() const { return false; }

  /// Does the stage take a replica's whole lattice at a time? Then ranks cannot share it.
  virtual bool needs_whole_lattice() const { return false; }

  /// Does the stage read tables of neighbours even where kernels are compiled for the model?
  virtual bool reads_tables() const { return false; }

  /// Does the stage take derivatives of the state, and so read neighbours that no bond may reach?
  virtual bool takes_derivatives() const { return false; }

  /// Copies of the system whose energies the stage takes at a time.
  /// @param replicas of this process
  virtual Index copies(Index replicas) const { return replicas; }

  /// With the state as the study begins, before anything is written. All ranks come together.
  /// @param is_first whether the stage finds it so
  /// @throws InputError for what the stage would refuse when it came to it
  virtual void require_beginning(const Simulation& simulation, bool is_first) const {
    static_cast<void>(simulation), static_cast<void>(is_first);
  }

  /// On this system; `check` tells all of it.
  virtual std::vector<Advice> advice(const Simulation&) const { return {}; }

  /// What updates sites. An update takes about as long where two stages say the same.
  virtual std::string engine(const Simulation&) const { return kind(); }
  /// Seconds that one update of every site takes, tried out on the state. For estimates.
  virtual double seconds_per_update(Simulation& simulation) = 0;

  /// Before the first portion, also when resuming.
  virtual void prepare(Simulation& simulation) = 0;
  virtual Portion advance(Simulation& simulation, ResultsGroup& results) = 0;
  /// After the last portion.
  virtual void finish(Simulation& simulation, ResultsGroup& results) = 0;
  /// After `finish`: what the user should know that is no error; empty: nothing.
  virtual std::string note() const { return ""; }
  /// Paths of the files that the stage reads. @param folder of the study
  virtual std::vector<std::string> files(const std::string& folder) const {
    static_cast<void>(folder);
    return {};
  }
  /// (name, value) of the latest averages.
  virtual std::vector<std::pair<std::string, std::string>> latest() const = 0;

  /// Waits for measurements that a GPU has not finished, and brings together what ranks have of
  /// them. All ranks come together, before `save` and `finish`.
  virtual void settle() {}
  virtual StageMemory save() const = 0;
  virtual void load(const StageMemory& memory) = 0;

 protected:
  /// Of stages that do as much on any lattice; others say updates_on.
  virtual double updates_per_site() const;
};

}  // namespace larmor::study
