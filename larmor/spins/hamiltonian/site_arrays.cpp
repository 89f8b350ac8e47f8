#include "larmor/spins/hamiltonian/site_arrays.hpp"

#include <algorithm>

#include "larmor/core/device/filled_array.hpp"

namespace larmor::spins {

SiteArrays site_arrays(const Device& device, const std::vector<std::int32_t>& canonical,
                       const BondTable& table, const std::vector<std::int32_t>& storage) {
  const Index group_size = table.bonds_per_site() * lane_count;
  return {Array<std::int32_t>(device, canonical),
          filled_array<std::int32_t>(
              device, std::ssize(canonical) * table.bonds_per_site(),
              std::max<Index>(1, group_size), [&](Index first, Index last, std::int32_t* to) {
                for (Index n = first; n < last; ++n) {
                  const Index position = n / group_size * lane_count + n % lane_count;
                  const Index site = canonical[static_cast<std::size_t>(position)];
                  const auto bond = static_cast<int>(n % group_size / lane_count);
                  *to++ = storage[static_cast<std::size_t>(table.neighbour(site, bond))];
                }
              })};
}

SiteArrays site_arrays(const Device& device, const std::vector<std::int32_t>& canonical,
                       const CellBonds& bonds) {
  return {Array<std::int32_t>(device, canonical),
          filled_array<std::int32_t>(device, std::ssize(canonical) * bonds.bonds_per_site(),
                                     std::max<Index>(1, bonds.bonds_per_site() * lane_count),
                                     [&](Index first, Index last, std::int32_t* to) {
                                       bonds.fill_neighbours(first, last, to);
                                     })};
}

}  // namespace larmor::spins
