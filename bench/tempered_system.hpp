#pragma once
// A system on ladders of temperatures, set up as in the stages with tempering.

#include <functional>
#include <memory>
#include <string>

#include "larmor/study/input/study.hpp"
#include "larmor/study/model_kind/ranks.hpp"
#include "larmor/study/sampling/ensemble.hpp"
#include "larmor/tempering/replica_exchange.hpp"

namespace larmor::bench {

using SamplerOfStudy =
    std::function<std::unique_ptr<study::SamplerChoice>(const study::Study& study)>;

class TemperedSystem {
 public:
  /// @param text a study without stages @param ladder k_B T of each rung
  /// The replicas of the study must form whole ladders.
  TemperedSystem(const std::string& text, const SamplerOfStudy& sampler, const Device& device,
                 const std::vector<double>& ladder);

  /// Tunes samplers, for instance cones, while replicas stay at their rungs.
  void tune(int rounds);
  void sweep(Index sweeps) { ensemble_->run(sweeps); }
  /// Makes exchanges, each after `sweeps_before` sweeps.
  void exchange(Index exchanges, Index sweeps_before);

 private:
  study::Study study_;
  study::Ranks ranks_;
  std::unique_ptr<study::System> system_;
  std::unique_ptr<study::Ensemble> ensemble_;
  tempering::ReplicaExchange exchange_;
  Index proposed_ = 0;
};

}  // namespace larmor::bench
