#pragma once
// Base of the stages that minimise the energy of spins.

#include <algorithm>
#include <memory>

#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/study/models/spins/stages/spin_stage.hpp"
#include "larmor/study/models/spins/tables/landscape_tables.hpp"
#include "larmor/study/stages/configurations.hpp"
#include "larmor/study/stages/minimisation.hpp"

namespace larmor::study {

/// The tolerance of a torque: the given one, or a share of the largest |dH/de|. The tolerance is
/// not finer than the precision can resolve. @throws InputError for a given tolerance that is too
/// fine
double tolerance_in(Precision precision, const std::optional<double>& given, double share,
                    double largest, const SourcePosition& where);

/// @param share default tolerance in units of the largest |dH/de|
/// @param field largest |mu_B B| in addition to the model's fields, included in this unit
spins::MinimiserSettings minimiser_settings(const MinimiserKeys& keys, double share,
                                            const spins::Model& model, double field,
                                            Precision precision, const SourcePosition& where);

/// Bytes of the minimiser of a study.
StageBytes relaxing_bytes(const MinimiserKeys& keys, const Sizing& sizing);

/// Turns the spins by up to `perturbation` at random and evaluates them.
/// @throws UnphysicalError if the spins are not finite
void begin_relaxing(SpinSimulation& simulation, double perturbation, spins::Minimiser& minimiser);

/// Appends averages NAME, the mean length, and NAME_x, NAME_y, NAME_z. @param vectors [replicas, 3]
void append_vector_means(ResultsGroup& results, const std::string& name,
                         const std::vector<double>& vectors, const std::string& unit);

/// Spin updates of `steps` steps of all replicas.
inline double work_of(const SpinSimulation& simulation, Index steps) {
  return static_cast<double>(steps) * static_cast<double>(simulation.model.sites()) *
         static_cast<double>(simulation.study.replicas);
}

/// A stage that minimises the energy of the spins of all replicas.
template <class TableType>
class MinimisingStage : public SpinStage {
 public:
  using Table = TableType;
  MinimisingStage(const Table& table, const ReadContext& context)
      : table_(table), context_(context) {}

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  bool ends_on_convergence() const override { return true; }
  bool needs_double_spins() const override { return true; }
  bool reads_tables() const override { return true; }
  bool needs_whole_lattice() const override { return true; }
  StageBytes forecast(const Sizing& sizing, const lattice::Geometry&) const override {
    return relaxing_bytes(table_, sizing);
  }
  double seconds_per_update(SpinSimulation& simulation) override {
    prepare(simulation);
    const std::vector<double> before = simulation.state.save();
    const std::uint64_t step = simulation.state.step;
    Index made = 0;
    const double seconds = seconds_of_one(simulation.state.device(), [&] {
      simulation.state.load(before);
      begin_relaxing(simulation, table_.perturbation, *minimiser_);
      made = minimiser_->run(simulation.state, tried_steps);
    });
    simulation.state.load(before);
    simulation.state.step = step;
    return seconds / static_cast<double>(std::max<Index>(made, 1));
  }

 protected:
  /// Steps of one block: few enough to react to Ctrl-C.
  static constexpr Index longest_block = 20;
  /// Steps that an estimate of the time makes: enough to fill the history of later steps.
  static constexpr Index tried_steps = 8;

  /// @param share, field as in minimiser_settings
  void make_minimiser(SpinSimulation& simulation, double share, double field) {
    settings_ =
        minimiser_settings(table_, share, simulation.model, field,
                           simulation.state.device().precision, table_.where.of("tolerance"));
    minimiser_.reset();
    minimiser_ = std::make_unique<spins::Minimiser>(simulation.model, simulation.state.layout(),
                                                    settings_, simulation.state.device());
    ranks_ = &simulation.ranks;
    tolerance_agreed_ = false;
  }

  /// Gives all ranks one tolerance, before the first step. Each rank knows only the largest field
  /// of its own replicas.
  void agree_on_tolerance() {
    if (tolerance_agreed_) return;
    settings_.tolerance = ranks_->maximum({settings_.tolerance}, nullptr, {})[0];
    minimiser_->set_tolerance(settings_.tolerance);
    tolerance_agreed_ = true;
  }

  /// Makes at most `most` steps. Ranks with converged replicas wait for all other ranks.
  Minimised relax(SpinSimulation& simulation, Index most) {
    const Index own = minimiser_->run(simulation.state, most);
    const Minimised all = minimised_on_all_ranks(*ranks_, own, minimiser_->done());
    simulation.state.step += static_cast<std::uint64_t>(all.steps - own);
    return all;
  }

  /// Numbers of every replica, on the root.
  std::vector<double> gathered(std::vector<double> values, Index components = 1) const {
    return ranks_->gathered(std::move(values), ranks_->replicas(), components);
  }

  void save_minimiser(StageMemory& memory) const {
    memory.numbers["minimiser"] = ranks_->joined(minimiser_->save());
  }
  void load_minimiser(const StageMemory& memory) {
    const std::vector<double>& saved = memory.number("minimiser");
    const RankShare replicas = ranks_->replicas();
    minimiser_->load(ranks_->own_of(saved, replicas, std::ssize(saved) / replicas.all));
  }

  Table table_;
  ReadContext context_;
  spins::MinimiserSettings settings_;
  std::unique_ptr<spins::Minimiser> minimiser_;
  const Ranks* ranks_ = nullptr;  ///< set by `prepare`
  bool tolerance_agreed_ = false;
};

}  // namespace larmor::study
