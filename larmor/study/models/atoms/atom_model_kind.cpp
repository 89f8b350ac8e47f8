#include "larmor/study/models/atoms/atom_model_kind.hpp"

#include "larmor/study/models/atoms/sampling/atom_sampling.hpp"
#include "larmor/study/models/atoms/stages/atom_parsplice.hpp"
#include "larmor/study/models/atoms/stages/md.hpp"
#include "larmor/study/models/atoms/stages/minimise.hpp"
#include "larmor/study/models/atoms/stages/minimum_energy_path.hpp"
#include "larmor/study/models/atoms/tables/atom_tables.hpp"
#include "larmor/study/tempering/tempering.hpp"

namespace larmor::study {
namespace {

using AtomTempering = TemperingStageOf<AtomSampling>;

}  // namespace

std::vector<FieldInfo> AtomModelKind::keys() const { return describe<AtomTables>(); }

std::vector<TableInfo> AtomModelKind::tables() const {
  return {table_info<AtomLatticeTable>(), table_info<StructureTable>(), table_info<AtomsTable>(),
          table_info<SnapTable>(), table_info<ZblTable>()};
}

const std::vector<StageType>& AtomModelKind::stages() const {
  static const std::vector<StageType> stages{
      stage_type<MdStage>(), stage_type<AtomMinimiseStage>(), stage_type<AtomPathStage>(),
      stage_type<AtomTempering>(), stage_type<AtomParspliceStage>()};
  return stages;
}

std::shared_ptr<const ModelTables> AtomModelKind::read(const Value& document,
                                                       const ModelContext& context) const {
  return read_atom_tables(document, context);
}

std::vector<ExactResult> AtomModelKind::exact_results() const { return exact_atoms(); }

}  // namespace larmor::study
