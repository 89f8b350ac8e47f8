#include "bench/tempered_system.hpp"

namespace larmor::bench {

TemperedSystem::TemperedSystem(const std::string& text, const SamplerOfStudy& sampler,
                               const Device& device, const std::vector<double>& ladder)
    : study_(study::parse_study(
          text + "[[stage]]\nkind = 'monte-carlo'\ntemperature = 1\nsweeps = 10\n", "bench", "")),
      ranks_(study_.replicas),
      system_(study_.tables->blueprint()->make({device, ranks_.share(), nullptr})),
      exchange_(static_cast<Index>(ladder.size()), ranks_.share(), study_.seed, device) {
  system_->begin(study_);
  ensemble_ = sampler(study_)->make({study_, *system_, ranks_});
  ensemble_->set_temperatures(exchange_.at_replicas(ladder));
}

void TemperedSystem::tune(int rounds) {
  for (int round = 0; round < rounds; ++round) ensemble_->tune(10);
}

void TemperedSystem::exchange(Index exchanges, Index sweeps_before) {
  ensemble_->run_exchanging(exchanges * sweeps_before,
                            {sweeps_before, sweeps_before, static_cast<int>(proposed_ % 2)},
                            exchange_, system_->step);
  proposed_ += exchanges;
}

}  // namespace larmor::bench
