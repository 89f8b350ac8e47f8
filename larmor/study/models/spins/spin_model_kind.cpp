#include "larmor/study/models/spins/spin_model_kind.hpp"

#include "larmor/study/models/spins/exact_results/exact_results.hpp"
#include "larmor/study/models/spins/sampling/spin_sampling.hpp"
#include "larmor/study/models/spins/stages/dynamics.hpp"
#include "larmor/study/models/spins/stages/hysteresis.hpp"
#include "larmor/study/models/spins/stages/minimise.hpp"
#include "larmor/study/models/spins/stages/minimum_energy_path.hpp"
#include "larmor/study/models/spins/stages/pair_correlations.hpp"
#include "larmor/study/models/spins/stages/spin_waves.hpp"
#include "larmor/study/models/spins/system/spin_tables.hpp"
#include "larmor/study/sampling/anneal.hpp"
#include "larmor/study/sampling/monte_carlo.hpp"
#include "larmor/study/tempering/population_annealing.hpp"
#include "larmor/study/tempering/tempering.hpp"

namespace larmor::study {

std::vector<FieldInfo> SpinModelKind::keys() const { return describe_spin_keys(); }

std::vector<TableInfo> SpinModelKind::tables() const { return describe_spin_tables(); }

const std::vector<StageType>& SpinModelKind::stages() const {
  static const std::vector<StageType> stages{stage_type<AnnealStageOf<SpinSampling>>(),
                                             stage_type<MonteCarloStageOf<SpinSampling>>(),
                                             stage_type<TemperingStageOf<SpinSampling>>(),
                                             stage_type<PopulationStageOf<SpinSampling>>(),
                                             stage_type<DynamicsStage>(),
                                             stage_type<MinimiseStage>(),
                                             stage_type<HysteresisStage>(),
                                             stage_type<MinimumEnergyPathStage>(),
                                             stage_type<SpinWavesStage>(),
                                             stage_type<PairCorrelationsStage>()};
  return stages;
}

std::shared_ptr<const ModelTables> SpinModelKind::read(const Value& document,
                                                       const ModelContext& context) const {
  return std::make_shared<SystemTables>(read_spin_tables(document, context));
}

std::vector<ExactResult> SpinModelKind::exact_results() const {
  std::vector<ExactResult> all;
  for (const auto& list : {exact_sampling, exact_dynamics, exact_dipoles, exact_correlations})
    for (ExactResult& result : list()) all.push_back(std::move(result));
  return all;
}

}  // namespace larmor::study
