#include "larmor/spins/hamiltonian/bond_sums.hpp"

#include <algorithm>

namespace larmor::spins {

BondSums::BondSums(const Device& device, const Model& model, BondClass bond_class,
                   const std::vector<std::vector<BondEnd>>& ends)
    : bond_class_(bond_class) {
  for (const auto& of_site : ends)
    bonds_per_site_ = std::max(bonds_per_site_, static_cast<int>(of_site.size()));
  const std::vector<std::int32_t>& canonical = model.canonical();
  const std::vector<std::int32_t> storage = model.storage();
  const auto positions = static_cast<Index>(canonical.size());
  std::vector<std::int32_t> neighbour(static_cast<std::size_t>(positions * bonds_per_site_));
  for (Index position = 0; position < positions; ++position) {
    const auto site = static_cast<std::size_t>(canonical[static_cast<std::size_t>(position)]);
    for (int bond = 0; bond < bonds_per_site_; ++bond) {
      const auto s = static_cast<std::size_t>(bond);
      const auto other =
          s < ends[site].size() ? static_cast<std::size_t>(ends[site][s].site) : site;
      neighbour[static_cast<std::size_t>(((position / lane_count) * bonds_per_site_ + bond) *
                                             lane_count +
                                         position % lane_count)] = storage[other];
    }
  }
  neighbour_ = Array<std::int32_t>(device, neighbour);
  const int width = bonds_per_site_ * components(bond_class);
  values_ = model.rows_by_site(width, [&](Index site) {
    std::vector<double> row;
    for (const BondEnd& end : ends[static_cast<std::size_t>(site)])
      row.insert(row.end(), end.values.begin(), end.values.end());
    row.resize(static_cast<std::size_t>(width));
    return row;
  });
}

ModelView BondSums::view(const SpinLayout& layout) const {
  ModelView view;
  view.neighbour = neighbour_.data();
  view.bonds_per_site = bonds_per_site_;
  view.bond_class = bond_class_;
  view.bonds = values_.table();
  view.layout = layout;
  return view;
}

}  // namespace larmor::spins
