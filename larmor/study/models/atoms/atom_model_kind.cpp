#include "larmor/study/models/atoms/atom_model_kind.hpp"

#include "larmor/study/models/atoms/exact_results.hpp"
#include "larmor/study/models/atoms/stages/md.hpp"
#include "larmor/study/models/atoms/stages/minimise.hpp"
#include "larmor/study/models/atoms/tables/atom_tables.hpp"

namespace larmor::study {
namespace {

template <class Table>
TableInfo info_of() {
  return {Table::name, Table::doc, describe<Table>()};
}

}  // namespace

std::vector<FieldInfo> AtomModelKind::keys() const { return describe<AtomTables>(); }

std::vector<TableInfo> AtomModelKind::tables() const {
  return {info_of<AtomLatticeTable>(), info_of<StructureTable>(), info_of<AtomsTable>(),
          info_of<SnapTable>(), info_of<ZblTable>()};
}

const std::vector<StageType>& AtomModelKind::stages() const {
  static const std::vector<StageType> stages{stage_type<MdStage>(),
                                             stage_type<AtomMinimiseStage>()};
  return stages;
}

std::shared_ptr<const ModelTables> AtomModelKind::read(const Value& document,
                                                       const ModelContext& context) const {
  return read_atom_tables(document, context);
}

std::vector<ExactResult> AtomModelKind::exact_results() const { return exact_atoms(); }

}  // namespace larmor::study
