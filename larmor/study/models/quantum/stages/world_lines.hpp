#pragma once
// The world lines of all replicas of a quantum Monte Carlo stage, in slices of imaginary time or in
// continuous time. A measurement reads its numbers from them.

#include <memory>

#include "larmor/core/device/device.hpp"
#include "larmor/core/update_counter.hpp"
#include "larmor/study/stages/stage.hpp"
#include "larmor/trotter/instance_exchange.hpp"
#include "larmor/trotter/transverse_ising.hpp"

namespace larmor::study {

enum class WorldLineUpdate { metropolis, heat_bath, lines, clusters };

/// Which numbers a measurement reads from a replica, one group after another. Averages of sites are
/// separate: see WorldLines::take_site_sums.
struct WorldLineNumbers {
  /// Energies and moments of the whole system. `energy2` is the square of the energy, `derivative`
  /// is D of trotter/estimators.hpp, and `mean` is the magnetisation averaged over imaginary time.
  enum Scalar { energy, energy2, derivative, abs_m, m2, m4, mean, mean2, scalars };

  Index sites = 0;
  Index times = 0;  ///< K, from 0 to beta / 2
  bool has_pairs = false;

  /// N <m m(tau)> [K].
  Index total() const { return scalars; }
  /// (1/N) sum_i <sz_i sz_i(tau)> [K].
  Index local() const { return total() + times; }
  /// sz_i sz_j for i < j.
  Index pairs() const { return local() + times; }
  Index pair(Index i, Index j) const { return pairs() + i * (2 * sites - i - 1) / 2 + j - i - 1; }
  Index count() const { return pairs() + (has_pairs ? sites * (sites - 1) / 2 : 0); }

  /// tau / beta of the times.
  std::vector<double> fractions() const;
  /// The number of slices is a multiple of this, so that each time is that of a slice.
  Index slices_of_times() const { return times > 1 ? 2 * (times - 1) : 2; }
  /// The distance of a time in slices.
  Index shift_of_time(Index time, Index slices) const {
    return times > 1 ? time * (slices / slices_of_times()) : slices / 2;
  }
};

/// Moments of the overlap of two copies in one slice, averaged over slices.
struct OverlapMoments {
  double q2, q4;
};

struct WorldLineChoice {
  Device device;
  Index slices;  ///< 0: continuous time
  WorldLineUpdate update;
  Index copies;  ///< replicas of each instance
  Index rungs;   ///< instances of a ladder that exchange replicas; 0: there are no exchanges
  std::uint64_t seed;
  WorldLineNumbers numbers;
};

/// The model of an update in slices.
trotter::TrotterSettings world_line_settings(Index slices, Index copies, WorldLineUpdate update);

class WorldLines {
 public:
  virtual ~WorldLines() = default;
  virtual void sweep(Index sweeps) = 0;
  /// Proposes exchanges of neighbouring rungs. @param parity 0 or 1
  virtual void exchange(int parity) = 0;
  /// @return (replica, number)
  virtual std::vector<double> measure() = 0;
  /// Sums of sx and sz of each site over copies, and over the measurements since the last call
  /// (instance, 2, site). A GPU keeps them until then.
  virtual std::vector<double> take_site_sums() = 0;
  /// Those of copies 0 and 1, 2 and 3, and so on, of each instance (instance, pair).
  virtual std::vector<OverlapMoments> overlaps() = 0;

  /// FORMAT: entries of a checkpoint with the spins, the sums of sites and the counts of exchanges.
  virtual void save(StageMemory& memory) const = 0;
  virtual void load(const StageMemory& memory) = 0;
  /// The fraction of accepted exchanges of each rung with the next.
  std::vector<double> acceptance() const;

 protected:
  WorldLines(const WorldLineChoice& choice, Index instances);
  void save_exchanges(StageMemory& memory) const;
  void load_exchanges(const StageMemory& memory);

  std::unique_ptr<trotter::InstanceExchange> exchange_;
};

/// @param steps the counter of the study @throws InputError for numbers that make no model
std::unique_ptr<WorldLines> make_world_lines(const WorldLineChoice& choice,
                                             const trotter::SystemGraph& graph,
                                             const std::vector<trotter::Instance>& instances,
                                             const UpdateCounter& steps);

}  // namespace larmor::study
