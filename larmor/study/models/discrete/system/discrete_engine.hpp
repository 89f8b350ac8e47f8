#pragma once
// Chooses the engine of single-site updates: bits of a grid, or tables of any graph.

#include "larmor/ising/rule.hpp"
#include "larmor/study/models/discrete/system/discrete_sites.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// The reason why spins cannot be stored as bits with a ladder of fields.
inline constexpr const char* fields_differ = "the rungs differ in a field";

/// @param sampler "metropolis", "glauber" or "heat-bath"
ising::Rule rule_of(const std::string& sampler);

/// Can the spins of a study be stored as bits?
bool may_be_bits(const DiscreteTables& tables, const DiscreteSites& sites);
/// The reason why a stage cannot update bits; empty: it can.
std::string reason_against_as_bits(const DiscreteTables& tables, const DiscreteSites& sites);
/// The memory of a stage that uses another form of the states, if they may be bits.
/// @param replicas those of the process
StageBytes bytes_beside_bits(const DiscreteTables& tables, const DiscreteSites& sites,
                             Index replicas);
/// The reason why ranks cannot share the sites of a study; empty: they can.
std::string reason_against_shared(const Study& study, int ranks);
/// The rule by which the first stage updates bits; nothing: it does not update bits.
std::optional<ising::Rule> rule_of_bits(const Study& study);

}  // namespace larmor::study
