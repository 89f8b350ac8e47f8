#pragma once
// The lowest levels of a sector by the Lanczos method. It finds the largest eigenvalues of c - H,
// with an upper bound c of the spectrum of H.

#include "larmor/quantum/expectation_values.hpp"
#include "larmor/quantum/hamiltonian.hpp"
#include "larmor/transfer/lanczos.hpp"

namespace larmor::quantum {

struct EnergyLevel {
  double energy;
  double residual;  ///< |H v - energy v|
};

/// A search that goes on product by product.
class LowLevels {
 public:
  /// @throws InputError as StateSpace
  LowLevels(const Device& device, const SpinModel& model, const Sector& sector,
            const transfer::LanczosSettings& settings);
  // The search refers to the Hamiltonian.
  LowLevels(const LowLevels&) = delete;
  LowLevels& operator=(const LowLevels&) = delete;

  /// @return true: all are found
  bool step() { return lanczos_.step(); }
  Index products() const { return lanczos_.products(); }
  double residual() const { return lanczos_.residual(); }
  Index states() const { return H_.states(); }
  /// The lowest first.
  std::vector<EnergyLevel> levels() const;
  /// Averages in the n-th of them.
  ExpectationValues averages(Index n) const;

  static double bytes(int sites, const Sector& sector, const transfer::LanczosSettings& settings);

 private:
  SpinModel model_;
  Sector sector_;
  double bound_;
  Hamiltonian H_;  ///< c - H
  transfer::Lanczos lanczos_;
};

}  // namespace larmor::quantum
