#pragma once
// Finds the stages of the model kinds by the tables of a study.

#include <vector>

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

/// The type of stage that a table asks for. @throws InputError for a missing or unknown kind
const StageType& stage_type_of(const ModelKind& model_kind, const Value& table,
                               const ReadContext& context);

/// The key that names the kind of a stage.
FieldInfo describe_stage_kind();

/// Kind, doc and keys of every stage, once for each model kind that has a different one.
std::vector<TableInfo> describe_stages();

}  // namespace larmor::study
