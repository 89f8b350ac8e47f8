#include "larmor/study/kinds/discrete/discrete_engine.hpp"

#include "larmor/study/input/study.hpp"
#include "larmor/study/kinds/discrete/discrete_bonds.hpp"
#include "larmor/study/kinds/discrete/discrete_sampling.hpp"

namespace larmor::study {

ising::Rule rule_of(const std::string& sampler) {
  if (sampler == "glauber") return ising::Rule::glauber;
  return sampler == "heat-bath" ? ising::Rule::heat_bath : ising::Rule::metropolis;
}

bool may_be_bits(const DiscreteTables& tables, const DiscreteSites& sites) {
  return tables.field.h == 0 && why_no_bits(tables, sites).empty();
}

std::string why_not_as_bits(const DiscreteTables& tables, const DiscreteSites& sites,
                            ising::Rule rule) {
  if (tables.field.h != 0) return "there is a field";
  if (rule == ising::Rule::metropolis && sites.is_grid() && sites.grid.periodic[0] &&
      sites.count == sites.grid.lengths[0])
    return "Metropolis updates by two colours do not reach every state of a ring";
  return why_no_bits(tables, sites);
}

StageBytes bytes_beside_bits(const DiscreteTables& tables, const DiscreteSites& sites,
                             Index replicas) {
  StageBytes bytes;
  if (!may_be_bits(tables, sites)) return bytes;
  const double states = static_cast<double>(sites.count) * static_cast<double>(replicas);
  bytes.device = states;
  bytes.host = 4 * states;
  return bytes;
}

std::optional<ising::Rule> rule_of_bits(const Study& study) {
  if (study.stage.empty()) return std::nullopt;
  DiscreteSamplerKeys keys;
  const Value& stage = study.stage.front();
  if (const Value* const sampler = stage.find("sampler")) keys.sampler = sampler->as_string();
  if (const Value* const engine = stage.find("engine")) keys.engine = engine->as_string();
  if (keys.updates_clusters() || keys.engine == "general") return std::nullopt;
  const ising::Rule rule = rule_of(keys.sampler);
  const DiscreteTables& tables = discrete_tables(study);
  if (!why_not_as_bits(tables, sites_of(tables), rule).empty()) return std::nullopt;
  return rule;
}

}  // namespace larmor::study
