#pragma once
// Selection of the sites on which a one-spin term acts.

#include <functional>
#include <optional>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

/// Does a term act on a canonical site? Refers to the geometry of its construction.
using SiteSelection = std::function<bool(Index site)>;

/// The sites of a species, or all sites if no species is named.
/// @param term name for messages, which refer to `where`
/// @throws InputError if no site can have the species
SiteSelection sites_of(const std::optional<std::string>& species, const std::string& term,
                       const lattice::Geometry& geometry, const SourcePosition& where);

}  // namespace larmor::spins
