#include "larmor/study/models/phi4/phi4_model_kind.hpp"

#include "larmor/study/models/phi4/sampling/phi4_sampling.hpp"
#include "larmor/study/models/phi4/system/phi4_tables.hpp"
#include "larmor/study/sampling/monte_carlo.hpp"
#include "larmor/study/tempering/tempering.hpp"

namespace larmor::study {
namespace {

using Phi4MonteCarlo = MonteCarloStageOf<Phi4Sampling>;
using Phi4Tempering = TemperingStageOf<Phi4Sampling>;

/// `temperature` is a key of other model kinds, so the message says more than "unknown key".
void refuse_temperature(const Value& table) {
  if (const Value* const temperature = table.find("temperature"))
    throw InputError(
        "phi^4 fields have no temperature", temperature->where(),
        "give kappa and lambda in [phi4], or scan these keys: the weight of the fields is exp(-S)");
}

StageType without_temperature(StageType type) {
  return {type.name,
          type.describe,
          [make = type.make](const Value& table, const ReadContext& context) {
            refuse_temperature(table);
            return make(table, context);
          },
          [complete = type.complete](const Value& table, const ReadContext& context) {
            refuse_temperature(table);
            return complete(table, context);
          },
          {},
          type.numbers};
}

}  // namespace

std::vector<FieldInfo> Phi4ModelKind::keys() const { return describe<Phi4Tables>(); }

std::vector<TableInfo> Phi4ModelKind::tables() const {
  return {table_info<GridTable>(), table_info<Phi4Table>(), table_info<FieldInitialTable>()};
}

const std::vector<StageType>& Phi4ModelKind::stages() const {
  static const std::vector<StageType> stages{without_temperature(stage_type<Phi4MonteCarlo>()),
                                             without_temperature(stage_type<Phi4Tempering>())};
  return stages;
}

std::shared_ptr<const ModelTables> Phi4ModelKind::read(const Value& document,
                                                       const ModelContext& context) const {
  return read_phi4_tables(document, context);
}

std::vector<ExactResult> Phi4ModelKind::exact_results() const { return exact_phi4(); }

}  // namespace larmor::study
