#include "larmor/lattice/occupancy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/core/maths/philox.hpp"

namespace larmor::lattice {
namespace {

std::uint64_t rank_of(std::uint64_t seed, Index site) {
  const auto random = philox(RandomKey{seed, 0, Stream::occupancy},
                             static_cast<std::uint64_t>(site), std::uint64_t{0});
  return random.w[0] << 32 | random.w[1];
}

bool replaced(const Geometry& geometry, Index site) { return geometry.substitute(site) != nullptr; }

std::vector<std::string> species_of(const Crystal& crystal) {
  std::vector<std::string> names;
  for (const BasisAtom& atom : crystal.basis)
    if (std::find(names.begin(), names.end(), atom.species) == names.end())
      names.push_back(atom.species);
  return names;
}

/// For each basis atom: does it have the species?
std::vector<bool> atoms_of(const Geometry& geometry, const Replacement& replacement) {
  const std::vector<std::string> names = species_of(geometry.crystal);
  if (!replacement.species && replacement.sites.empty() && names.size() > 1)
    throw InputError("alloy does not name the species that it replaces",
                     "give species: the lattice has " + comma_list(names));
  std::vector<bool> atoms;
  for (const BasisAtom& atom : geometry.crystal.basis)
    atoms.push_back(!replacement.species || atom.species == *replacement.species);
  if (std::find(atoms.begin(), atoms.end(), true) == atoms.end())
    throw InputError(
        "alloy replaces species \"" + *replacement.species + "\", which the lattice does not have",
        "the lattice has " + comma_list(names));
  for (std::size_t b = 0; b < atoms.size(); ++b)
    if (atoms[b] && geometry.crystal.basis[b].species == replacement.substitute)
      throw InputError("alloy replaces \"" + replacement.substitute + "\" by itself",
                       "give the substitute another name");
  return atoms;
}

std::vector<Index> drawn_sites(const Geometry& geometry, const Replacement& replacement,
                               const std::vector<bool>& atoms) {
  struct Ranked {
    std::uint64_t rank;
    Index site;
    bool operator<(const Ranked& other) const {
      return rank != other.rank ? rank < other.rank : site < other.site;
    }
  };
  std::vector<Ranked> left;
  Index count = 0;
  for (Index site = 0; site < geometry.sites(); ++site) {
    if (!atoms[static_cast<std::size_t>(geometry.basis_index(site))]) continue;
    ++count;
    if (!replaced(geometry, site)) left.push_back({rank_of(replacement.seed, site), site});
  }
  const Index wanted = std::llround(*replacement.fraction * static_cast<double>(count));
  if (wanted > static_cast<Index>(left.size()))
    throw InputError("alloy replaces " + std::to_string(wanted) +
                         " sites, but the earlier tables left only " + std::to_string(left.size()) +
                         " of " + std::to_string(count),
                     "a fraction refers to all sites of the species in the crystal; write "
                     "fractions with a sum of at most 1");
  std::nth_element(left.begin(), left.begin() + wanted, left.end());
  std::vector<Index> sites;
  for (Index n = 0; n < wanted; ++n) sites.push_back(left[static_cast<std::size_t>(n)].site);
  return sites;
}

void check_listed(const Geometry& geometry, const std::vector<Index>& sites,
                  const std::vector<bool>& atoms) {
  std::vector<bool> seen(static_cast<std::size_t>(geometry.sites()));
  for (const Index site : sites) {
    const std::string words = "alloy: site " + std::to_string(site);
    if (site < 0 || site >= geometry.sites())
      throw InputError(words + " does not exist",
                       "sites are counted from 0 to " + std::to_string(geometry.sites() - 1));
    if (seen[static_cast<std::size_t>(site)])
      throw InputError(words + " is listed twice", "name each site once");
    if (!atoms[static_cast<std::size_t>(geometry.basis_index(site))])
      throw InputError(words + " has another species", "remove this site, or the key species");
    if (replaced(geometry, site))
      throw InputError(words + " was replaced by an earlier table", "replace each site once");
    seen[static_cast<std::size_t>(site)] = true;
  }
}

}  // namespace

void replace_sites(Geometry& geometry, const Replacement& replacement) {
  if (geometry.substitutes.size() == std::numeric_limits<std::uint8_t>::max())
    throw InputError("there are more than 255 alloy tables", "use fewer");
  std::vector<bool> atoms = atoms_of(geometry, replacement);
  std::vector<Index> sites = replacement.sites;
  if (replacement.fraction) {
    sites = drawn_sites(geometry, replacement, atoms);
  } else {
    check_listed(geometry, sites, atoms);
    std::fill(atoms.begin(), atoms.end(), false);
    for (const Index site : sites)
      atoms[static_cast<std::size_t>(geometry.basis_index(site))] = true;
  }
  geometry.substitutes.push_back({replacement.substitute, replacement.moment, atoms});
  if (sites.empty()) return;
  geometry.substitution.resize(static_cast<std::size_t>(geometry.sites()));
  const auto number = static_cast<std::uint8_t>(geometry.substitutes.size());
  for (const Index site : sites) geometry.substitution[static_cast<std::size_t>(site)] = number;
  if (geometry.spins() == 0)
    throw InputError("the alloy tables leave no spin in the lattice",
                     "replace fewer sites by vacancies");
}

}  // namespace larmor::lattice
