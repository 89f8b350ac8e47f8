#pragma once
// The stages that the model kinds have, by the tables that ask for them.

#include <vector>

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

/// What a table of a stage asks for. @throws InputError for one without a kind, or an unknown one
const StageType& stage_type_of(const ModelKind& matter, const Value& table,
                               const ReadContext& context);

/// The key by which a stage says its kind.
FieldInfo describe_stage_kind();

/// Kind, doc and keys of every stage, of each model kind that has it in another way.
std::vector<TableInfo> describe_stages();

}  // namespace larmor::study
