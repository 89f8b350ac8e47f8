#pragma once
// The minimum-energy path from the present atoms to a final structure, its barrier, and rates.

#include "larmor/atoms/minimisers/lbfgs.hpp"
#include "larmor/atoms/paths/first_path.hpp"
#include "larmor/atoms/paths/nudged_band.hpp"
#include "larmor/atoms/paths/stationary_structure.hpp"
#include "larmor/study/models/atoms/stages/atom_stage.hpp"
#include "larmor/study/models/atoms/stages/minimum_energy_path_table.hpp"
#include "larmor/study/stages/path_results.hpp"

namespace larmor::study {

class AtomPathStage : public Stage {
 public:
  using Table = AtomPathTable;
  AtomPathStage(const Table& table, const ReadContext& context);

  /// The barriers from either end, and lifetimes.
  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path) {
    return numbers_of_path(results, path);
  }

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_on(const SystemSize& system) const override;
  bool ends_on_convergence() const override { return true; }
  std::optional<Residual> residual() const override;
  std::string plan() const override;
  /// @throws InputError unless there is one replica, and for a final structure of other atoms
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  /// @throws InputError if the first stage would start from another box or from the final structure
  void require_beginning(const Simulation& simulation, bool is_first) const override;
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  /// The next stage begins with the atoms at the end of the path.
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return note_; }
  std::vector<std::string> files(const std::string& folder) const override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  /// The phases of the stage. In the last three, Newton's method refines structures.
  enum class Phase { start, ends, path, saddle, first, last };

  /// The present atoms and all structures of the table, each the nearest image of the one before.
  std::vector<atoms::Positions> stops(const AtomSystem& system) const;
  /// A copy of the system with several replicas in the present box.
  std::unique_ptr<AtomSystem> make_copies(Index replicas) const;
  void begin_ends();
  void begin_path(ResultsGroup& results);
  StageProgress relax_ends(ResultsGroup& results);
  StageProgress move_images(ResultsGroup& results);
  bool refines() const { return table_.climb && table_.refine; }
  bool is_refining() const { return phase_ >= Phase::saddle; }
  /// Begins to refine a structure, unless there is a reason why it has no use.
  /// @return is there a structure to refine?
  bool begin_refinement(Phase phase);
  StageProgress refine();
  void require_near(const atoms::StationaryStructure& saddle) const;
  void append_series(ResultsGroup& results) const;
  bool ends_converged() const;
  PathNumbers path_numbers() const;
  void write_images(ResultsGroup& results) const;
  /// Makes the climbing image the refined saddle.
  void use_saddle();
  void write_saddle(ResultsGroup& results) const;
  /// The reason why there are no rates; empty: there are rates.
  std::string why_no_rates() const;
  /// @return the reason why rates do not hold; empty: they hold
  std::string write_lifetime(ResultsGroup& results) const;
  void write_states(ResultsGroup& results) const;
  std::string note_of_path() const;
  std::string note_of_saddle() const;

  Table table_;
  ReadContext context_;
  std::vector<double> temperature_;  ///< for rates; empty: none
  AtomSystem* system_ = nullptr;     ///< set by `prepare`
  std::unique_ptr<AtomSystem> ends_, images_;
  std::unique_ptr<atoms::Lbfgs> minimiser_;  ///< of both ends
  std::unique_ptr<atoms::NudgedBand> band_;
  std::unique_ptr<AtomSystem> many_;  ///< for Hessians
  std::optional<atoms::StationarySearch> search_;
  std::map<Phase, atoms::StationaryStructure> refined_;
  Phase phase_ = Phase::start;
  Index step_ = 0, ends_steps_ = 0;
  std::string failure_;  ///< the reason why a structure is not refined
  std::string note_;
};

}  // namespace larmor::study
