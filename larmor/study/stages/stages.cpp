#include "larmor/study/stages/stages.hpp"

#include "larmor/study/model_kind/stage_types.hpp"

namespace larmor::study {

std::unique_ptr<Stage> make_stage(const Study& study, const Value& table) {
  return stage_type_of(*study.model_kind, table, study.context).make(table, study.context);
}

std::optional<StageFound> first_stage(const Study& study, bool (Stage::*says)() const) {
  for (const Value& table : study.stage) {
    const std::unique_ptr<Stage> stage = make_stage(study, table);
    if ((*stage.*says)()) return StageFound{stage->kind(), table.where()};
  }
  return std::nullopt;
}

}  // namespace larmor::study
