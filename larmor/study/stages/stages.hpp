#pragma once
// The stages that exist. A new one is one pair of files here and one word in stages.cpp.

#include <memory>

#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// @throws InputError for an unknown kind, or whatever its table has wrong
std::unique_ptr<Stage> make_stage(const Value& table, const ReadContext& context);

/// Kind, doc and keys of every stage.
std::vector<TableInfo> describe_stages();

}  // namespace larmor::study
