#pragma once
// The data that a term reads to compute its canonical forms, and the selection of the sites on
// which a one-spin term acts.

#include <functional>
#include <optional>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/site_moments.hpp"
#include "larmor/symmetry/surroundings.hpp"

namespace larmor::spins {

struct TermContext {
  const lattice::Geometry& geometry;
  const SiteMoments& moments;
  Constants constants;
  symmetry::Surroundings surroundings = {};

  /// Do all cells have equal species and moments?
  bool cells_are_alike() const { return geometry.is_perfect() && moments.by_atom(); }
};

/// Does a term act on a canonical site? The function refers to the geometry from which it was made.
using SiteSelection = std::function<bool(Index site)>;

/// The sites of a species, or all sites if no species is named.
/// @param term name of the term in messages
/// @param where position in the study to which messages refer
/// @throws InputError if no site can have the species
SiteSelection sites_of(const std::optional<std::string>& species, const std::string& term,
                       const lattice::Geometry& geometry, const SourcePosition& where);

}  // namespace larmor::spins
