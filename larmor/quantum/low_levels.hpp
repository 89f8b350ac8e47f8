#pragma once
// The lowest levels of a sector by the Lanczos method. Each level is the lowest one in the
// complement of the states found before it, so that all copies of a degenerate level are found. The
// search keeps four vectors and those found.

#include "larmor/quantum/expectation_values.hpp"
#include "larmor/quantum/krylov_chain.hpp"

namespace larmor::quantum {

struct LevelSettings {
  Index wanted = 1;
  /// Largest residual |H v - E v| over the distance of E from an upper bound of the spectrum.
  double tolerance = 1e-11;
  std::uint64_t seed = 1;
  /// A longer chain begins again from its best state: its tridiagonal matrix would take too long.
  Index longest_chain = 250;
};

struct EnergyLevel {
  double energy;
  double residual;  ///< |H v - energy v|
};

/// A search that goes on product by product.
class LowLevels {
 public:
  /// @throws InputError as StateSpace
  LowLevels(const Device& device, const SpinModel& model, const Sector& sector,
            const LevelSettings& settings);
  // The chain refers to the Hamiltonian.
  LowLevels(const LowLevels&) = delete;
  LowLevels& operator=(const LowLevels&) = delete;

  /// Multiplies at most twice. @return true: all are found
  bool step();
  Index products() const { return products_; }
  Index states() const { return H_.states(); }
  /// The lowest first.
  std::vector<EnergyLevel> levels() const;
  /// Averages in the n-th of them.
  ExpectationValues averages(Index n) const;

  static double bytes(int sites, const Sector& sector, const LevelSettings& settings);

 private:
  void begin_level();
  /// Extends the chain. Ends it if its lowest level is known, or the chain is long.
  void extend();
  void begin_sum();
  /// Adds a vector of the chain to the state of its lowest level.
  void add_vector();
  void end_sum();
  double allowed_residual(double energy) const;
  std::vector<std::size_t> order() const;

  SpinModel model_;
  Sector sector_;
  LevelSettings settings_;
  double bound_;
  Hamiltonian H_;
  std::vector<Vector> vectors_;  ///< those found
  std::vector<EnergyLevel> found_;
  KrylovChain chain_;
  Vector state_;                      ///< the state of the lowest level, while it is added up
  std::vector<double> coefficients_;  ///< factors of the vectors of the chain
  Index next_look_ = 0, products_ = 0;
  bool is_adding_ = false;
  bool is_converged_ = false;  ///< does the chain know its lowest level?
  double last_residual_ = 0;
};

}  // namespace larmor::quantum
