#pragma once
// A stage does its work in small portions, so that a run can be watched, interrupted and resumed
// between any two of them with the same bits.

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "larmor/study/ranks.hpp"
#include "larmor/study/results_group.hpp"
#include "larmor/study/system.hpp"

namespace larmor::study {

/// Everything a stage acts on.
struct Simulation {
  const Study& study;
  const lattice::Geometry& geometry;
  const spins::Model& model;
  spins::SpinState& state;
  const Ranks& ranks;
};
inline Simulation simulation_of(const Study& study, SpinSystem& system, const Ranks& ranks) {
  return {study, system.geometry, system.model, system.state, ranks};
}

/// A stage's own state between two portions, by name.
struct StageMemory {
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::vector<Index>> integers;

  /// @throws InputError if the checkpoint lacks the entry
  const std::vector<double>& number(const std::string& name) const;
  const std::vector<Index>& integer(const std::string& name) const;
};

/// What a portion reports to the progress line.
struct Portion {
  double work = 0;    ///< spin updates done, or what is worth as many
  bool done = false;  ///< was it the last one?
};

/// What the user should know about a stage before it runs.
struct Advice {
  std::string words;
  bool warns;  ///< of results that are wrong; then `run` tells it too
};

class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::string kind() const = 0;
  /// The stage's table with every default.
  virtual Value completed() const = 0;
  /// Spin updates in all, for one site and replica of this lattice.
  /// @throws InputError if the stage cannot be run on it
  virtual double updates_on(const lattice::Geometry&) const { return updates_per_spin(); }
  /// Spin updates that the stage is worth in all, by which progress is told.
  virtual double work(const Study& study, const lattice::Geometry& geometry) const {
    return updates_on(geometry) * static_cast<double>(geometry.spins() * study.replicas);
  }
  /// What the stage will do, in one line.
  virtual std::string plan() const = 0;
  /// Bytes needed on the host beside the spins and the model, by the study's replicas, which may be
  /// those of this process.
  /// @throws InputError if the study cannot be run so
  virtual double extra_bytes(const Study& study, const lattice::Geometry& geometry) const = 0;
  /// Bytes of the host that each process needs for what it has of the replicas of all of them.
  /// After extra_bytes. @param study with all replicas @throws InputError if these are too few, or
  /// not alike
  virtual double bytes_of_all_replicas(const Study& study,
                                       const lattice::Geometry& geometry) const {
    static_cast<void>(study), static_cast<void>(geometry);
    return 0;
  }
  /// Bytes that kernels work in, where the spins are. After extra_bytes.
  /// @param study with the replicas of this process @param all_replicas of all processes
  virtual double device_bytes(const Study& study, const lattice::Geometry& geometry,
                              const Device& device, Index all_replicas) const {
    static_cast<void>(study), static_cast<void>(geometry), static_cast<void>(device);
    static_cast<void>(all_replicas);
    return 0;
  }

  /// Does the stage work on the CPU in double precision only?
  virtual bool needs_cpu_doubles() const { return false; }

  /// Does the stage take a replica's whole lattice at a time? Then ranks cannot share it.
  virtual bool needs_whole_lattice() const { return false; }

  /// Does the stage read tables of neighbours even where kernels are made for the model?
  virtual bool reads_tables() const { return false; }

  /// Does the stage take derivatives of the spins, and so read neighbours that no bond may reach?
  virtual bool takes_derivatives() const { return false; }

  /// Copies of the system whose energies the stage takes at a time.
  virtual Index copies(const Study& study) const { return study.replicas; }

  /// With the spins as the study begins, before anything is written. All ranks come together.
  /// @param is_first whether the stage finds them so
  /// @throws InputError for what the stage would refuse when it came to it
  virtual void require_beginning(const Simulation& simulation, bool is_first) const {
    static_cast<void>(simulation), static_cast<void>(is_first);
  }

  /// On this system; `check` tells all of it.
  virtual std::vector<Advice> advice(const Simulation&) const { return {}; }

  /// Seconds that one update of every spin takes, tried out on the state. For estimates.
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
  virtual double updates_per_spin() const;
};

}  // namespace larmor::study
