#pragma once
// Correlations of two spins at two times, averaged over M trajectories and over pairs of sites: by
// distance, by displacement r' - r in cells, and between groups of sites:
//
//     C(r,r',t) = (1/M) sum_m e_r(0).e_r'(t), or connected: minus <e_r(0)>.<e_r'(t)>,
//                 divided by M - 1
//
// (Chen, Chen, Turner, Feiguin (2023), Eqs. 3 to 5; in that paper, r is the site at time t). The
// time origin is the first sample. Their transforms are
//
//     S(r,r',w) = int dt exp(+i w t) w(t) C(r,r',t),      C(r,r',-t) = C(r',r,t).
//
// The mean at a displacement d is the van Hove correlation function. The sum over pairs of exp(-i
// q.(r' - r)) times this mean is N S(q,t). With the transform of the mean, the sum is N S(q,w).
// Window w(t), lags and frequencies are those of structure factors (time_transform.hpp). At
// negative times, C has exchanged sites, which corresponds to S(q,-t) = conj S(q,t). Sums run over
// pairs and take O(N^2 M) operations a sample. They are valid for any disorder and any boundary.
//
// Errors are a jackknife over blocks of replicas, as in real_space_structure_factor.hpp.

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "larmor/correlations/pairs/make_pair_sums.hpp"
#include "larmor/correlations/spectra/time_transform.hpp"
#include "larmor/correlations/spectra/two_time_matrices.hpp"

namespace larmor::correlations {
class LagsToFrequencies;
}

namespace larmor::correlations::real_space {

struct PairsInTimeSettings {
  Index bins = 0;    ///< bins of distance; 0: none
  double width = 1;  ///< width of a bin of distance, length
  std::optional<DisplacementBins> displacement;
  std::vector<std::int32_t> group;  ///< group of each canonical site, from 0; -1: none; empty: no
                                    ///< groups
  Index groups = 0;
  double interval = 1;  ///< time between samples
  Index samples = 1;    ///< T
  Window window = Window::hann;
  double window_width = gaussian_width;  ///< standard deviation of a Gaussian window
  bool connected = true;
  /// Number of blocks of replicas; for the errors, each block is left out once.
  Index error_blocks = 0;
  PairPrecision precision = PairPrecision::full;

  /// Number of bins of all kinds together.
  Index all_bins() const {
    return bins + (displacement ? displacement->bins() : 0) + groups * groups;
  }
};

/// Results for the bins of one kind; empty if not requested.
struct BinsInTime {
  std::vector<double> pairs;                   ///< ordered pairs, including a site with itself, [B]
  std::vector<double> mean, error;             ///< C and its error, [T,B]; NaN if a bin has no
                                               ///< pairs
  std::vector<std::complex<double>> spectrum;  ///< [F,B]
  std::vector<double> spectrum_error;          ///< error of the real part, [F,B]
};

struct PairsInTimeResult {
  std::vector<double> time, frequency;        ///< [T], [F] with F = 2 T - 1, ascending
  BinsInTime distance, displacement, groups;  ///< errors are empty without blocks
  Index error_blocks = 0;
};

class PairCorrelationsInTime {
 public:
  /// @param replicas number of replicas in the study @param world the ranks that have the replicas;
  /// null: there is only this rank
  /// @throws InputError for connected correlations of a single replica
  PairCorrelationsInTime(const lattice::Geometry& geometry, const PairsInTimeSettings& settings,
                         Index replicas, const Communicator* world = nullptr);

  /// Adds the next sample.
  /// @throws InternalError for more samples than announced, or another number of sites or replicas
  /// @throws MachineError if a GPU lacks a feature that sums over pairs need
  void add(const spins::SpinState& state);
  /// Does one of several equal shares of a sample's work, so that forecasts can measure it. After
  /// this call, no sample may be added.
  /// @return how many shares a sample has
  Index try_share(const spins::SpinState& state);
  PairsInTimeResult finish(int threads) const;
  /// All sums so far, for checkpoints. They are equal on all ranks.
  std::vector<double> save() const;
  void load(const std::vector<double>& saved);

  /// Bytes of host memory, including a checkpoint's copy and the results.
  static double bytes(const lattice::Geometry& geometry, const PairsInTimeSettings& settings,
                      Index replicas);
  /// Bytes of working memory on the device of the spins.
  static double working_bytes(const lattice::Geometry& geometry,
                              const PairsInTimeSettings& settings, const ReplicaShare& replicas,
                              const Device& device);

 private:
  /// Sums over one kind of bins. The totals of a bin are either C, or C, C^2 and the number of
  /// pairs.
  struct Sums {
    std::unique_ptr<PairSums> sums;
    bool counts_pairs;
  };
  void begin(const spins::SpinState& state);
  void begin_sums(const spins::SpinState& state);
  /// Totals of all kinds for the first block of columns, then for the next one, and so on.
  std::vector<double> sums_of(const RowShare& share);
  double norm(Index left_out) const;
  BinsInTime finish_bins(Index first, const std::vector<Index>& turned,
                         const LagsToFrequencies& to_frequencies, int threads) const;

  lattice::Geometry geometry_;
  PairsInTimeSettings settings_;
  Index replicas_;
  JackknifeBlocks blocks_;
  TwoTimeMatrices samples_;     ///< blocks of columns by block of replicas
  std::vector<Sums> sums_;      ///< from `begin`: by distance, by displacement, between groups
  std::vector<double> pairs_;   ///< pairs in each bin of all kinds; empty before the first sample
  std::vector<double> values_;  ///< sums of C, (sample, block of columns, bin of all kinds)
};

}  // namespace larmor::correlations::real_space
