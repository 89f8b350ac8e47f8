#pragma once
// The stage `parsplice`: a trajectory from state to state of any matter that has dynamics and
// minima. A model kind gives its system with states, and its own keys.
//
// The root makes the trajectory with threads. Its segments lie in a file next to the results, from
// which a run continues after any end. The other methods save their numbers in checkpoints.

#include <optional>

#include "larmor/study/parsplice/trajectory_run.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class ParspliceStage : public Stage {
 public:
  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path);

  std::string kind() const override { return ParspliceKeys::name; }
  double updates_on(const SystemSize&) const override;
  std::string plan() const override;
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  bool needs_whole_lattice() const override { return true; }
  /// All ranks have the whole system, and only the root works.
  bool uses_configuration() const override { return false; }
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 protected:
  explicit ParspliceStage(const ReadContext& context) : context_(context) {}

  virtual const ParspliceKeys& keys() const = 0;
  /// Timesteps between two checks of the state if the study does not say.
  virtual Index default_check() const = 0;
  /// @param simulation outlives the system
  virtual std::unique_ptr<parsplice::MatterSystem> make_system(
      const Simulation& simulation) const = 0;
  virtual parsplice::Configuration first_configuration(const Simulation& simulation) const = 0;
  /// Shape of the places of particles or atoms in results.
  virtual io::Shape shape_of_places(const Simulation& simulation) const = 0;
  /// Can segments run together on a GPU?
  virtual bool runs_on_gpu() const { return false; }
  /// Segments that run together if the study does not say.
  virtual Index usual_workers(const Device& device, const SystemSize&) const {
    return device.host_threads();
  }
  /// Bytes of the system for one worker.
  virtual double bytes_of_worker(const Sizing& sizing) const = 0;

  ParspliceSteps steps() const { return steps_of(keys(), default_check()); }

  ReadContext context_;

 private:
  int workers(const Device& device, const SystemSize& size) const;
  void open(const Simulation& simulation);

  /// Sums over all calls of the program that made the trajectory.
  struct Sums {
    double wall_seconds = 0, busy_seconds = 0, steps = 0, work = 0;
  };
  Sums sums() const;
  void write_speed(ResultsGroup& results) const;

  std::unique_ptr<parsplice::MatterSystem> system_;
  std::unique_ptr<TrajectoryRun> run_;
  std::optional<StageMemory> memory_;  ///< from a checkpoint, until `run_` is made
  Sums before_;                        ///< of earlier calls
  double wall_seconds_ = 0;            ///< of this call
  Index first_steps_ = 0;              ///< steps of the trajectory when this call opened it
  Index told_steps_ = 0;               ///< steps that count in the progress already
  std::uint64_t seed_ = 0;
  int workers_ = 1;
};

}  // namespace larmor::study
