#pragma once
// The groups of sites that a study asks for: by a property of each site, or listed.

#include <cstdint>
#include <string>
#include <vector>

#include "larmor/core/input/fields.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::study {

/// `{ name = "core", sites = [0, 5, 17] }`
struct SiteGroupTable {
  static constexpr const char* name = "groups";
  std::string label;
  std::vector<Index> sites;
  TablePosition where;

  static FieldTable<SiteGroupTable> fields();
};

/// The key `groups`: none, species, basis, or a list of SiteGroupTable.
class SiteGroupChoice {
 public:
  /// @throws InputError for another word, no groups at all, or two groups of one name
  SiteGroupChoice(const Value& groups, const ReadContext& context);

  bool asks_for_groups() const { return !listed_.empty() || by_ != "none"; }

  struct Groups {
    std::vector<std::int32_t> of_site;  ///< group of each canonical site; -1: none, or a vacancy
    std::vector<std::string> names;     ///< in the listed order, otherwise in that of the sites
  };
  /// @throws InputError for missing sites, for sites that are listed twice, or for groups without
  /// spins
  Groups of(const lattice::Geometry& geometry) const;

 private:
  Groups listed(const lattice::Geometry& geometry) const;

  std::string by_ = "none";
  std::vector<SiteGroupTable> listed_;
};

}  // namespace larmor::study
