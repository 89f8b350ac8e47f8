#pragma once
// Equal-time correlations of M configurations, summed over all pairs of sites:
//
//     C(r,r')   = (1/M) sum_m e_r.e_r', or connected: minus <e_r>.<e_r'>, divided by M - 1
//     S(q)      = (1/N) sum_rr' exp(-i q.(r - r')) C(r,r')
//     chi_SG(q) = (1/N) sum_rr' exp(-i q.(r - r')) C(r,r')^2
//
// and means of C and C^2 over pairs by distance, by displacement in cells, and between groups of
// sites. S(q) and the mean between groups are linear in C. They come from amplitudes A(q) and from
// sums of the spins of each group, in O(N M). All other results come from sums over all pairs, in
// O(N^2 M). Let x = e_r.e_r'. (sum x / M)^2 would on average exceed C^2 by the variance of x over
// M, and these excesses add up over all pairs. Therefore, the square of plain C comes from pairs of
// different configurations, sum_{m != m'} x_m x_m' / (M (M - 1)), as in replica overlaps. The
// square of connected C comes from spins minus their means:
//
//     [ (sum x)^2 - M / (M - 1) sum x^2 ] / ((M - 1) (M - 2)),
//
// The mean of this expression is C^2 + k / (M (M - 1)), because all products of two covariances
// cancel. Here k is the sum over a and b of the fourth cumulants of e_ra, e_r'a, e_rb, e_r'b. It
// vanishes if the two sites are independent.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "larmor/correlations/fourier/state_amplitudes.hpp"
#include "larmor/correlations/pairs/make_pair_sums.hpp"
#include "larmor/correlations/pairs/operands/spin_matrix.hpp"

namespace larmor::correlations::real_space {

struct PairCorrelationsSettings {
  QList q;  ///< wave vectors of structure and spin_glass; empty: neither
  bool structure = true, spin_glass = true;
  Index bins = 0;    ///< bins of distance; 0: none
  double width = 1;  ///< width of a bin of distance, length
  std::optional<DisplacementBins> displacement;
  std::vector<std::int32_t> group;  ///< group of each canonical site, from 0; -1: none; empty: no
                                    ///< groups
  Index groups = 0;
  std::optional<CorrelationBins> distribution;  ///< values of C over pairs of different sites
  bool connected = false;
  PairPrecision precision = PairPrecision::full;
  PairRanks* ranks = nullptr;  ///< as in PairSettings
};

/// Least number of replicas that squares of C need.
constexpr Index least_replicas(bool connected) { return connected ? 3 : 2; }

/// One set of results. A result that is not requested is empty.
struct PairCorrelationsValues {
  std::vector<double> structure, spin_glass;  ///< real parts, [Q]
  std::vector<double> mean, mean_square;      ///< mean of C and of C^2 by distance, [bin]; NaN
                                              ///< without pairs
  std::vector<double> pairs;                  ///< pairs in each bin, including a site with itself,
                                              ///< [bin]
  std::vector<double> groups, groups_square;  ///< means of C and C^2, [G,G]; NaN without pairs
  /// Results by displacement, as those by distance, with bins (b, b', dx, dy, dz).
  std::vector<double> displaced_mean, displaced_square, displaced_pairs;
  /// Numbers of ordered pairs of different sites with C below all bins, in each bin, and above all
  /// bins.
  std::vector<double> distribution;
  /// The pairs with the largest and smallest C, each as C and two canonical sites, the lower first;
  /// NaN and -1 if there is no pair. [2,3]
  std::vector<double> extremes;
  /// The relative error of the products, measured on the largest S(q), which amplitudes give
  /// exactly. It exists only for a split precision and if no replica is left out.
  std::optional<double> precision_error;
};

class PairCorrelations {
 public:
  /// @throws InputError for connected correlations of one replica, for squares of correlations of
  /// one replica, or for squares of connected correlations of two replicas
  /// @throws MachineError if a GPU lacks a required feature
  PairCorrelations(const lattice::Geometry& geometry, const PairCorrelationsSettings& settings,
                   const spins::SpinState& state);
  /// Copies the state's spins, for any number of calls of `values`.
  void copy_spins(const spins::SpinState& state);
  /// Correlations of the spins that were copied last. @param left_out replicas that the jackknife
  /// leaves out
  PairCorrelationsValues values(const LeftOut& left_out = {}) {
    begin(left_out);
    add();
    return finish();
  }
  /// Compute `values` in steps. Call `begin`, then `add` for each share of the sums in order, then
  /// `finish`.
  void begin(const LeftOut& left_out);
  void add(const RowShare& share = {});
  PairCorrelationsValues finish();
  /// Number of shares for `add` (shares_of_pair_sums).
  Index share_count() const;

  /// Multiply-adds of all sums over pairs, on all ranks together.
  static double multiply_adds(const lattice::Geometry& geometry,
                              const PairCorrelationsSettings& settings, Index replicas);

  /// Bytes on the device of the spins.
  static double bytes(const lattice::Geometry& geometry, const PairCorrelationsSettings& settings,
                      Index replicas, const Device& device);
  /// Additional bytes of host memory.
  static double host_bytes(const lattice::Geometry& geometry,
                           const PairCorrelationsSettings& settings, Index replicas);

 private:
  /// Sums of one kind over all pairs. `of_all` sums a function of C. `of_one` sums the squares of
  /// e_r.e_r' over configurations. These squares are subtracted in the estimate of C^2.
  struct Sums {
    std::unique_ptr<PairSums> of_all, of_one;
  };
  struct Totals {
    std::vector<double> of_all, of_one;
  };
  PairSettings sums_over(const SpinMatrix& matrix) const;
  void prepare_precision_check();
  std::optional<double> precision_error(const std::vector<double>& structure);
  void prepare_distribution();
  void finish_distribution(PairCorrelationsValues& values) const;
  /// One entry per requested kind.
  std::vector<Sums*> kinds();
  static Totals totals(const Sums& sums);
  /// Computes the means of C and C^2 and the numbers of pairs from sums by bins.
  void finish_bins(const Sums& sums, std::vector<double>& mean, std::vector<double>& mean_square,
                   std::vector<double>& pairs) const;
  double norm(const LeftOut& left_out) const;
  double square(double of_sum, double sum_of_squares, const LeftOut& left_out) const;
  std::vector<double> structure(const LeftOut& left_out) const;
  std::vector<double> groups(const LeftOut& left_out) const;

  PairCorrelationsSettings settings_;
  Index sites_, replicas_;
  Device device_;
  double multiply_adds_;
  LeftOut left_out_;
  std::optional<StateAmplitudes> transform_;
  std::vector<std::complex<double>> amplitude_;  ///< (q, replica, 3)
  std::vector<std::int32_t> group_;              ///< group of each storage position
  std::vector<double> sum_of_group_;             ///< sum of the spins in each group, (group,
                                                 ///< replica, 3)
  std::vector<double> pairs_of_groups_;
  /// Spins of all replicas; then the matrix and the quadrupoles without the replicas that are left
  /// out.
  std::optional<SpinMatrix> spins_, matrix_, quadrupoles_;
  Sums spin_glass_, distance_, displacement_, groups_square_;
  std::unique_ptr<PairSums> distribution_;  ///< for the current norm; null: not requested
  std::vector<Index> site_;                 ///< canonical site of each storage position
  std::vector<Vec3<double>> position_;      ///< one entry per storage position
  std::unique_ptr<PairSums> largest_sum_;   ///< sum of C at the q of the largest S(q); null: not
                                            ///< needed
};

}  // namespace larmor::correlations::real_space
