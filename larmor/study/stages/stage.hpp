#pragma once
// The interface of a stage. A stage works in blocks of steps, so that a run can be watched,
// interrupted and resumed between any two blocks. BITS: an interruption does not change the
// results.

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/ranks.hpp"
#include "larmor/study/model_kind/results_group.hpp"
#include "larmor/study/stages/convergence.hpp"

namespace larmor::study {

/// The run to which a stage belongs, for stages that write files of their own.
struct RunIdentity {
  std::string results = {};  ///< path of the results; empty for a trial, which writes no files
  std::uint64_t id = 0;      ///< identifier of the run in its results; 0 on ranks that write none
};

/// No limit for the steps of a block.
constexpr Index any_number_of_steps = std::numeric_limits<Index>::max();

/// The objects on which a stage acts.
struct Simulation {
  const Study& study;
  System& system;
  const Ranks& ranks;
  RunIdentity run = {};
  /// The most steps that the next block may make. A stage may ignore this number: if it counts no
  /// steps, or while it tunes itself. BITS: results do not depend on it.
  Index most_steps = any_number_of_steps;
};

/// Consecutive replicas that share a disorder sample; 0: no disorder differs between replicas.
inline Index replicas_of_sample(const Simulation& simulation) {
  return simulation.system.replicas_differ() ? simulation.study.replicas_of_sample() : 0;
}

/// @throws InputError if a study has samples of a disorder that does not differ
void require_samples(const Simulation& simulation);

/// The sizes that a stage uses before anything is allocated.
struct Sizing {
  const Study& study;
  SystemSize system;
  Device device;
  Index replicas;      ///< of this process
  Index all_replicas;  ///< of all processes
};

/// Memory of a stage, in addition to the state and its system.
struct StageBytes {
  double host = 0;                  ///< for the replicas of the process
  double host_of_all_replicas = 0;  ///< in each process, for the replicas of all processes
  double device = 0;                ///< working memory of kernels
  double samples = 0;               ///< all samples that go into the results as they are taken
  /// The largest of the averages of samples, which are made one after another.
  double averages = 0;

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

/// FORMAT: a stage's own state between two blocks, by name, as in checkpoints.
struct StageMemory {
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::vector<Index>> integers;

  /// @throws InputError if the checkpoint lacks the entry
  const std::vector<double>& number(const std::string& name) const;
  const std::vector<Index>& integer(const std::string& name) const;
};

/// The progress that a stage made in one block.
struct StageProgress {
  double work = 0;    ///< updates done, or as many as other work would have taken
  bool done = false;  ///< was it the last block?
  Index steps = 0;    ///< time steps or sweeps done; 0 in a stage that counts none
};

/// The place of a stage among its steps.
struct StagePlace {
  Index step = 0;              ///< time steps or sweeps since the stage began
  std::optional<double> time;  ///< nothing: the steps of the stage have no time
  std::string time_unit;
};

/// Advice to the user about a stage before it runs.
struct Advice {
  std::string words;
  bool warns;  ///< does it warn of wrong results? If it does, `run` also prints it
};

class Stage {
 public:
  Stage() = default;
  // A stage is not copied, because its measurements may refer to it.
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;
  virtual std::string kind() const = 0;
  /// The stage's table with every default.
  virtual Value completed() const = 0;
  /// The number of updates of the whole stage, for one site and replica of this system.
  /// @throws InputError if the stage cannot be run on the system
  virtual double updates_on(const SystemSize&) const { return updates_per_site(); }
  /// All work of the stage in updates, for the progress line.
  virtual double work(const Study& study, const SystemSize& system) const {
    return updates_on(system) * static_cast<double>(system.movable * study.replicas);
  }
  /// Does the stage end after it has converged? If it does, `updates_on` is the maximum.
  virtual bool ends_on_convergence() const { return false; }
  /// The residual of a stage that ends on convergence, while the stage runs; nothing before the
  /// residual is known.
  virtual std::optional<Residual> residual() const { return std::nullopt; }
  /// One line about the work of the stage.
  virtual std::string plan() const = 0;
  /// @throws InputError if the stage cannot run with these sizes
  virtual void validate(const Sizing& sizing) const { static_cast<void>(sizing); }
  /// The memory of the stage, on a system on which it can run.
  virtual StageBytes forecast(const Sizing& sizing) const = 0;

