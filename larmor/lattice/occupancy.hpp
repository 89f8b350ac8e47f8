#pragma once
// Random alloys: sites of a crystal that other species or vacancies replace.

#include <optional>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// A species of the crystal, or listed sites, to be replaced by another species or by vacancies.
struct Replacement {
  std::optional<std::string> species;  ///< optional if all basis atoms have one species
  std::string substitute;              ///< name of the substitute
  double moment = 0;                   ///< moment of the substitute in mu_B; 0: vacancies
  std::optional<double> fraction;      ///< fraction of the crystal's sites with the species, 0 to 1
  std::vector<Index> sites;            ///< canonical indices, instead of a fraction
  std::uint64_t seed = 1;
};

/// Replaces the listed sites or, for a fraction, round(fraction * count) sites, where `count` sites
/// of the crystal have the species. A fraction takes the sites with the lowest random numbers of
/// (seed, site) among the sites that earlier calls have not replaced. So the alloy depends only on
/// the seed and the sites.
/// @throws InputError if a site does not exist or was already replaced, sites are too few, or no
///         spin would remain
void replace_sites(Geometry& geometry, const Replacement& replacement);

}  // namespace larmor::lattice
