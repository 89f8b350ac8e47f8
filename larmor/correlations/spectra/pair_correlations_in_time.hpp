#pragma once
// Correlations of two spins at two times, of M trajectories, as means over pairs of sites by their
// distance, by their displacement r' - r in cells, and between groups of sites:
//
//     C(r,r',t) = (1/M) sum_m e_r(0).e_r'(t), or connected: less <e_r(0)>.<e_r'(t)>, by M - 1
//
// (Chen, Chen, Turner, Feiguin (2023), Eqs. 3 to 5, where r is the site at t), from the first
// sample on, and their transforms
//
//     S(r,r',w) = int dt exp(+i w t) w(t) C(r,r',t),      C(r,r',-t) = C(r',r,t).
//
// The mean at a displacement d is the van Hove correlation function: the sum over pairs of
// exp(-i q.(r' - r)) times it is N S(q,t), and times its transform N S(q,w), with the window w(t),
// the lags and the frequencies of structure factors (time_transform.hpp). C of negative times is
// that of the pair turned round, which is what S(q,-t) = conj S(q,t) says of real space. Sums are
// over pairs, O(N^2 M) a sample, for any disorder and any boundary.
//
// Errors are a jackknife over blocks of replicas, as in real_space_structure_factor.hpp.

#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "larmor/correlations/pairs/make_pair_sums.hpp"
#include "larmor/correlations/spectra/two_time_matrices.hpp"
#include "larmor/correlations/spectra/window.hpp"

namespace larmor::correlations {
class LagsToFrequencies;
}

namespace larmor::correlations::real_space {

struct PairsInTimeSettings {
  Index bins = 0;    ///< of distance; 0: none
  double width = 1;  ///< of a bin, length
  std::optional<DisplacementBins> displacement;
  std::vector<std::int32_t> group;  ///< of each canonical site, from 0; -1: none; empty: all none
  Index groups = 0;
  double interval = 1;  ///< time between samples
  Index samples = 1;    ///< T
  Window window = Window::hann;
  double window_width = gaussian_width;  ///< of a Gaussian
  bool connected = true;
  Index error_blocks = 0;  ///< of replicas, left out in turn for the errors
  PairPrecision precision = PairPrecision::full;

  /// Of all kinds together.
  Index all_bins() const {
    return bins + (displacement ? displacement->bins() : 0) + groups * groups;
  }
};

/// Of the bins of one kind; none where it was not asked for.
struct BinsInTime {
  std::vector<double> pairs;                   ///< ordered, a site with itself among them, [B]
  std::vector<double> mean, error;             ///< of C, [T,B]; NaN where no pairs are
  std::vector<std::complex<double>> spectrum;  ///< [F,B]
  std::vector<double> spectrum_error;          ///< of its real part, [F,B]
};

struct PairsInTimeResult {
  std::vector<double> time, frequency;        ///< [T], [F] with F = 2 T - 1, ascending
  BinsInTime distance, displacement, groups;  ///< errors are empty where there are no blocks
  Index error_blocks = 0;
};

class PairCorrelationsInTime {
 public:
  /// @param replicas of the study @param world the ranks that have them; null: this one
  /// @throws InputError for connected correlations of a single replica
  PairCorrelationsInTime(const lattice::Geometry& geometry, const PairsInTimeSettings& settings,
                         Index replicas, const Communicator* world = nullptr);

  /// The next sample. @throws InternalError beyond the number announced, or for another number of
  /// sites or replicas @throws MachineError when a GPU lacks what sums over pairs need
  void add(const spins::SpinState& state);
  /// Does one of so many equal parts of a sample's work, for estimates: after it nothing is added.
  /// @return how many
  Index try_part(const spins::SpinState& state);
  PairsInTimeResult finish(int threads) const;
  /// All that is known so far, for checkpoints; the same on all ranks.
  std::vector<double> save() const;
  void load(const std::vector<double>& saved);

  /// Bytes of the host, a checkpoint's copy and results included.
  static double bytes(const lattice::Geometry& geometry, const PairsInTimeSettings& settings,
                      Index replicas);
  /// Bytes that it works in, where the spins are.
  static double working_bytes(const lattice::Geometry& geometry,
                              const PairsInTimeSettings& settings, const ReplicaShare& replicas,
                              const Device& device);

 private:
  /// Sums of one kind of bins, whose totals are C alone, or C, C^2 and the number of pairs.
  struct Sums {
    std::unique_ptr<PairSums> sums;
    bool counts_pairs;
  };
  void begin(const spins::SpinState& state);
  void begin_sums(const spins::SpinState& state);
  /// Of all kinds, slice after slice.
  std::vector<double> sums_of(const RowShare& part);
  double norm(Index left_out) const;
  BinsInTime finish_bins(Index first, const std::vector<Index>& turned,
                         const LagsToFrequencies& to_frequencies, int threads) const;

  lattice::Geometry geometry_;
  PairsInTimeSettings settings_;
  Index replicas_;
  JackknifeBlocks blocks_;
  TwoTimeMatrices samples_;     ///< slices block by block
  std::vector<Sums> sums_;      ///< since `begin`: by distance, by displacement, between groups
  std::vector<double> pairs_;   ///< of each bin of all kinds; empty before the first sample
  std::vector<double> values_;  ///< sums of C, (sample, slice, bin of all kinds)
};

}  // namespace larmor::correlations::real_space
