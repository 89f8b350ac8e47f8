#pragma once
// Device functions and a base class that several methods share.

#include <cuda_runtime.h>

#include "bench/snap_variants/problem.hpp"
#include "bench/snap_variants/variants.hpp"
#include "larmor/atoms/potentials/snap/density.hpp"
#include "larmor/atoms/potentials/snap/gradients.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"

namespace larmor::bench {

using atoms::snap::Complex;
using atoms::snap::NeighbourRotation;

inline constexpr int snap_variant_threads = 128;

/// Starts a kernel with one thread for each of `count` items.
template <class... Parameters, class... Arguments>
void launch_snap_variant(const Device& device, const char* name, Index count,
                         void (*kernel)(Parameters...), const Arguments&... arguments) {
  const larmor::cuda::LaunchRegion region(device.ordinal, name);
  larmor::cuda::launch(device.ordinal, larmor::cuda::shape_of(count, 1, snap_variant_threads),
                       kernel, arguments...);
}

/// The work of a thread: one item of an atom, for instance the pair of the atom with one neighbour.
struct VariantWork {
  Index atom;
  int item;
};

/// Finds the work of this thread. @return whether there is any
__device__ inline bool find_work(const SnapVariantView& view, Index items, VariantWork& work) {
  const Index thread = static_cast<Index>(blockIdx.x) * snap_variant_threads + threadIdx.x;
  if (thread >= view.atoms * items) return false;
  work.atom = view.atom_fastest ? thread % view.atoms : thread / items;
  work.item = static_cast<int>(view.atom_fastest ? thread / view.atoms : thread % items);
  return true;
}

/// Finds the pair of atoms for this thread. @return whether the atom has this neighbour
__device__ inline bool find_pair_work(const SnapVariantView& view, VariantWork& work) {
  return find_work(view, view.slots, work) && work.item < view.count[work.atom];
}

__device__ inline NeighbourRotation<double> rotation_of(const SnapVariantView& view, Index atom,
                                                        int slot) {
  const Strided<const double> r = view.displacement.at(atom, slot);
  return atoms::snap::neighbour_rotation<double>(view.rule, {view.cutoff, view.weight, 0, 1},
                                                 {r[0], r[1], r[2]});
}

/// Adds an atom's own contribution to U. @param U (full, 2)
__device__ inline void add_itself(const SnapVariantView& view, Strided<double> U) {
  for (int j = 0; j <= view.tables.twojmax; ++j)
    for (int m = 0; m <= j; ++m) U[2 * (view.tables.layer_start[j] + m * (j + 2))] += 1;
}

/// Z_j1j2j[mb][ma], computed from U. @param U (full, 2)
__device__ inline Complex<double> product_of(const atoms::snap::SnapTablesView& t,
                                             const ProductEntry& e, Strided<double> U) {
  const int pair = e.j1 * (e.j1 + 1) / 2 + e.j2, shift = (e.j1 + e.j2 - e.j) / 2;
  const atoms::snap::CouplingBlock* blocks = t.block + t.pair_block[pair] + shift;
  const atoms::snap::CouplingBlock &of_b = blocks[e.mb], &of_a = blocks[e.ma];
  const double* c_b = t.coefficient + of_b.first + (e.j - of_b.low_j) / 2 * of_b.count_m1;
  const double* c_a = t.coefficient + of_a.first + (e.j - of_a.low_j) / 2 * of_a.count_m1;
  Complex<double> Z{0, 0};
  for (int k_b = 0; k_b < of_b.count_m1; ++k_b) {
    const int mb1 = of_b.low_m1 + k_b, mb2 = e.mb + shift - mb1;
    int first = t.layer_start[e.j1] + mb1 * (e.j1 + 1) + of_a.low_m1;
    int second = t.layer_start[e.j2] + mb2 * (e.j2 + 1) + e.ma + shift - of_a.low_m1;
    Complex<double> of_row{0, 0};
    for (int k_a = 0; k_a < of_a.count_m1; ++k_a, ++first, --second)
      of_row = of_row + c_a[k_a] * (Complex<double>{U[2 * first], U[2 * first + 1]} *
                                    Complex<double>{U[2 * second], U[2 * second + 1]});
    Z = Z + c_b[k_b] * of_row;
  }
  return Z;
}

/// Stores an element of half a matrix, and its mirror image, in full matrices.
template <class Store>
__device__ void visit_images(const HalfPlace& place, const Complex<double>& u, const Store& store) {
  store(place.here, u);
  if (place.there != place.here) store(place.there, atoms::snap::mirrored(place.is_odd, u));
}

/// Calls visit(n, w f u) for all elements n of the stored half of the matrices.
template <class Visit>
__device__ void visit_weighted(const SnapVariantView& view, const NeighbourRotation<double>& g,
                               const Visit& visit) {
  const atoms::snap::CayleyKlein<double> of_one[1] = {atoms::snap::cayley_klein(g)};
  atoms::snap::walk_rows(view.tables.twojmax, of_one,
                         [&](int n, const atoms::snap::Elements<1, double>& e) {
                           visit(n, (g.weight * view.tables.norm[n]) * e.v[0]);
                         });
}

/// Calls visit(n, c, d(w f u)/dr_c) for all elements n of the stored half and the axes c.
template <class Visit>
__device__ void visit_slopes(const SnapVariantView& view, const NeighbourRotation<double>& g,
                             const Visit& visit) {
  const double along[3] = {g.direction.x, g.direction.y, g.direction.z};
  atoms::snap::walk_differentiated_rows(
      view.tables.twojmax, atoms::snap::differentiated(g),
      [&](int n, const atoms::snap::Differentiated<double>& e) {
        for (int c = 0; c < 3; ++c)
          visit(n, c,
                view.tables.norm[n] * ((g.weight_slope * along[c]) * e.v + g.weight * e.d[c]));
      });
}

/// Weight of an element of the stored half in sums over whole matrices.
__device__ inline double weight_of(const HalfPlace& place) {
  return place.here == place.there ? 1 : 2;
}

/// Adds the force of a pair to both of its atoms, with opposite signs. @param forces (atom, 3)
__device__ inline void add_to_both(const SnapVariantView& view, const VariantWork& pair,
                                   const double (&gradient)[3], double* forces) {
  const Index other = view.neighbour.at(pair.atom, pair.item)[0];
  for (int c = 0; c < 3; ++c) {
    atomicAdd(forces + 3 * pair.atom + c, gradient[c]);
    atomicAdd(forces + 3 * other + c, -gradient[c]);
  }
}

/// Common data of all methods: the problem, and the forces.
class SnapVariantForces : public SnapVariantMethod {
 public:
  std::vector<Vec3<double>> forces() override;

