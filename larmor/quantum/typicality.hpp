#pragma once
// Thermal averages from random states, without the spectrum. A random vector |r> of length one of a
// sector with D states gives unbiased estimates of traces:
//
//   Z = D <r| e^(-beta H) |r>,   Z <A> = D <r| e^(-beta H / 2) A e^(-beta H / 2) |r>.
//
// M steps of the Lanczos method represent e^(-beta H / 2) |r> in a Krylov space: J. Jaklic and
// P. Prelovsek, Phys. Rev. B 49, 5065 (1994), in the symmetric form for low temperatures of
// M. Aichhorn et al., Phys. Rev. B 67, 161103 (2003). The vectors of this space are not stored: a
// second pass makes them again and adds them up for all temperatures.

#include "larmor/quantum/expectation_values.hpp"
#include "larmor/quantum/krylov_chain.hpp"

namespace larmor::quantum {

/// The averages in one random state at one temperature.
struct TypicalAverages {
  double ln_Z;                    ///< of its sector
  double energy, energy_squared;  ///< extensive
  std::vector<double> sx;         ///< [sites]
  DiagonalAverages diagonal;
};

struct TypicalitySettings {
  Index steps = 100;  ///< by the Lanczos method
  std::uint64_t seed = 1;
  std::uint64_t vector = 0;  ///< number of the random vector, different for all sectors and samples
};

/// One random vector of a sector, product by product.
class TypicalState {
 public:
  /// @param beta inverse temperatures @throws InputError as StateSpace
  TypicalState(const Device& device, const SpinModel& model, const Sector& sector,
               const std::vector<double>& beta, const TypicalitySettings& settings);

  /// @return true: the averages are complete
  bool step();
  Index products() const { return products_; }
  /// One entry for each temperature.
  const std::vector<TypicalAverages>& averages() const { return averages_; }

  static double bytes(int sites, const Sector& sector, Index temperatures);

 private:
  void begin_pass();
  /// Takes averages of functions of H from the chain, and begins the second pass.
  void end_first_pass();
  void add_vector();
  void take_averages();

  SpinModel model_;
  Sector sector_;
  std::vector<double> beta_;
  TypicalitySettings settings_;
  Hamiltonian H_;
  KrylovChain chain_;
  std::vector<Vector> states_;        ///< e^(-beta H / 2) |r>
  std::vector<double> coefficients_;  ///< (temperature, vector of the chain)
  std::vector<TypicalAverages> averages_;
  Index products_ = 0;
  bool is_second_ = false;
};

struct Estimated {
  double value, error;
};

/// Estimates of all sectors at one temperature, with jackknife errors over the random vectors.
struct TypicalEstimates {
  Estimated ln_Z, energy, specific_heat;
  std::vector<Estimated> sx, sz, szsz;
  Estimated abs_m, m2, m4, binder;
};

/// @param samples [vector][sector]; averages of one temperature, two vectors or more
TypicalEstimates estimates_of(const std::vector<std::vector<TypicalAverages>>& samples,
                              double beta);

}  // namespace larmor::quantum
