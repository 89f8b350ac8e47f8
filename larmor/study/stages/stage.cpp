#include "larmor/study/stages/stage.hpp"

#include "larmor/core/error.hpp"

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

void require_samples(const Simulation& simulation) {
  if (!simulation.study.samples || simulation.system.replicas_differ()) return;
  throw InputError("samples = " + std::to_string(*simulation.study.samples) +
                       ", but no disorder differs from sample to sample",
                   simulation.study.where.of("samples"),
                   "set disorder_by_replica = true in [[exchange]], or leave samples out");
}

}  // namespace larmor::study
