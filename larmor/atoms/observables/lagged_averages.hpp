#pragma once
// Averages over time origins of a function of a vector of each atom at two times,
//
//   F_a(l) = < 1/n sum of the atoms of type a f(x(s), x(s + l)) >_s,
//
// for each replica, n being the number of these atoms or 1. Frames are equally far apart in time.
// Each block of frames is taken for a run of its own, whose frames are origins all, or every few of
// them.

#include <deque>

#include "larmor/atoms/observables/blocked_means.hpp"
#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

struct LagSettings {
  Index lags = 1;             ///< 0, 1, .., lags - 1 frames
  Index frames_of_block = 1;  ///< `lags` at least
  Index origin_every = 1;     ///< frames from one origin to the next
};

/// f(x, y)
enum class LaggedFunction {
  squared_distance,  ///< |y - x|^2
  product            ///< x.y
};

class LaggedAverages {
 public:
  /// @param types how many there are
  /// @throws InputError for no lags, or more than a block has frames
  LaggedAverages(LaggedFunction function, const AtomLayout& layout, Index types,
                 const LagSettings& settings, int threads);

  /// The next frame. @param vectors [atoms] @param type of each atom @param n [replica, type]
  void add(std::vector<Vec3<double>> vectors, std::span<const std::int32_t> type,
           std::span<const double> n);
  Index frames() const { return frames_; }
  Index lags() const { return settings_.lags; }

  /// F [type, lag] of each block and replica.
  const BlockedMeans& means() const { return means_; }

  /// FORMAT: in checkpoints, replica by replica, as many numbers for each that has as many atoms.
  std::vector<double> save() const;
  void load(std::span<const double> saved);

 private:
  struct Origin {
    Index frame;  ///< of the block
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
  std::deque<Origin> origins_;  ///< those that later frames of the block meet
  std::vector<double> sum_;     ///< over origins, [replica, type, lag]
  std::vector<double> count_;   ///< origins of a lag
};

}  // namespace larmor::atoms
