#include "larmor/quantum/low_levels.hpp"

namespace larmor::quantum {

LowLevels::LowLevels(const Device& device, const SpinModel& model, const Sector& sector,
                     const transfer::LanczosSettings& settings)
    : model_(model),
      sector_(sector),
      bound_(model.upper_bound()),
      H_(device, model.subtracted_from(bound_), sector),
      lanczos_(
          device, H_.states(), [this](const Vector& in, Vector& out) { H_.multiply(in, out); },
          settings) {}

std::vector<EnergyLevel> LowLevels::levels() const {
  std::vector<EnergyLevel> levels;
  for (const transfer::EigenPair& pair : lanczos_.pairs())
    levels.push_back({bound_ - pair.value, pair.residual});
  return levels;
}

ExpectationValues LowLevels::averages(Index n) const {
  return {model_, sector_, lanczos_.vector(n)};
}

double LowLevels::bytes(int sites, const Sector& sector,
                        const transfer::LanczosSettings& settings) {
  return Hamiltonian::bytes(sites, sector) +
         transfer::Lanczos::bytes(static_cast<Index>(StateSpace::states_of(sites, sector)),
                                  settings);
}

}  // namespace larmor::quantum
