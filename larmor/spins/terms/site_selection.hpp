#pragma once
// Which sites a one-spin term acts on.

#include <functional>
#include <optional>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/spins/terms/term_context.hpp"

namespace larmor::spins {

/// Does a term act on a canonical site? Refers to the geometry it was made for.
using SiteSelection = std::function<bool(Index site)>;

/// The sites of a species; all when none is named.
/// @param term name for messages, which point at `where`
/// @throws InputError when no site can be of the species
SiteSelection sites_of(const std::optional<std::string>& species, const std::string& term,
                       const lattice::Geometry& geometry, const SourcePosition& where);

}  // namespace larmor::spins
