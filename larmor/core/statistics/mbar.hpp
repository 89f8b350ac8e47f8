#pragma once
// Multi-histogram reweighting. States k = 1..K are sampled with the weight exp(-b_k E), for
// instance b = 1 / (k_B T). What all samples together say of the density of states has the free
// energies
//
//     exp(-f_k) = sum_E C(E) exp(-b_k E) / D(E),   D(E) = sum_j n_j exp(f_j - b_j E),
//
// with C(E) samples of energy E, n_j samples of state j, and gives averages at any b,
//
//     <A>_b = sum_E C(E) w(E) A(E) / sum_E C(E) w(E),   w(E) = exp(-b E) / D(E).
//
// Samples count by what they are worth: C and n_j are numbers of independent samples. Only
// differences of f are known: f_1 = 0.
//
// A. M. Ferrenberg and R. H. Swendsen, Phys. Rev. Lett. 63, 1195 (1989); M. R. Shirts and
// J. D. Chodera, J. Chem. Phys. 129, 124105 (2008), Eq. 11, which is the same without bins.

#include <vector>

namespace larmor {

/// Independent samples, each of them in one cell of the energy and of one state.
struct HistogramCounts {
  std::vector<double> of_cell;   ///< C [cells]
  std::vector<double> of_state;  ///< n [K], of the same sum
};

class Mbar {
 public:
  /// Solves the equations for the f_k.
  /// @param energy of each cell @param b of each state @param mean energy of the samples of each
  /// state, where the iteration begins
  /// @throws InternalError if a state has no samples, or sizes do not fit
  Mbar(std::vector<double> energy, std::vector<double> b, HistogramCounts counts,
       const std::vector<double>& mean);

  /// f_k, -ln Z(b_k) but for what makes f_1 vanish [K]
  std::vector<double> free_energies() const;
  /// Did the iteration end? It may not where histograms do not overlap.
  bool converged() const { return converged_; }

  /// Samples that states up to the k-th in the order of b share with those beyond it [K - 1]: with
  /// the probabilities p(E) and 1 - p(E) that a sample of energy E is of either side,
  /// sum_E C(E) p(E) (1 - p(E)). The difference of f across has the variance of its inverse, or
  /// less.
  std::vector<double> overlaps() const;

  /// w of every cell, such that sum_E C(E) w(E) = 1 [cells]
  std::vector<double> weights(double b) const;
  /// Samples that averages at b rest on: (sum_E C w)^2 / sum_E C w^2.
  double effective_samples(double b) const;

  /// Of the same cells and states with other counts, such as a bootstrap draws: by how much w(E)
  /// changes, but for a factor that is the same for all cells [cells]
  std::vector<double> changes(const HistogramCounts& counts) const;

 private:
  void refer();

  std::vector<double> energy_;  ///< [cells] less the mean of all samples
  double origin_ = 0;           ///< that mean
  std::vector<double> b_;
  HistogramCounts counts_;
  std::vector<double> f_;            ///< of energies less the origin
  std::vector<double> log_sum_;      ///< ln D(E) [cells]
  std::vector<double> probability_;  ///< exp(f_k - b_k E) / D(E) (cell, K)
  bool converged_ = false;
};

}  // namespace larmor
