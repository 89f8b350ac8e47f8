#include "larmor/study/stages/stage.hpp"

#include "larmor/core/error.hpp"
#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {
namespace {

template <class Entries>
const auto& entry(const Entries& entries, const std::string& name) {
  const auto found = entries.find(name);
  if (found == entries.end())
    throw InputError("the checkpoint lacks '" + name + "'",
                     "resume with the version of Larmor that wrote it");
  return found->second;
}

}  // namespace

const std::vector<double>& StageMemory::number(const std::string& name) const {
  return entry(numbers, name);
}

const std::vector<Index>& StageMemory::integer(const std::string& name) const {
  return entry(integers, name);
}

double Stage::updates_per_site() const {
  throw InternalError("a stage does not say how many updates it makes");
}

std::vector<double> Stage::energies(const Simulation&) const {
  throw InternalError("a stage does not measure energies");
}

void require_samples(const Simulation& simulation) {
  if (!simulation.study.samples || simulation.system.replicas_differ()) return;
  throw InputError("samples = " + std::to_string(*simulation.study.samples) +
                       ", but no disorder differs from sample to sample",
                   simulation.study.where.of("samples"),
                   "set disorder_by_replica = true in [[exchange]], or leave samples out");
}

std::unique_ptr<Stage> make_stage(const Study& study, const Value& table) {
  return stage_type_of(*study.model_kind, table, study.context).make(table, study.context);
}

std::optional<StageFound> first_stage(const Study& study, bool (Stage::*property)() const) {
  for (const Value& table : study.stage) {
    const std::unique_ptr<Stage> stage = make_stage(study, table);
    if ((*stage.*property)()) return StageFound{stage->kind(), table.where()};
  }
  return std::nullopt;
}

}  // namespace larmor::study