 protected:
  SnapVariantForces(const Device& device, const atoms::snap::SnapPotential& potential,
                    const atoms::NeighbourRows& rows, bool atom_fastest)
      : device_(device),
        problem_(device, potential, rows, atom_fastest),
        forces_(device, 3 * rows.atoms()) {}

  const SnapVariantView& view() const { return problem_.view(); }
  template <class... Parameters, class... Arguments>
  void launch_for(Index items, const char* name, void (*kernel)(Parameters...),
                  const Arguments&... arguments) const {
    launch_snap_variant(device_, name, view().atoms * items, kernel, arguments...);
  }
  void clear(Array<double>& array) const;
  /// Computes forces from dE_i/dr_ij. @param gradient (pair, 3)
  void gather(const VariantArray<double>& gradient);
  /// Allocates `items` numbers for every atom or pair, on the device.
  VariantArray<double> of_atoms(Array<double>& array, Index items) const {
    array = Array<double>(device_, view().atoms * items);
    return problem_.of_atoms(array, items);
  }
  VariantArray<double> of_pairs(Array<double>& array, Index items) const {
    array = Array<double>(device_, view().atoms * view().slots * items);
    return problem_.of_pairs(array, items);
  }

  Device device_;
  SnapVariantProblem problem_;
  Array<double> forces_;  ///< (atom, 3)
};

}  // namespace larmor::bench
