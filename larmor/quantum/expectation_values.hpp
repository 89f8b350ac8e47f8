#pragma once
// Averages of Pauli matrices in a state of a sector. Vectors of a GPU are copied to the host.
//
// BITS: sums run over states with equal high bits, then over high bits, for any number of threads.

#include "larmor/quantum/state_space.hpp"
#include "larmor/transfer/vectors.hpp"

namespace larmor::quantum {

/// Averages of functions of the sz.
struct DiagonalAverages {
  std::vector<double> sz;            ///< [sites]
  std::vector<double> szsz;          ///< (site, site)
  double abs_m = 0, m2 = 0, m4 = 0;  ///< of m = sum_i sz_i / sites
};

/// Averages of products of sx, and of sy.
struct PlaneAverages {
  std::vector<double> sxsx, sysy;  ///< (site, site)
};

class ExpectationValues {
 public:
  /// @param v a state of length one, of the sector
  ExpectationValues(const SpinModel& model, const Sector& sector, const transfer::Vector& v);

  DiagonalAverages diagonal() const;
  /// <sx_i> [sites]
  std::vector<double> sx() const;
  PlaneAverages plane() const;
  /// Bytes on the host for a vector of this sector, without those of a vector that is there.
  static double bytes(int sites, const Sector& sector, Backend backend);

 private:
  double flip_average(Index flip, Index test) const;

  int threads_;
  StateSpace space_;
  std::vector<double> copied_;
  const double* v_;
};

}  // namespace larmor::quantum
