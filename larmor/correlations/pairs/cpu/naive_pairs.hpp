#pragma once
// Pair by pair, sums in long double: the slow and obvious form of panel_sums.hpp.

#include "larmor/correlations/pairs/cpu/panel_sums.hpp"

namespace larmor::correlations::real_space {

std::unique_ptr<PanelSums> naive_fourier_sums(const FourierPanelSettings& settings);
std::unique_ptr<PanelSums> naive_distance_sums(const DistancePanelSettings& settings);
std::unique_ptr<PanelSums> naive_displacement_sums(const DisplacementPanelSettings& settings);
std::unique_ptr<PanelSums> naive_group_sums(const GroupPanelSettings& settings);
std::unique_ptr<PanelSums> naive_value_sums(const ValuePanelSettings& settings);

}  // namespace larmor::correlations::real_space