  /// Are spins in single precision too coarse for the stage?
  virtual bool needs_double_spins() const { return false; }

  /// Does the stage take a replica's whole lattice at a time? If it does, ranks cannot share the
  /// lattice.
  virtual bool needs_whole_lattice() const { return false; }

  /// Does the stage read or change the configuration? If no stage does, ranks do not share the
  /// lattice, and each has all of it.
  virtual bool uses_configuration() const { return true; }

  /// Does the stage read tables of neighbours even if kernels are compiled for the model?
  virtual bool reads_tables() const { return false; }

  /// Does the stage take derivatives of the state, which read neighbours that no bond may reach?
  virtual bool takes_derivatives() const { return false; }

  /// Copies of the system whose energies the stage computes at a time.
  /// @param replicas those of this process
  virtual Index copies(Index replicas) const { return replicas; }

  /// Checks the state at the beginning of the study, before anything is written. A collective
  /// operation.
  /// @param is_first is this the initial state of the stage?
  /// @throws InputError for a state that the stage would refuse
  virtual void require_beginning(const Simulation& simulation, bool is_first) const {
    static_cast<void>(simulation), static_cast<void>(is_first);
  }

  /// Advice on this system, which `check` prints.
  virtual std::vector<Advice> advice(const Simulation&) const { return {}; }

  /// The method that updates sites. An update of two stages with equal methods takes about as long.
  virtual std::string engine(const Simulation&) const { return kind(); }
  /// Seconds of one update of every site, measured on the state, for estimates.
  virtual double seconds_per_update(Simulation& simulation) = 0;

  /// Called before the first block, also after resuming.
  virtual void prepare(Simulation& simulation) = 0;
  /// Computes the next block and appends its results. A collective operation.
  virtual StageProgress advance(Simulation& simulation, ResultsGroup& results) = 0;
  /// Called after the last block.
  virtual void finish(Simulation& simulation, ResultsGroup& results) = 0;
  /// After `finish`: a note to the user that is not an error; empty: none.
  virtual std::string note() const { return ""; }
  /// Paths of the files that the stage reads. @param folder folder of the study
  virtual std::vector<std::string> files(const std::string& folder) const {
    static_cast<void>(folder);
    return {};
  }
  /// (name, value) of the latest averages.
  virtual std::vector<std::pair<std::string, std::string>> latest() const = 0;
  /// The place between two blocks; nothing: the stage counts no steps.
  virtual std::optional<StagePlace> place() const { return std::nullopt; }
  /// May the state change between two blocks? Then the stage keeps nothing that depends on it.
  virtual bool allows_other_state() const { return false; }
  /// Can `energies` be called? Only after `prepare`.
  virtual bool measures_energies() const { return false; }
  /// Energy of every replica of this process.
  virtual std::vector<double> energies(const Simulation& simulation) const;

  /// Waits for measurements that a GPU has not finished, and joins those of all ranks. A collective
  /// operation before `save` and `finish`.
  virtual void finish_measurements() {}
  virtual StageMemory save() const = 0;
  virtual void load(const StageMemory& memory) = 0;

 protected:
  /// For stages whose number does not depend on the lattice. All other stages define updates_on.
  virtual double updates_per_site() const;
};

/// @param table from the key `stage` of the study
/// @throws InputError for an unknown kind, or any mistake in its table
std::unique_ptr<Stage> make_stage(const Study& study, const Value& table);

/// A stage with its name in messages.
struct StageFound {
  std::string kind;
  SourcePosition where;
};

/// The first stage of a study that has the property; nothing: none. @throws InputError as
/// make_stage
std::optional<StageFound> first_stage(const Study& study, bool (Stage::*property)() const);

}  // namespace larmor::study
