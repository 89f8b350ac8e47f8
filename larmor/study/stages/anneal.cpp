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
  // The first half of the sweeps forgets the temperature before. Cones that followed the spins
  // while these are averaged would break detailed balance: then they stay as they are.
  const Index half = (table_.sweeps + 1) / 2;
  const bool forgets = sweeps_done_ < half;
  const Index round = std::min(tuning_round, (forgets ? half : table_.sweeps) - sweeps_done_);
  if (forgets) {
    sampler_->tune(simulation.state, round);
  } else {
    if (sweeps_done_ == half) sampler_->reset_acceptance();
    sampler_->run(simulation.state, round);
  }
  sweeps_done_ += round;
  if (sweeps_done_ >= half) measure(simulation);
  if (sweeps_done_ == table_.sweeps) finish_point(simulation, results);
  return {work_of(simulation, round), all_points_done()};
}

void AnnealStage::finish(Simulation& simulation, ResultsGroup& results) {
  ThermalStage::finish(simulation, results);
  write_configurations(simulation, table_.keep_configurations, results);
}

}  // namespace larmor::study
