#pragma once
// Layout of spins for sweeps. Positions form blocks of eight. A group has as many blocks as a call
// of Philox has words.

#include <cstdint>

#include "larmor/core/maths/philox.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/types.hpp"

namespace larmor::ground_states {

inline constexpr int block_spins = 8;
inline constexpr int group_blocks = 4;

/// BITS: the purpose of a sweep's random numbers, which is also the block number of Philox.
enum class DrawnFor : std::uint32_t { flips = 0, cluster = 1, pairs = 2, partners = 3 };

/// The couplings of every position. Dense rows hold all couplings, and sparse rows hold only those
/// that are not 0. Numbers are float if they are whole and small enough to be exact.
template <class Number>
struct RowsView {
  Index spins;                 ///< number of spins; they have the first positions
  Index blocks;                ///< number of blocks of positions
  const Number* dense;         ///< (position, position); null: rows are sparse
  const std::int64_t* begin;   ///< where the sparse row of a position begins [positions + 1]
  const std::int32_t* column;  ///< the other position
  const Number* coupling;      ///< J to the other position
  /// Does no coupling join two positions of a block? [blocks]
  const std::uint8_t* is_independent;
};

/// A configuration, and field_i = h_i + sum_j J_ij s_j. The positions after the last spin have a
/// field that prevents flips.
template <class Number>
struct ReplicaView {
  Number* spin;  ///< -1 or 1
  Number* field;
};

/// Flips a spin and updates the fields of its neighbours. Rows must be sparse. @return change of
/// the energy
template <class Number>
LARMOR_INLINE double flip_sparse(const RowsView<Number>& rows, const ReplicaView<Number>& replica,
                                 Index position) {
  const Number twice = -2 * replica.spin[position];
  const double change = static_cast<double>(twice) * replica.field[position];
  replica.spin[position] = -replica.spin[position];
  for (std::int64_t n = rows.begin[position]; n < rows.begin[position + 1]; ++n)
    replica.field[rows.column[n]] += twice * rows.coupling[n];
  return change;
}

/// Metropolis, position by position: a flip changes the energy by -2 s field.
template <class Number>
struct SweepKernels {
  /// @param half_temperature k_B T / 2 @param key with the step of the first sweep, and
  /// Stream::problem_update @return change of the energy
  double (*sweep)(const RowsView<Number>& rows, const ReplicaView<Number>& replica,
                  double half_temperature, RandomKey key, Index of_replica, Index sweeps);
  /// Metropolis for pairs. Every block draws one partner. For each position of the block, a flip
  /// together with the partner is proposed. Rows must be dense.
  double (*sweep_pairs)(const RowsView<Number>& rows, const ReplicaView<Number>& replica,
                        double half_temperature, const RandomKey& key, Index of_replica);
  /// Flips spins if this lowers the energy, until no flip lowers it. @param margin a flip must
  /// lower the energy by more than twice this @return change of the energy
  double (*descend)(const RowsView<Number>& rows, const ReplicaView<Number>& replica,
                    double margin);
};

struct SweepKernelSet {
  SweepKernels<float> of_floats;
  SweepKernels<double> of_doubles;
};

LARMOR_CPU_KERNELS(SweepKernelSet, sweep_kernels)

}  // namespace larmor::ground_states
