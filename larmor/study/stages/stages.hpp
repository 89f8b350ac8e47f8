#pragma once
// Makes the stages of a study.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// @param table from the key `stage` of the study
/// @throws InputError for an unknown kind, or any mistake in its table
std::unique_ptr<Stage> make_stage(const Study& study, const Value& table);

/// A stage with its name in messages.
struct StageFound {
  std::string kind;
  SourcePosition where;
};

/// The first stage of a study for which `says` is true; nothing: none. @throws InputError as
/// make_stage
std::optional<StageFound> first_stage(const Study& study, bool (Stage::*says)() const);

}  // namespace larmor::study
