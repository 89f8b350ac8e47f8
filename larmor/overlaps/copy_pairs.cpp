#include "larmor/overlaps/copy_pairs.hpp"

#include "larmor/core/error.hpp"

namespace larmor::overlaps {

std::vector<std::array<Index, 2>> CopyUnits::pairs(Index unit) const {
  if (!are_samples) return {{2 * unit, 2 * unit + 1}};
  std::vector<std::array<Index, 2>> all;
  for (Index a = 0; a < layout.copies; ++a)
    for (Index b = a + 1; b < layout.copies; ++b)
      all.push_back({layout.ladder_at(a, unit), layout.ladder_at(b, unit)});
  return all;
}

std::vector<Index> replicas_by_rung(const tempering::LadderLayout& layout,
                                    const std::vector<double>& rungs) {
  constexpr Index none = -1;
  std::vector<Index> replicas(static_cast<std::size_t>(layout.replicas()), none);
  for (Index r = 0; r < layout.replicas(); ++r) {
    const auto rung = static_cast<Index>(rungs[static_cast<std::size_t>(r)]);
    Index& place = replicas[static_cast<std::size_t>(layout.replica_at(rung, layout.ladder(r)))];
    if (place != none) throw InternalError("two replicas are at one rung of a ladder");
    place = r;
  }
  return replicas;
}

}  // namespace larmor::overlaps
