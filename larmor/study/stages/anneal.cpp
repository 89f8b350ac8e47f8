#include "larmor/study/stages/anneal.hpp"

#include <algorithm>

#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {

AnnealStage::AnnealStage(const Table& table, const ReadContext& context)
    : ThermalStage(table, table.temperature.temperatures(), context), table_(table) {}

double AnnealStage::updates_per_spin() const {
  return static_cast<double>(temperatures_.size()) * static_cast<double>(table_.sweeps) *
         updates_per_sweep();
}

std::string AnnealStage::plan() const {
  return std::to_string(temperatures_.size()) + " temperatures from " +
         number_text(temperatures_.front()) + " to " + number_text(temperatures_.back()) + ", " +
         std::to_string(table_.sweeps) + " sweeps each (" + sampler_words() + ")";
}

Portion AnnealStage::advance(Simulation& simulation, ResultsGroup& results) {
  const Index round = std::min(tuning_round, table_.sweeps - sweeps_done_);
  sampler_->tune(simulation.state, round);
  sweeps_done_ += round;
  // The first half of the sweeps forgets the temperature before.
  if (2 * sweeps_done_ >= table_.sweeps) measure(simulation);
  if (sweeps_done_ == table_.sweeps) finish_point(simulation, results);
  return {work_of(simulation, round), all_points_done()};
}

void AnnealStage::finish(Simulation& simulation, ResultsGroup& results) {
  write_configurations(simulation, table_.keep_configurations, results);
}

}  // namespace larmor::study
