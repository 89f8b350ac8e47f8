#include "larmor/study/sampling/ladder_engine.hpp"

namespace larmor::study {

std::unique_ptr<LadderEngine> SamplerChoice::make_ladder(const Simulation&,
                                                         const LadderPlan&) const {
  return nullptr;
}

}  // namespace larmor::study
