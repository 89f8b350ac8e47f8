#pragma once
// How spins lie for sweeps. Positions are cut into blocks of eight, and into groups of as many
// blocks as a call of Philox has words.

#include <cstdint>

#include "larmor/core/maths/philox.hpp"
#include "larmor/core/types.hpp"

namespace larmor::ground_states {

inline constexpr int block_spins = 8;
inline constexpr int group_blocks = 4;

/// BITS: what random numbers of a sweep's key are for, as the block of Philox.
enum class DrawnFor : std::uint32_t { flips = 0, cluster = 1, pairs = 2, partners = 3 };

/// Couplings of every position, either all of them or those that are not 0. Numbers are float where
/// whole numbers are small enough to be exact in it.
template <class Number>
struct RowsView {
  Index spins;                 ///< the first positions
  Index blocks;                ///< of all positions
  const Number* dense;         ///< (position, position); null: rows are sparse
  const std::int64_t* begin;   ///< of the sparse row of a position [positions + 1]
  const std::int32_t* column;  ///< other position
  const Number* coupling;      ///< J to it
  /// Does no coupling join two positions of a block? [blocks]
  const std::uint8_t* is_independent;
};

/// A configuration, and field_i = h_i + sum_j J_ij s_j. The positions behind the last spin have a
/// field that never lets them flip.
template <class Number>
struct ReplicaView {
  Number* spin;  ///< -1 or 1
  Number* field;
};

/// Flips a spin, and tells the spins that it is coupled to, of sparse rows. @return change of the
/// energy
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
  /// Metropolis of pairs: every block has a partner drawn anew, which each of its positions flips
  /// with itself. Rows are dense.
  double (*sweep_pairs)(const RowsView<Number>& rows, const ReplicaView<Number>& replica,
                        double half_temperature, const RandomKey& key, Index of_replica);
  /// Flips what lowers the energy, until nothing does. @param margin a flip has to lower the energy
  /// by more than twice this @return change of the energy
  double (*descend)(const RowsView<Number>& rows, const ReplicaView<Number>& replica,
                    double margin);
};

struct SweepKernelSet {
  SweepKernels<float> of_floats;
  SweepKernels<double> of_doubles;
};

const SweepKernelSet& sweep_kernels();

}  // namespace larmor::ground_states
