#include "larmor/study/models/spins/tables/site_groups.hpp"

#include <algorithm>
#include <map>

#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"

namespace larmor::study {
namespace {

const std::vector<std::string> words{"none", "species", "basis"};
constexpr const char* example = "{ name = \"core\", sites = [0, 5, 17] }";

void require_word(const std::string& word, const SourcePosition& where) {
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  const std::string guess = did_you_mean(word, words);
  throw InputError("groups cannot be '" + word + "'", where,
                   (guess.empty() ? "" : guess + " ") + "choices: " + comma_list(words) +
                       ", or a list of " + example);
}

std::string quoted_label(const std::string& name) { return "\"" + name + "\""; }

}  // namespace

FieldTable<SiteGroupTable> SiteGroupTable::fields() {
  return FieldTable<SiteGroupTable>()
      .required("name", &SiteGroupTable::label, Dimension::none, "name of the group in results")
      .not_empty()
      .required("sites", &SiteGroupTable::sites, Dimension::none,
                "its sites, counted from 0, each once")
      .at_least(0)
      .not_empty();
}

SiteGroupChoice::SiteGroupChoice(const Value& groups, const ReadContext& context) {
  if (groups.is_string()) {
    by_ = groups.as_string();
    require_word(by_, groups.where());
    return;
  }
  if (!groups.is_array() && !groups.is_table())
    throw InputError(
        std::string("groups must be a word or a list of groups, not ") + groups.kind_text(),
        groups.where(), "choices: " + comma_list(words) + ", or a list of " + example);
  listed_ = read_value<std::vector<SiteGroupTable>>(groups, "groups", Dimension::none, context);
  if (listed_.empty())
    throw InputError("groups is an empty list", groups.where(),
                     std::string("give a list of ") + example + ", or remove the key");
  for (auto group = listed_.begin(); group != listed_.end(); ++group)
    if (std::any_of(listed_.begin(), group,
                    [&](const SiteGroupTable& other) { return other.label == group->label; }))
      throw InputError("groups: two groups have the name " + quoted_label(group->label),
                       group->where, "give each group its own name");
}

SiteGroupChoice::Groups SiteGroupChoice::of(const lattice::Geometry& geometry) const {
  if (!listed_.empty()) return listed(geometry);
  Groups groups;
  if (by_ == "none") return groups;
  std::map<std::string, std::int32_t> number;
  for (Index site = 0; site < geometry.sites(); ++site) {
    if (!geometry.occupied(site)) {
      groups.of_site.push_back(-1);
      continue;
    }
    const std::string name =
        by_ == "species" ? geometry.species(site) : std::to_string(geometry.basis_index(site) + 1);
    const auto [place, is_new] = number.emplace(name, static_cast<std::int32_t>(number.size()));
    if (is_new) groups.names.push_back(name);
    groups.of_site.push_back(place->second);
  }
  return groups;
}

SiteGroupChoice::Groups SiteGroupChoice::listed(const lattice::Geometry& geometry) const {
  Groups groups;
  groups.of_site.assign(static_cast<std::size_t>(geometry.sites()), -1);
  for (const SiteGroupTable& table : listed_) {
    const auto own = static_cast<std::int32_t>(groups.names.size());
    bool has_spin = false;
    for (const Index site : table.sites) {
      if (site >= geometry.sites())
        throw InputError("groups: there is no site " + std::to_string(site), table.where,
                         "sites are counted from 0 to " + std::to_string(geometry.sites() - 1));
      std::int32_t& group = groups.of_site[static_cast<std::size_t>(site)];
      if (group == own)
        throw InputError("groups: site " + std::to_string(site) + " is listed twice in " +
                             quoted_label(table.label),
                         table.where, "name each site once");
      if (group >= 0)
        throw InputError("groups: site " + std::to_string(site) + " is in " +
                             quoted_label(groups.names[static_cast<std::size_t>(group)]) +
                             " and in " + quoted_label(table.label),
                         table.where, "name each site in one group");
      group = own;
      has_spin = has_spin || geometry.occupied(site);
    }
    if (!has_spin)
      throw InputError(
          "groups: no spin is in " + quoted_label(table.label) + ", all of whose sites are vacant",
          table.where, "list sites that hold spins");
    groups.names.push_back(table.label);
  }
  for (Index site = 0; site < geometry.sites(); ++site)
    if (!geometry.occupied(site)) groups.of_site[static_cast<std::size_t>(site)] = -1;
  return groups;
}

}  // namespace larmor::study
