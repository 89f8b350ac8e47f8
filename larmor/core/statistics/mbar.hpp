#pragma once
// Multi-histogram reweighting (MBAR). States k = 1..K are sampled with the weight exp(-b_k E), for
// instance b = 1 / (k_B T). All samples together give the density of states, with the free energies
//
//     exp(-f_k) = sum_E C(E) exp(-b_k E) / D(E),   D(E) = sum_j n_j exp(f_j - b_j E),
//
// with C(E) samples of energy E and n_j samples of state j. Averages at any b are
//
//     <A>_b = sum_E C(E) w(E) A(E) / sum_E C(E) w(E),   w(E) = exp(-b E) / D(E).
//
// C and n_j are numbers of independent samples. Only differences of f are known: f_1 = 0.
//
// A. M. Ferrenberg and R. H. Swendsen, Phys. Rev. Lett. 63, 1195 (1989); M. R. Shirts and J. D.
// Chodera, J. Chem. Phys. 129, 124105 (2008), Eq. 11, for the formula without bins.

#include <vector>

namespace larmor {

/// Numbers of independent samples. Each sample is in one cell of the energy and belongs to one
/// state.
struct HistogramCounts {
  std::vector<double> of_cell;   ///< C [cells]
  std::vector<double> of_state;  ///< n [K], with the sum of C
};

class Mbar {
 public:
  /// Solves the equations for the f_k.
  /// @param energy energies of cells [cells] @param b factors of states [K] @param mean mean energy
  /// of the samples of each state, where the iteration begins
  /// @throws InternalError if a state has no samples, or sizes differ
  Mbar(std::vector<double> energy, std::vector<double> b, HistogramCounts counts,
       const std::vector<double>& mean);

  /// f_k, which is -ln Z(b_k) with a constant added so that f_1 = 0 [K]
  std::vector<double> free_energies() const;
  /// Has the iteration converged? It may not if histograms do not overlap.
  bool converged() const { return converged_; }

  /// For each state k except the last, in the order of b: number of samples shared by the states up
  /// to k and the states after k [K - 1]. It is sum_E C(E) p(E) (1 - p(E)), where p(E) is the
  /// probability that a sample of energy E belongs to the states up to k. The variance of the
  /// difference of f between the two groups is at most the inverse of this number.
  std::vector<double> overlaps() const;

  /// w of every cell, such that sum_E C(E) w(E) = 1 [cells]
  std::vector<double> weights(double b) const;
  /// Effective number of samples of averages at b: (sum_E C w)^2 / sum_E C w^2.
  double effective_samples(double b) const;

  /// Factors by which w(E) changes for other counts of these cells and states, such as those of a
  /// bootstrap. A factor common to all cells is arbitrary. [cells]
  std::vector<double> changes(const HistogramCounts& counts) const;

 private:
  void update_probabilities();

  std::vector<double> energy_;  ///< energies minus the mean of all samples [cells]
  double origin_ = 0;           ///< the mean energy of all samples
  std::vector<double> b_;
  HistogramCounts counts_;
  std::vector<double> f_;            ///< free energies for energies minus the origin
  std::vector<double> log_sum_;      ///< ln D(E) [cells]
  std::vector<double> probability_;  ///< exp(f_k - b_k E) / D(E) (cell, K)
  bool converged_ = false;
};

}  // namespace larmor
