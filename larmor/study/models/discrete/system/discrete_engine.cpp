#include "larmor/study/models/discrete/system/discrete_engine.hpp"

#include "larmor/study/input/study.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"
#include "larmor/study/models/discrete/system/discrete_tables.hpp"

namespace larmor::study {
namespace {

bool differs_in_field(const Value& stage) { return stage.find("field") != nullptr; }

DiscreteSamplerKeys sampler_keys(const Value& stage) {
  DiscreteSamplerKeys keys;
  if (const Value* const sampler = stage.find("sampler")) keys.sampler = sampler->as_string();
  if (const Value* const engine = stage.find("engine")) keys.engine = engine->as_string();
  return keys;
}

}  // namespace

ising::Rule rule_of(const std::string& sampler) {
  if (sampler == "glauber") return ising::Rule::glauber;
  return sampler == "heat-bath" ? ising::Rule::heat_bath : ising::Rule::metropolis;
}

bool may_be_bits(const DiscreteTables& tables, const DiscreteSites& sites) {
  return tables.field.h == 0 && reason_against_bits(tables, sites).empty();
}

std::string reason_against_as_bits(const DiscreteTables& tables, const DiscreteSites& sites) {
  if (tables.field.h != 0) return "there is a field";
  return reason_against_bits(tables, sites);
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

std::string reason_against_shared(const Study& study, int ranks) {
  const DiscreteTables& tables = discrete_tables(study);
  const DiscreteSites& sites = sites_of(tables);
  if (!sites.is_grid() || sites.grid.lengths.size() < 2)
    return "its sites are not a grid of two axes or more";
  if (sites.grid.lengths.back() < ranks)
    return "it has " + std::to_string(sites.grid.lengths.back()) +
           " planes across its last axis, of which each rank takes one or more";
  for (const Value& stage : study.stage) {
    const DiscreteSamplerKeys keys = sampler_keys(stage);
    if (keys.sampler == "swendsen-wang") continue;
    if (keys.sampler == "wolff") return "a Wolff cluster grows on one rank";
    if (keys.engine == "general") return "engine is \"general\"";
    const std::string reason =
        differs_in_field(stage) ? fields_differ : reason_against_as_bits(tables, sites);
    if (!reason.empty()) return "its spins are not stored as bits, because " + reason;
  }
  return "";
}

std::optional<ising::Rule> rule_of_bits(const Study& study) {
  if (study.stage.empty()) return std::nullopt;
  const Value& stage = study.stage.front();
  const DiscreteSamplerKeys keys = sampler_keys(stage);
  if (keys.updates_clusters() || keys.engine == "general" || differs_in_field(stage))
    return std::nullopt;
  const DiscreteTables& tables = discrete_tables(study);
  if (!reason_against_as_bits(tables, sites_of(tables)).empty()) return std::nullopt;
  return rule_of(keys.sampler);
}

}  // namespace larmor::study
