#include "larmor/study/models/discrete/system/sample_problem.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "larmor/core/error.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"

namespace larmor::study {
namespace {

const DiscreteTables& ising_tables(const Study& study) {
  if (study.model.kind != "ising")
    throw InputError("the study is of " + study.model.kind + ", not of Ising spins",
                     study.model.where.of("kind"),
                     "`larmor solve` takes studies with kind = \"ising\", or files of problems");
  return discrete_tables(study);
}

std::string samples_text(Index samples) {
  return samples == 1 ? "the study has one sample, 0"
                      : fmt::format("the study has {} samples, 0 to {}", samples, samples - 1);
}

Index chosen_sample(Index samples, std::optional<Index> sample) {
  if (!sample && samples > 1)
    throw InputError(samples_text(samples), "choose one sample by --sample");
  const Index chosen = sample.value_or(0);
  if (chosen < 0 || chosen >= samples)
    throw InputError(fmt::format("there is no sample {}: {}", chosen, samples_text(samples)),
                     "give another --sample");
  return chosen;
}

}  // namespace

Index count_samples(const Study& study) {
  if (!couplings_differ(ising_tables(study))) return 1;
  return study.replicas / study.replicas_of_sample();
}

ground_states::QuadraticProblem problem_of_sample(const Study& study, std::optional<Index> sample) {
  const DiscreteTables& tables = ising_tables(study);
  const DiscreteSites& sites = sites_of(tables);
  check_bonds(tables, sites);
  const Index chosen = chosen_sample(count_samples(study), sample);
  const Index replica = couplings_differ(tables) ? chosen * study.replicas_of_sample() : 0;
  const ising::PottsDefinition definition = potts_definition(tables, sites);
  ground_states::QuadraticProblem problem;
  for (const double h : site_fields(tables, sites)) problem.linear.push_back(-h);
  std::map<std::pair<Index, Index>, double> couplings;
  for (Index bond = 0; bond < std::ssize(definition.bonds); ++bond) {
    const lattice::CoupledPair& ends = definition.bonds[static_cast<std::size_t>(bond)];
    const double J = ends.J + (definition.of_replica ? definition.of_replica(bond, replica) : 0);
    if (ends.i == ends.j)
      problem.offset -= J;
    else
      couplings[std::minmax(ends.i, ends.j)] -= J;
  }
  for (const auto& [pair, value] : couplings)
    if (value != 0)
      problem.couplings.push_back(
          {static_cast<std::int32_t>(pair.first), static_cast<std::int32_t>(pair.second), value});
  return problem;
}

}  // namespace larmor::study
