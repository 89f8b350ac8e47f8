#pragma once
// How fast updates of sites are.

#include <functional>

#include "larmor/core/device/device.hpp"

namespace larmor::bench {

/// Sites a second, the best of some runs of a tenth of a second or more.
/// @param sites that an update updates
double best_rate(const Device& device, Index sites, const std::function<void()>& update);

}  // namespace larmor::bench
