#include "larmor/spins/hamiltonian/row_maker.hpp"

#include <algorithm>
#include <utility>

namespace larmor::spins {

bool RowMaker::cells_are_alike(const std::vector<LoweredTerm>& terms, std::size_t first,
                               std::size_t last) const {
  return cells_ != nullptr &&
         std::all_of(terms.begin() + static_cast<std::ptrdiff_t>(first),
                     terms.begin() + static_cast<std::ptrdiff_t>(last), known_by_atom);
}

void RowMaker::for_sites(bool by_atom, const std::function<void(Index site)>& visit) const {
  if (by_atom && cells_ != nullptr) {
    for (Index s = 0; s < cells_->sublattices(); ++s) visit(s % cells_->atoms());
    return;
  }
  // Rows of vacancies and padding are never read.
  for (std::size_t position = 0; position < canonical_.size(); ++position)
    visit(canonical_[static_cast<Index>(position) < spins_ ? position : 0]);
}

std::shared_ptr<const SiteRows> RowMaker::rows(bool by_atom, std::vector<std::int32_t> row) const {
  if (!by_atom || cells_ == nullptr) return std::make_shared<SiteRows>(device_, std::move(row));
  return std::make_shared<SiteRows>(device_, std::move(row), cells_->sites_of_each(),
                                    static_cast<Index>(canonical_.size()));
}

RowStorage RowMaker::make(int width, bool by_atom,
                          const std::function<std::vector<double>(Index site)>& of_site) const {
  RowCollector collector;
  std::vector<std::int32_t> row_of;
  for_sites(by_atom, [&](Index site) { row_of.push_back(collector.add(of_site(site))); });
  return RowStorage(device_, rows(by_atom, std::move(row_of)), collector.value(), width);
}

}  // namespace larmor::spins
