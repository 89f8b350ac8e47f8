#include "larmor/atoms/potentials/snap/component_gradients.hpp"

#include <algorithm>

#include "larmor/core/maths/pack.hpp"

namespace larmor::atoms::snap {
namespace {

/// Elements of the half of a layer.
int half_of_layer(int j) {
  int count = 0;
  for (int mb = 0; 2 * mb <= j; ++mb) count += 2 * mb == j ? mb + 1 : j + 1;
  return count;
}

}  // namespace

ComponentPlan::ComponentPlan(const SnapView& view)
    : components_(view.channels * view.channels * view.channels * view.tables.components) {
  const SnapTablesView& t = view.tables;
  const int layers = t.twojmax + 1;
  const auto has_place = [&](int channel, int component, int j) -> int& {
    return place_[static_cast<std::size_t>((channel * components_ + component) * layers + j)];
  };
  place_.assign(static_cast<std::size_t>(view.channels * components_ * layers), -1);
  // Mark the layers that a product contributes to.
  const ProductShare* share = view.share;
  for (int pair = 0; pair < view.channels * view.channels; ++pair)
    for (int m = 0; m < view.channels; ++m)
      for (int n = 0; n < t.pairs; ++n) {
        const int j1 = t.pair_j1[n], j2 = t.pair_j2[n];
        for (int j = j1 - j2; j <= std::min(t.twojmax, j1 + j2); j += 2)
          for (int s = 0; s < shares_of_product; ++s, ++share)
            if (share->factor != 0) has_place(m, share->component, j) = 0;
      }
  for (int channel = 0; channel < view.channels; ++channel) {
    int elements = 0;
    for (int component = 0; component < components_; ++component) {
      first_layer_.push_back(static_cast<int>(layers_.size()));
      for (int j = 0; j < layers; ++j) {
        if (has_place(channel, component, j) < 0) continue;
        has_place(channel, component, j) = elements;
        layers_.push_back({j, elements});
        elements += half_of_layer(j);
      }
    }
    first_layer_.push_back(static_cast<int>(layers_.size()));
    most_elements_ = std::max(most_elements_, elements);
  }
}

Index component_work(const SnapView& view, const ComponentPlanView& plan) {
  constexpr Index of_element = 2 + 8;  // dB/dU, and four generators applied to it
  constexpr Index neighbours_at_once = 4;
  return (plan.most_elements * of_element + neighbours_at_once * 2 * view.tables.half) * lane_count;
}

}  // namespace larmor::atoms::snap
