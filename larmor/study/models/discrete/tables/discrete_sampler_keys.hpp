#pragma once
// Keys of the sampler of Ising and Potts spins.

#include <optional>
#include <string>

#include "larmor/core/types.hpp"

namespace larmor::study {

struct DiscreteSamplerKeys {
  std::string sampler = "metropolis";
  std::optional<Index> clusters;
  std::string engine = "automatic";

  bool updates_clusters() const { return sampler == "swendsen-wang" || sampler == "wolff"; }
};

}  // namespace larmor::study
