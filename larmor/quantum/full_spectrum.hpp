#pragma once
// All levels of a small model by dense matrices of its sectors, and exact thermal averages:
//
//   Z = sum_n e^(-beta E_n),   <A> = sum_n e^(-beta E_n) <n| A |n> / Z,
//   N <m m(tau)> = (1/N) sum_ab |<a| M |b>|^2 e^(-(beta - tau) E_a - tau E_b) / Z,  M = sum_i sz_i.

#include "larmor/quantum/expectation_values.hpp"

namespace larmor::quantum {

struct ThermalAverages {
  double ln_Z, energy, specific_heat;  ///< extensive; beta^2 (<E^2> - <E>^2)
  std::vector<double> sx;              ///< [sites]
  DiagonalAverages diagonal;
  double susceptibility;  ///< d<m>/dh of a field h along z: the integral of N <m m(tau)>, connected
};

/// Correlations at an imaginary time.
struct TimeCorrelations {
  double total;  ///< N <m m(tau)>
  double local;  ///< (1/N) sum_i <sz_i sz_i(tau)>
};

class FullSpectrum {
 public:
  explicit FullSpectrum(const SpinModel& model, int threads = 1);

  /// Diagonalises the next sector. @return true: it was the last one
  bool step();
  struct Level {
    double energy;
    Sector sector;
  };
  /// The lowest first.
  std::vector<Level> levels() const;
  /// @param beta 1 / k_B T
  ThermalAverages at(double beta) const;
  /// @param fractions tau / beta, from 0 to 1
  std::vector<TimeCorrelations> in_time(double beta, const std::vector<double>& fractions);

  /// States of the largest sector.
  static double largest_block(const SpinModel& model);
  static double bytes(const SpinModel& model);

 private:
  struct Block {
    Sector sector;
    std::vector<double> energies;
    std::vector<double> vectors;    ///< (level, state)
    std::vector<double> sx;         ///< (level, site)
    std::vector<double> M_squared;  ///< |<a| M |b>|^2 (level b, level a of the partner)
    std::vector<double> local;      ///< sum_i |<a| sz_i |b>|^2, if they were asked for
  };

  /// The sector to which sz_i leads from a block.
  std::size_t partner(std::size_t block) const;
  /// The squares of the elements of sz of a site, (level, level of the partner).
  /// @param site -1: the sum over all sites
  std::vector<double> elements(std::size_t block, int site) const;
  double weight_sum(double beta) const;
  double lowest() const;

  SpinModel model_;
  int threads_;
  std::vector<Sector> sectors_;
  std::vector<Block> blocks_;
};

}  // namespace larmor::quantum
