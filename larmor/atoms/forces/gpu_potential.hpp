#pragma once
// A potential on a GPU: what it is given, and what it gives. The equations are those of
// pair_gradients.hpp.

#include <cstdint>

#include "larmor/core/maths/vec3.hpp"

struct CUstream_st;

namespace larmor::atoms {

/// The neighbours of all atoms of all replicas, in a GPU's memory. An atom has `width` entries from
/// `atom * width` on, of which the first `count[atom]` are its row: the pairs within the cutoff,
/// with the order and the displacements of NeighbourRows. What stands behind them means nothing.
/// Atoms are counted over all replicas, those of one replica after the other.
struct GpuRowsView {
  Index atoms;
  Index width;                       ///< may differ from one evaluation to the next
  const std::int32_t* count;         ///< [atoms]
  const std::int32_t* neighbour;     ///< [atoms, width]
  const Vec3<double>* displacement;  ///< r_j + image - r_i, Angstrom [atoms, width]
  const std::int32_t* mirror;        ///< slot of the same pair in the other's row [atoms, width]

  Index entries() const { return atoms * width; }
  LARMOR_INLINE Index entry(Index atom, Index slot) const { return atom * width + slot; }
};

/// Potentials that overlay work one after the other on the same numbers: the first one writes them,
/// the others add to them.
class GpuPotential {
 public:
  GpuPotential() = default;
  GpuPotential(const GpuPotential&) = delete;
  GpuPotential& operator=(const GpuPotential&) = delete;
  virtual ~GpuPotential() = default;

  /// Angstrom. Pairs at this distance or farther have no energy.
  virtual double cutoff() const = 0;

  /// Launches the evaluation and does not wait for it. The numbers of an atom depend on its row
  /// alone, and are the same bits each time.
  /// @param rows with at least the pairs within `cutoff()`: those of the farthest reaching
  /// potential
  /// @param type of each atom, from 0 [atoms]
  /// @param energy E_i, eV [atoms] @param gradient g_ij, eV/Angstrom [atoms, width]
  /// @param adds true: adds to the energies and to the gradients of the rows; false: writes all of
  /// them, zeros too. Entries behind a row may be left as they are or hold anything
  virtual void evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                        Vec3<double>* gradient, bool adds, CUstream_st* stream) = 0;
};

}  // namespace larmor::atoms
