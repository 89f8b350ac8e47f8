#pragma once
// The minimum-energy path from the present spins to a final state, and its barrier.

#include <memory>
#include <optional>

#include "larmor/spins/landscape/geodesic_neb.hpp"
#include "larmor/spins/landscape/path_ends.hpp"
#include "larmor/study/models/spins/stages/charge_watch.hpp"
#include "larmor/study/models/spins/stages/lifetime.hpp"
#include "larmor/study/models/spins/stages/minimising_stage.hpp"
#include "larmor/study/stages/path_results.hpp"

namespace larmor::study {

class MinimumEnergyPathStage : public SpinStage {
 public:
  using Table = MinimumEnergyPathTable;
  MinimumEnergyPathStage(const Table& table, const ReadContext& context)
      : table_(table), context_(context) {
    if (table.lifetime) lifetime_.emplace(*table.lifetime, context);
  }

  /// The barriers from either end, and lifetimes.
  static std::vector<StageNumber> numbers(const io::ResultsReader& results,
                                          const std::string& path) {
    return numbers_of_path(results, path);
  }

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_per_site() const override;
  bool ends_on_convergence() const override { return true; }
  std::optional<Residual> residual() const override;
  bool needs_double_spins() const override { return true; }
  bool reads_tables() const override { return true; }
  bool needs_whole_lattice() const override { return true; }
  std::string plan() const override;
  Index copies(Index) const override { return most_images(); }
  /// @throws InputError unless there is one replica, and for invalid states
  void validate(const Sizing& sizing, const lattice::Geometry& geometry) const override;
  StageBytes forecast(const Sizing& sizing, const lattice::Geometry& geometry) const override;
  double seconds_per_update(SpinSimulation& simulation) override;
  void prepare(SpinSimulation& simulation) override;
  StageProgress advance(SpinSimulation& simulation, ResultsGroup& results) override;
  /// The next stage begins with the spins at the end of the path.
  void finish(SpinSimulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return note_; }
  std::vector<std::string> files(const std::string& folder) const override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  /// The phases of the stage. A first path, of few images, is optimised roughly.
  enum class Phase { start, ends, first_path, path };

  Index most_images() const;
  void make_band(Index images);
  void require_different_ends(const SpinSimulation& simulation) const;
  /// Inserts images into the path if it needs them. @return true if images were inserted
  bool refine(ResultsGroup& results);
  /// Is the largest torque on either end within the tolerance of the path?
  bool ends_converged() const;
  std::string note_of_ends() const;
  /// @param has_saddle true if the climbing image has converged at the highest saddle
  std::string note_of_path(bool has_saddle) const;
  /// Names the ends that were not minima. Empty if both ends were minima.
  std::string unstable_ends_text() const;

  void begin_ends(const SpinSimulation& simulation);
  void begin_path(SpinSimulation& simulation, ResultsGroup& results);
  StageProgress relax_ends(SpinSimulation& simulation, ResultsGroup& results);
  /// The spins of a table, in storage order. [3, sites]
  spins::SiteVectors spins_of(const InitialTable& state, const SpinSimulation& simulation) const;
  void append_series(ResultsGroup& results) const;
  PathNumbers path_numbers() const;
  std::string write_lifetime(const SpinSimulation& simulation, ResultsGroup& results) const;
  void write_images(const SpinSimulation& simulation, ResultsGroup& results) const;

  Table table_;
  ReadContext context_;
  std::optional<Lifetime> lifetime_;
  spins::NebSettings settings_;
  const spins::Model* model_ = nullptr;  ///< set by `prepare`
  Device device_;
  std::unique_ptr<spins::PathEnds> ends_;
  std::unique_ptr<spins::GeodesicNeb> band_;
  Phase phase_ = Phase::start;
  Index step_ = 0;
  ChargeWatch charge_;  ///< charges of the ends
  std::string note_;
};

}  // namespace larmor::study
