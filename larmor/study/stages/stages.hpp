#pragma once
// The stages that exist. A new one is one pair of files here and one word in stages.cpp.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// @throws InputError for an unknown kind, or whatever its table has wrong
std::unique_ptr<Stage> make_stage(const Value& table, const ReadContext& context);

/// A stage, as messages name it.
struct StageFound {
  std::string kind;
  SourcePosition where;
};

/// The first of the tables of stages whose stage says yes; nothing: none does.
/// @throws InputError as make_stage
std::optional<StageFound> first_stage(const std::vector<Value>& tables, const ReadContext& context,
                                      bool (Stage::*says)() const);

/// The key by which a stage says its kind.
FieldInfo describe_stage_kind();

/// Kind, doc and keys of every stage.
std::vector<TableInfo> describe_stages();

}  // namespace larmor::study
