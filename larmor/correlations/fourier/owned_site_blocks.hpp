#pragma once
// Parts of the sites that a process sums on its GPU.

#include "larmor/core/device/array.hpp"
#include "larmor/correlations/fourier/site_blocks.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::correlations {

struct OwnedSiteBlocksView {
  const Index* own;  ///< numbers of the parts; null: all
  Index count;
  Index sites;  ///< sites of each part

  LARMOR_HD Index first_site(Index n) const { return (own == nullptr ? n : own[n]) * sites; }
};

class OwnedSiteBlocks {
 public:
  explicit OwnedSiteBlocks(const spins::SpinState& state) {
    const Index spins = state.layout().spins();
    view_ = {nullptr, parts_of(spins), sites_of_block(spins)};
    if (const Domain* domain = state.layout().domain) {
      const std::vector<Index> own = owned_site_blocks(domain, spins);
      if (!own.empty()) own_ = Array<Index>(state.device(), own);
      view_ = {own_.data(), std::ssize(own), view_.sites};
    }
  }
  const OwnedSiteBlocksView& view() const { return view_; }

 private:
  Array<Index> own_;
  OwnedSiteBlocksView view_;
};

}  // namespace larmor::correlations
