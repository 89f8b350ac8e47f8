#pragma once
// Updates of a colour by JIT kernels. Compiled only if CUDA is found.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "larmor/core/gpu/launch_graphs.hpp"
#include "larmor/spins/jit/stencil_launch.hpp"
#include "larmor/spins/samplers/update_kernels.hpp"
#include "larmor/tempering/exchange_kernel.hpp"
#include "larmor/tempering/exchanges.hpp"

namespace larmor::spins {

/// Exchanges of replicas between sweeps.
struct StencilExchanges {
  tempering::ExchangeTimes times;
  tempering::ExchangePass first;  ///< first exchange; its step is 0
};

class StencilUpdates {
 public:
  StencilUpdates(Stencil stencil, const SpinLayout& layout, const Device& device);

  /// One pass over all colours.
  struct ColourPass {
    Update update;
    Stream stream;
    std::uint64_t* accepted;  ///< accepted moves are added, as in UpdateKernels::update
  };
  /// Runs all passes `sweeps` times. Each pass is one step, and the first step is sweep.key.step.
  /// The passes must be equal in all calls.
  /// @param exchanges exchanges after sweeps, or null. Each exchange is one more step. Requires
  ///        can_exchange.
  /// @return how many steps were made
  std::uint64_t run(const std::vector<ColourPass>& passes, const SweepView& sweep, Index sweeps,
                    const StencilExchanges* exchanges);
  /// Can replicas of ladders with this number of rungs be exchanged between the sweeps?
  bool can_exchange(Index rungs) const {
    return layout_.domain == nullptr && rungs <= tempering::most_rungs_behind_sweeps;
  }

 private:
  struct Colour {
    JitKernel kernel;
    std::vector<SiteRange> sites;
  };
  struct ColourKernels {
    std::unique_ptr<cuda::JitModule> module;
    std::vector<Colour> colours;
  };
  struct Kind {
    Update update;
    bool sums_energy;  ///< sum the energies of the updated spins?
    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  /// The launches of one graph: the number of sweeps, and the sweeps that an exchange follows.
  struct LaunchKey {
    Index sweeps = 0;
    Index first = 0, every = 0;  ///< as in ExchangeTimes; 0: no exchanges
    int parity = 0;
    friend auto operator<=>(const LaunchKey&, const LaunchKey&) = default;
  };
  /// Arguments of kernels and exchanges, without their steps.
  struct View {
    SweepView sweep;
    tempering::ExchangePass exchange;
    friend bool operator==(const View&, const View&) = default;
  };

  ColourKernels compile(const Kind& kind, const SweepView& sweep);
  const ColourKernels& compiled(const Kind& kind, const SweepView& sweep);
  bool adds_energy(int colour, const ModelView& model) const;
  LaunchKey key_of(Index sweeps, Index kernels, const StencilExchanges* exchanges) const;
  void launch(const std::vector<ColourPass>& passes, const View& view, const LaunchKey& key);

  Stencil stencil_;
  SpinLayout layout_;
  Device device_;
  cuda::StepCounter step_;
  std::map<Kind, ColourKernels> compiled_;
  Index energy_partials_ = 0;  ///< number of partial sums for each block of replicas
  Array<double> energy_;       ///< (block, partial sum, 8)
  cuda::LaunchGraphs<LaunchKey, View> recorded_, recorded_with_exchanges_;
};

}  // namespace larmor::spins
