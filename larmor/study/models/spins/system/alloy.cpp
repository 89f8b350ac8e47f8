#include "larmor/study/models/spins/system/alloy.hpp"

#include <algorithm>

#include "larmor/core/input/lacking_key.hpp"
#include "larmor/lattice/occupancy.hpp"

namespace larmor::study {
namespace {

lattice::Replacement replacement_of(const AlloyTable& table) {
  const bool vacancy = table.by == AlloyTable::vacancy;
  if (table.fraction.has_value() == !table.sites.empty())
    throw InputError(
        table.fraction ? "alloy has both fraction and sites"
                       : "alloy has neither fraction nor sites",
        "give either the fraction of sites that is replaced, or the list of these sites");
  if (vacancy && table.moment) throw InputError("alloy: a vacancy has no moment", "remove moment");
  if (!vacancy && !table.moment)
    throw LackingKey("moment", InputError("alloy lacks the moment of \"" + table.by + "\"",
                                          table.where, "give moment = ..., or by = \"vacancy\""));
  if (vacancy && table.damping)
    throw InputError("alloy: a vacancy has no damping", "remove damping");
  return {table.species,  table.by,    table.moment.value_or(0),
          table.fraction, table.sites, table.seed};
}

}  // namespace

void apply_alloy(const std::vector<AlloyTable>& tables, lattice::Geometry& geometry) {
  for (const AlloyTable& table : tables)
    with_position(table.where, [&] { lattice::replace_sites(geometry, replacement_of(table)); });
}

std::string composition_text(const lattice::Geometry& geometry) {
  std::vector<std::pair<std::string, Index>> counts;
  for (Index site = 0; site < geometry.sites(); ++site) {
    if (!geometry.occupied(site)) continue;
    const std::string& name = geometry.species(site);
    const auto known = std::find_if(counts.begin(), counts.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (known == counts.end()) {
      counts.emplace_back(name, 1);
    } else {
      ++known->second;
    }
  }
  std::string words;
  for (const auto& [name, count] : counts)
    words += (words.empty() ? "" : ", ") + std::to_string(count) + " " + name;
  const Index vacancies = geometry.sites() - geometry.spins();
  if (vacancies > 0)
    words += ", " + std::to_string(vacancies) + (vacancies == 1 ? " vacancy" : " vacancies");
  return words;
}

std::vector<double> site_damping(const std::vector<double>& of_atoms,
                                 const std::vector<AlloyTable>& tables,
                                 const lattice::Geometry& geometry) {
  std::vector<double> damping;
  for (Index site = 0; site < geometry.sites(); ++site) {
    const int substitute = geometry.substitute_number(site);
    const auto atom =
        of_atoms.size() == 1 ? 0 : static_cast<std::size_t>(geometry.basis_index(site));
    damping.push_back(
        substitute > 0
            ? tables[static_cast<std::size_t>(substitute - 1)].damping.value_or(of_atoms[atom])
            : of_atoms[atom]);
  }
  return damping;
}

}  // namespace larmor::study
