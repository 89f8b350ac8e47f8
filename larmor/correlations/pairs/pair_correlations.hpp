#pragma once
// What is made of the equal-time correlations of M configurations, summed over all pairs of sites:
//
//     C(r,r')   = (1/M) sum_m e_r.e_r', or connected: less <e_r>.<e_r'>, divided by M - 1
//     S(q)      = (1/N) sum_rr' exp(-i q.(r - r')) C(r,r')
//     chi_SG(q) = (1/N) sum_rr' exp(-i q.(r - r')) C(r,r')^2
//
// and means of C and C^2 over pairs by their distance, by their displacement in cells, and between
// groups of sites. S(q) and the mean between groups are linear in C: they come from amplitudes A(q)
// and from sums of the spins of each group, in O(N M); the others from sums over all pairs, in
// O(N^2 M). (sum x)^2 of x = e_r.e_r' would be too large by the variance of x over M, which adds up
// over all pairs: the square of plain C is found from pairs of different configurations,
// sum_{m != m'} x_m x_m' / (M (M - 1)), as replica overlaps do. That of connected C is, of spins
// less their means,
//
//     [ (sum x)^2 - M / (M - 1) sum x^2 ] / ((M - 1) (M - 2)),
//
// whose mean is C^2 + k / (M (M - 1)): all products of two covariances cancel, and k, the sum over
// a and b of the fourth cumulants of e_ra, e_r'a, e_rb, e_r'b, vanishes where the two sites are
// independent.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "larmor/correlations/fourier/state_amplitudes.hpp"
#include "larmor/correlations/pairs/make_pair_sums.hpp"
#include "larmor/correlations/pairs/operands/spin_matrix.hpp"

namespace larmor::correlations::real_space {

struct PairCorrelationsSettings {
  QList q;  ///< of structure and spin_glass; none: neither
  bool structure = true, spin_glass = true;
  Index bins = 0;    ///< of distance; 0: none
  double width = 1;  ///< of a bin, length
  std::optional<DisplacementBins> displacement;
  std::vector<std::int32_t> group;  ///< of each canonical site, from 0; -1: none; empty: all none
  Index groups = 0;
  std::optional<CorrelationBins> distribution;  ///< of C over pairs of different sites
  bool connected = false;
  PairPrecision precision = PairPrecision::full;
  PairRanks* ranks = nullptr;  ///< as in PairSettings
};

/// Replicas that squares of C take.
constexpr Index least_replicas(bool connected) { return connected ? 3 : 2; }

/// One set of numbers; those not asked for are empty.
struct PairCorrelationsValues {
  std::vector<double> structure, spin_glass;  ///< real parts, [Q]
  std::vector<double> mean, mean_square;      ///< of C by distance, [bin]; NaN where no pairs are
  std::vector<double> pairs;                  ///< of each bin, a site with itself among them, [bin]
  std::vector<double> groups, groups_square;  ///< means of C and C^2, [G,G]; NaN likewise
  /// The same as by distance, by displacement: (b, b', dx, dy, dz).
  std::vector<double> displaced_mean, displaced_square, displaced_pairs;
  /// Numbers of ordered pairs of different sites with C below all bins, in each, and above all.
  std::vector<double> distribution;
  /// The pairs with the largest and the smallest C: C and the two canonical sites, the lower first,
  /// of each; NaN and -1 where there is no pair. [2,3]
  std::vector<double> extremes;
  /// Where precision is split and no replica is left out: the relative error of the products in the
  /// largest S(q), for which amplitudes are exact.
  std::optional<double> precision_error;
};

class PairCorrelations {
 public:
  /// @throws InputError for connected correlations of one replica, or for squares of one replica
  /// (connected: of two)
  /// @throws MachineError where a GPU lacks what it takes
  PairCorrelations(const lattice::Geometry& geometry, const PairCorrelationsSettings& settings,
                   const spins::SpinState& state);
  /// Keeps what the state's spins are, for any number of `values`.
  void take(const spins::SpinState& state);
  /// Of the spins that were taken. @param left_out for the jackknife
  PairCorrelationsValues values(const LeftOut& left_out = {}) {
    begin(left_out);
    add();
    return finish();
  }
  /// The same bit by bit: `begin`, `add` for each part of the sums over pairs, in order, `finish`.
  void begin(const LeftOut& left_out);
  void add(const RowShare& part = {});
  PairCorrelationsValues finish();
  /// Parts that `add` should be given them in (parts_of_pair_sums).
  Index parts() const;

  /// Multiplications with additions that all sums over pairs take, on all ranks together.
  static double multiply_adds(const lattice::Geometry& geometry,
                              const PairCorrelationsSettings& settings, Index replicas);

  /// Bytes where the spins are.
  static double bytes(const lattice::Geometry& geometry, const PairCorrelationsSettings& settings,
                      Index replicas, const Device& device);
  /// Bytes of the host beside them.
  static double host_bytes(const lattice::Geometry& geometry,
                           const PairCorrelationsSettings& settings, Index replicas);

 private:
  /// Sums of one kind over all pairs, of C and of single configurations.
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
  /// Of each kind that is asked for.
  std::vector<Sums*> kinds();
  static Totals totals(const Sums& sums);
  /// Of sums by bins: means of C and C^2, and the numbers of pairs.
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
  std::vector<std::int32_t> group_;              ///< of each storage position
  std::vector<double> sum_of_group_;             ///< of its spins, (group, replica, 3)
  std::vector<double> pairs_of_groups_;
  /// Of all replicas, and of those that are not left out.
  std::optional<SpinMatrix> spins_, matrix_, quadrupoles_;
  Sums spin_glass_, distance_, displacement_, groups_square_;
  std::unique_ptr<PairSums> distribution_;  ///< with this norm; null: not asked for
  std::vector<Index> site_;                 ///< canonical, of each storage position
  std::vector<Vec3<double>> position_;      ///< of each storage position
  std::unique_ptr<PairSums> largest_sum_;   ///< of C at the q of the largest S(q); null: not now
};

}  // namespace larmor::correlations::real_space
