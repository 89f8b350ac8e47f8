#include "larmor/study/models/discrete/discrete_model_kind.hpp"

#include "larmor/study/models/discrete/sampling/discrete_sampling.hpp"
#include "larmor/study/models/discrete/stages/transfer_matrix.hpp"
#include "larmor/study/models/discrete/system/discrete_tables.hpp"
#include "larmor/study/sampling/anneal.hpp"
#include "larmor/study/sampling/monte_carlo.hpp"
#include "larmor/study/tempering/population_annealing.hpp"
#include "larmor/study/tempering/tempering.hpp"

namespace larmor::study {
namespace {

std::vector<TableInfo> tables_of_both() {
  std::vector<TableInfo> tables;
  const auto add = [&](auto* type) {
    using Table = std::remove_pointer_t<decltype(type)>;
    tables.push_back(table_info<Table>());
  };
  add(static_cast<SiteLatticeTable*>(nullptr));
  add(static_cast<ScalarExchange*>(nullptr));
  add(static_cast<ScalarFieldTable*>(nullptr));
  add(static_cast<DiscreteInitialTable*>(nullptr));
  return tables;
}

}  // namespace

const std::vector<StageType>& DiscreteModelKind::stages() const {
  static const std::vector<StageType> stages{stage_type<AnnealStageOf<DiscreteSampling>>(),
                                             stage_type<MonteCarloStageOf<DiscreteSampling>>(),
                                             stage_type<TemperingStageOf<DiscreteSampling>>(),
                                             stage_type<PopulationStageOf<DiscreteSampling>>()};
  return stages;
}

const std::vector<StageType>& IsingModelKind::stages() const {
  static const std::vector<StageType> stages = [this] {
    std::vector<StageType> all = DiscreteModelKind::stages();
    all.push_back(stage_type<TransferMatrixStage>());
    return all;
  }();
  return stages;
}

std::vector<FieldInfo> IsingModelKind::keys() const { return describe<IsingTables>(); }

std::vector<TableInfo> IsingModelKind::tables() const { return tables_of_both(); }

std::shared_ptr<const ModelTables> IsingModelKind::read(const Value& document,
                                                        const ModelContext& context) const {
  return read_discrete_tables<IsingTables>(document, context);
}

std::vector<FieldInfo> PottsModelKind::keys() const { return describe<PottsTables>(); }

std::vector<TableInfo> PottsModelKind::tables() const {
  std::vector<TableInfo> tables = tables_of_both();
  tables.push_back(table_info<PottsTable>());
  return tables;
}

std::shared_ptr<const ModelTables> PottsModelKind::read(const Value& document,
                                                        const ModelContext& context) const {
  return read_discrete_tables<PottsTables>(document, context);
}

std::vector<ExactResult> IsingModelKind::exact_results() const {
  std::vector<ExactResult> results = exact_ising();
  for (ExactResult& result : exact_strips()) results.push_back(std::move(result));
  return results;
}

std::vector<ExactResult> PottsModelKind::exact_results() const { return exact_potts(); }

}  // namespace larmor::study
