#include "larmor/study/sampling/anneal.hpp"

#include <algorithm>

#include "larmor/study/sampling/lowest_state.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {

AnnealStage::AnnealStage(const AnnealKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                         const ReadContext& context)
    : ThermalStage(std::move(sampler), keys.temperature.temperatures(), context), keys_(keys) {}

double AnnealStage::updates_per_site() const {
  return static_cast<double>(temperatures_.size()) * static_cast<double>(keys_.sweeps) *
         updates_per_sweep();
}

std::string AnnealStage::plan() const {
  return std::to_string(temperatures_.size()) + " temperatures from " +
         number_text(temperatures_.front()) + " to " + number_text(temperatures_.back()) + ", " +
         std::to_string(keys_.sweeps) + " sweeps each (" + sampler_->description() + ")";
}

StageBytes AnnealStage::forecast(const Sizing& sizing) const {
  return forecast_of_samples(sizing, keys_.sweeps / (2 * tuning_round) + 2);
}

StageProgress AnnealStage::advance(Simulation& simulation, ResultsGroup& results) {
  // In the first half of the sweeps the state adapts to the new temperature. Averages follow
  // without tuning, because a tuning that follows the state would break detailed balance.
  const Index half = (keys_.sweeps + 1) / 2;
  const bool forgets = sweeps_done_ < half;
  const Index round = std::min(tuning_round, (forgets ? half : keys_.sweeps) - sweeps_done_);
  if (forgets) {
    ensemble_->tune(round);
  } else {
    if (sweeps_done_ == half) ensemble_->reset_acceptance();
    ensemble_->run(round);
  }
  sweeps_done_ += round;
  if (sweeps_done_ >= half) measure(simulation);
  if (sweeps_done_ == keys_.sweeps) finish_point(simulation, results);
  return {work_of(simulation, static_cast<double>(round) * updates_per_sweep()), all_points_done(),
          round};
}

void AnnealStage::finish(Simulation& simulation, ResultsGroup& results) {
  ThermalStage::finish(simulation, results);
  write_configurations(simulation, keys_.keep_configurations, results);
  if (keys_.keep_configurations > 0) write_lowest_state(simulation, results);
}

void AnnealStage::write_lowest_state(const Simulation& simulation, ResultsGroup& results) const {
  const std::vector<double> energies = present_energies();
  LowestState lowest;
  lowest.record(simulation, *ensemble_, energies, temperatures_.back(), results);
  const std::vector<double> all = ranks_->gathered(energies, ranks_->replicas());
  lowest.write(std::count_if(all.begin(), all.end(), [&](double e) { return lowest.has(e); }),
               inner_unit(Dimension::energy, context_.units), results);
}

}  // namespace larmor::study
