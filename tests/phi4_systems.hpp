#pragma once
// Phi^4 fields for tests. The code is simple and uses doubles.

#include <cmath>
#include <vector>

#include "larmor/clusters/reflection_clusters.hpp"
#include "larmor/phi4/field_clusters.hpp"
#include "larmor/phi4/field_sampler.hpp"
#include "larmor/phi4/field_sums.hpp"

namespace larmor::testing_support {

using clusters::RegularGrid;

/// A bond of a grid and the place of its random word.
struct GridBond {
  std::uint32_t i, j;
  std::uint64_t call;
  int word;
};

inline std::vector<GridBond> bonds_of_grid(const RegularGrid& grid) {
  const auto axes = grid.lengths.size();
  Index sites = 1;
  for (const Index length : grid.lengths) sites *= length;
  // The number of words per site, and of sites per group of eight calls.
  const int words = axes == 1 ? 1 : axes == 2 ? 2 : 4;
  const Index group = 8 * (4 / words);
  std::vector<GridBond> bonds;
  for (Index site = 0; site < sites; ++site) {
    Index stride = 1;
    for (std::size_t axis = 0; axis < axes; stride *= grid.lengths[axis], ++axis) {
      const Index length = grid.lengths[axis], x = site / stride % length;
      if (length == 1 || (!grid.periodic[axis] && x == length - 1)) continue;
      const Index other = site + ((x + 1) % length - x) * stride, place = site % group;
      bonds.push_back({static_cast<std::uint32_t>(site), static_cast<std::uint32_t>(other),
                       static_cast<std::uint64_t>(site / group * 8 + place % 8),
                       static_cast<int>(place / 8) * words + static_cast<int>(axis)});
    }
  }
  return bonds;
}

/// The updates of a sweep.
enum class Sampler { metropolis, heat_bath, over_relaxed, swendsen_wang, wolff };

/// A model with its sampler and state.
struct FieldSystem {
  phi4::FieldModel model;
  UpdateCounter counter;
  phi4::FieldState state;
  phi4::FieldSampler local;
  phi4::FieldClusters cluster;
  phi4::FieldSums sums;
  std::vector<double> kappa, lambda;

  FieldSystem(const RegularGrid& grid, int components, const std::vector<double>& kappas,
              const std::vector<double>& lambdas, const Device& device, std::uint64_t seed,
              ReplicaShare share)
      : model(grid, components, share, device),
        state(model, counter),
        local(model, seed),
        cluster(model, seed),
        sums(model),
        kappa(kappas),
        lambda(lambdas) {
    model.set_couplings(kappa, lambda);
    state.randomise(seed);
  }
  FieldSystem(const RegularGrid& grid, int components, const std::vector<double>& kappas,
              const std::vector<double>& lambdas, const Device& device = Device::cpu(1),
              std::uint64_t seed = 1)
      : FieldSystem(grid, components, kappas, lambdas, device, seed,
                    ReplicaShare(std::ssize(kappas))) {}

  void sweep(Sampler sampler, bool measured = false) {
    const bool finite = lambda[0] < 1e300;
    switch (sampler) {
      case Sampler::metropolis:
        return local.run(state, phi4::LocalRule::metropolis, 1);
      case Sampler::heat_bath:
        return local.run(state, phi4::LocalRule::heat_bath, 1);
      case Sampler::over_relaxed:
        local.run(state, phi4::LocalRule::metropolis, 1);
        return local.run(state, phi4::LocalRule::over_relaxation, 2);
      case Sampler::swendsen_wang:
        if (finite) local.run(state, phi4::LocalRule::metropolis, 1);
        return cluster.swendsen_wang(state, measured);
      case Sampler::wolff:
        if (finite) local.run(state, phi4::LocalRule::metropolis, 1);
        return cluster.wolff(state, 3, measured);
    }
  }

  std::vector<phi4::FieldMeans> means() {
    const std::vector<double> numbers = sums.begin(state).take();
    std::vector<phi4::FieldMeans> found;
    for (Index r = 0; r < model.replicas().count; ++r)
      found.push_back(sums.means(numbers, r, kappa[static_cast<std::size_t>(r)],
                                 lambda[static_cast<std::size_t>(r)]));
    return found;
  }
};

}  // namespace larmor::testing_support
