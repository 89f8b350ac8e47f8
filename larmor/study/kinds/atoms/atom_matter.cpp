#include "larmor/study/kinds/atoms/atom_matter.hpp"

#include "larmor/study/kinds/atoms/exact_results.hpp"
#include "larmor/study/kinds/atoms/stages/md.hpp"
#include "larmor/study/kinds/atoms/stages/minimise.hpp"
#include "larmor/study/kinds/atoms/tables/atom_tables.hpp"

namespace larmor::study {
namespace {

template <class Table>
TableInfo info_of() {
  return {Table::name, Table::doc, describe<Table>()};
}

}  // namespace

std::vector<FieldInfo> AtomMatter::keys() const { return describe<AtomTables>(); }

std::vector<TableInfo> AtomMatter::tables() const {
  return {info_of<AtomLatticeTable>(), info_of<StructureTable>(), info_of<AtomsTable>(),
          info_of<SnapTable>(), info_of<ZblTable>()};
}

const std::vector<StageType>& AtomMatter::stages() const {
  static const std::vector<StageType> stages{stage_type<MdStage>(),
                                             stage_type<AtomMinimiseStage>()};
  return stages;
}

std::shared_ptr<const MatterTables> AtomMatter::read(const Value& document,
                                                     const MatterContext& context) const {
  return read_atom_tables(document, context);
}

std::vector<ExactResult> AtomMatter::exact_results() const { return exact_atoms(); }

}  // namespace larmor::study
