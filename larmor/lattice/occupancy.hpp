#pragma once
// Random alloys: which sites of a crystal hold something else, or nothing.

#include <optional>

#include "larmor/lattice/geometry.hpp"

namespace larmor::lattice {

/// A species of the crystal, or listed sites, to be replaced by another species or by vacancies.
struct Replacement {
  std::optional<std::string> species;  ///< may be left out where all atoms of the basis are of one
  std::string by;                      ///< name of the substitute
  double moment = 0;                   ///< of the substitute in mu_B; 0: vacancies
  std::optional<double> fraction;      ///< of the crystal's sites of the species, 0 to 1
  std::vector<Index> sites;            ///< canonical indices, in place of a fraction
  std::uint64_t seed = 1;
};

/// Replaces round(fraction * count) of the `count` sites that the species has in the crystal, or
/// the listed sites. Drawn are those with the lowest random number of (seed, site) among the sites
/// that no earlier call replaced: a function of seed and sites alone.
/// @throws InputError when the sites do not exist, are too few, or were replaced already, or no
///         spin would be left
void replace_sites(Geometry& geometry, const Replacement& replacement);

}  // namespace larmor::lattice
