#pragma once
// Averages over time origins s. A function f takes a vector x of one atom at two times,
//
//   F_a(l) = < 1/n sum of the atoms of type a f(x(s), x(s + l)) >_s,
//
// for each replica. l is the lag, and n is the number of atoms of type a, or 1. Frames have equal
// time intervals. Each block of frames is treated as a separate run. Time origins are all frames of
// a block, or one frame in every few.

#include <deque>

#include "larmor/atoms/observables/blocked_means.hpp"
#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

struct LagSettings {
  Index lags = 1;             ///< number of lags: 0, 1, .., lags - 1 frames
  Index frames_of_block = 1;  ///< at least `lags`
  Index origin_every = 1;     ///< interval of origins, in frames
};

/// f(x, y)
enum class LaggedFunction {
  squared_distance,  ///< |y - x|^2
  product            ///< x.y
};

class LaggedAverages {
 public:
  /// @param types number of types
  /// @throws InputError if there are no lags, or more lags than frames in a block
  LaggedAverages(LaggedFunction function, const AtomLayout& layout, Index types,
                 const LagSettings& settings, int threads);

  /// Adds the next frame. @param vectors [atoms] @param type type of each atom @param n divisor of
  /// the sum [replica, type]
  void add(std::vector<Vec3<double>> vectors, std::span<const std::int32_t> type,
           std::span<const double> n);
  Index frames() const { return frames_; }
  Index lags() const { return settings_.lags; }

  /// F [type, lag] for each block and replica.
  const BlockedMeans& means() const { return means_; }

  /// All numbers of the averages, replica by replica. Replicas with equally many atoms have equally
  /// many numbers. FORMAT: in checkpoints.
  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  struct Origin {
    Index frame;  ///< number in the block
    std::vector<Vec3<double>> vectors;
  };
  void add_products(const Origin& origin, Index lag, std::span<const Vec3<double>> now,
                    std::span<const std::int32_t> type);
  void end_block(std::span<const double> n);

  LaggedFunction function_;
  AtomLayout layout_;
  Index types_;
  LagSettings settings_;
  int threads_;
  BlockedMeans means_;
  Index frames_ = 0;
  std::deque<Origin> origins_;  ///< origins that later frames of the block need
  std::vector<double> sum_;     ///< sum over origins [replica, type, lag]
  std::vector<double> count_;   ///< number of origins for each lag
};

}  // namespace larmor::atoms
