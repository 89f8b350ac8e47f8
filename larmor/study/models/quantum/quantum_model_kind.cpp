#include "larmor/study/models/quantum/quantum_model_kind.hpp"

#include "larmor/study/models/quantum/stages/full_spectrum.hpp"
#include "larmor/study/models/quantum/stages/quantum_monte_carlo.hpp"
#include "larmor/study/models/quantum/stages/spectrum.hpp"
#include "larmor/study/models/quantum/stages/typicality.hpp"

namespace larmor::study {

const std::vector<StageType>& QuantumModelKind::stages() const {
  static const std::vector<StageType> stages{
      stage_type<SpectrumStage>(), stage_type<FullSpectrumStage>(), stage_type<TypicalityStage>(),
      stage_type<QuantumMonteCarloStage>()};
  return stages;
}

std::vector<FieldInfo> QuantumModelKind::keys() const { return describe<QuantumTables>(); }

std::vector<TableInfo> QuantumModelKind::tables() const {
  return {table_info<SiteLatticeTable>(), table_info<QuantumExchange>(),
          table_info<QuantumFieldTable>(), table_info<QuantumTable>()};
}

std::shared_ptr<const ModelTables> QuantumModelKind::read(const Value& document,
                                                          const ModelContext& context) const {
  return read_quantum_tables(document, context);
}

}  // namespace larmor::study
