#pragma once
// The stages of a study.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// @throws InputError for an unknown kind, or whatever its table has wrong
/// @param table of the study
std::unique_ptr<Stage> make_stage(const Study& study, const Value& table);

/// A stage, as messages name it.
struct StageFound {
  std::string kind;
  SourcePosition where;
};

/// The first stage of a study that says yes; nothing: none does. @throws InputError as make_stage
std::optional<StageFound> first_stage(const Study& study, bool (Stage::*says)() const);

}  // namespace larmor::study
