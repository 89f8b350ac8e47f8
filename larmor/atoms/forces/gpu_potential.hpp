#pragma once
// The interface of a potential on a GPU. The equations are those of pair_gradients.hpp.

#include <cstdint>

#include "larmor/core/gpu/warp.hpp"
#include "larmor/core/maths/vec3.hpp"

struct CUstream_st;

namespace larmor::atoms {

/// The neighbours of all atoms of all replicas, in a GPU's memory. An atom has `width` entries from
/// `atom * width` on. The first `count[atom]` entries are the row of the atom: the pairs within the
/// cutoff, with the order and the displacements of NeighbourRows. The entries behind the row are
/// undefined. Atoms are counted over all replicas, one replica after the other.
struct GpuRowsView {
  Index atoms;
  Index width;                       ///< may differ between evaluations
  const std::int32_t* count;         ///< [atoms]
  const std::int32_t* neighbour;     ///< [atoms, width]
  const Vec3<double>* displacement;  ///< r_j + image - r_i, Angstrom [atoms, width]
  const std::int32_t* mirror;        ///< slot of this pair in the neighbour's row [atoms, width]

  Index entries() const { return atoms * width; }
  LARMOR_INLINE Index entry(Index atom, Index slot) const { return atom * width + slot; }
};

/// The potentials of one force field run one after the other on shared arrays. The first potential
/// writes the arrays, and each later one adds to them.
class GpuPotential {
 public:
  GpuPotential() = default;
  GpuPotential(const GpuPotential&) = delete;
  GpuPotential& operator=(const GpuPotential&) = delete;
  virtual ~GpuPotential() = default;

  /// The cutoff, Angstrom. Pairs at this distance or farther have no energy.
  virtual double cutoff() const = 0;

  /// Launches the evaluation and does not wait for it. The numbers of an atom depend only on the
  /// row of the atom, and have equal bits each time.
  /// @param rows at least the pairs within `cutoff()`; the rows reach as far as the largest cutoff
  /// of all potentials
  /// @param type type of each atom, from 0 [atoms]
  /// @param energy E_i, eV [atoms] @param gradient g_ij, eV/Angstrom [atoms, width]
  /// @param adds true: adds to the energies and to the gradients of the rows; false: writes all of
  /// these numbers, also zeros. The entries behind a row are undefined afterwards
  virtual void evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                        Vec3<double>* gradient, bool adds, CUstream_st* stream) = 0;
};

inline constexpr int warps_of_block = 4;

}  // namespace larmor::atoms
