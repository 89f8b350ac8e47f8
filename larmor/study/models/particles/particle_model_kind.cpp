#include "larmor/study/models/particles/particle_model_kind.hpp"

#include "larmor/study/models/particles/stages/particle_parsplice.hpp"
#include "larmor/study/models/particles/system/particle_tables.hpp"

namespace larmor::study {

const std::vector<StageType>& ParticleModelKind::stages() const {
  static const std::vector<StageType> stages{stage_type<ParticleParspliceStage>()};
  return stages;
}

std::vector<FieldInfo> ParticleModelKind::keys() const { return describe<ParticleTables>(); }

std::vector<TableInfo> ParticleModelKind::tables() const { return {table_info<ParticlesTable>()}; }

std::shared_ptr<const ModelTables> ParticleModelKind::read(const Value& document,
                                                           const ModelContext& context) const {
  return read_particle_tables(document, context);
}

}  // namespace larmor::study
