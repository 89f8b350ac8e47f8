#pragma once
// Energy, bispectrum components and gradients of one atom, or of one atom per lane of a Real.

#include "larmor/atoms/potentials/snap/density.hpp"
#include "larmor/atoms/potentials/snap/gradients.hpp"
#include "larmor/atoms/potentials/snap/group_kernel.hpp"
#include "larmor/atoms/potentials/snap/products.hpp"

namespace larmor::atoms::snap {
inline namespace LARMOR_ISA_NAMESPACE {

/// Offsets of arrays in the work array of an atom, counted in Reals.
struct AtomWork {
  Index half;        ///< Y; earlier, the sum of v (channels, half, 2)
  Index full;        ///< U (channels, full, 2)
  Index folded;      ///< (channels, half, 4, 2)
  Index components;  ///< (components of all channels)
  Index slope;       ///< dE/dB (components of all channels)
  Index product;     ///< coefficients of products (channels^3, triples)
  Index size;

  LARMOR_INLINE explicit AtomWork(const SnapView& view) {
    const Index channels = view.channels, cubed = channels * channels * channels;
    half = 0;
    full = half + channels * view.tables.half * 2;
    folded = full + channels * view.tables.full * 2;
    components = folded + channels * view.tables.half * 8;
    slope = components + cubed * view.tables.components;
    product = slope + cubed * view.tables.components;
    size = product + cubed * view.tables.triples;
  }
};

/// Computes U of every channel. @param neighbours neighbours(slot) returns the rotation of a slot
template <class Real, class Neighbours>
LARMOR_INLINE void find_density(const SnapView& view, int own_channel, const int* first_slot,
                                const Neighbours& neighbours, Real* sum, Real* U) {
  const SnapTablesView& t = view.tables;
  for (int channel = 0; channel < view.channels; ++channel) {
    Real* of_channel = sum + Index{channel} * t.half * 2;
    for (int n = 0; n < 2 * t.half; ++n) of_channel[n] = Real(0.0);
    int slot = first_slot[channel];
    for (; slot + 1 < first_slot[channel + 1]; slot += 2) {
      const NeighbourRotation<Real> two[2] = {neighbours(slot), neighbours(slot + 1)};
      add_neighbours(t, two, of_channel);
    }
    if (slot < first_slot[channel + 1]) {
      const NeighbourRotation<Real> one[1] = {neighbours(slot)};
      add_neighbours(t, one, of_channel);
    }
    const bool counts_itself = view.self_in_all || channel == own_channel;
    make_whole<Real>(t, counts_itself ? 1.0 : 0.0, of_channel, U + Index{channel} * t.full * 2);
  }
}

/// Calls visit(k, l, triple, j, mb, ma, Z) for every product Z of two channels k and l.
template <class Real, class Visit>
LARMOR_INLINE void visit_products(const SnapView& view, Real* U, const Visit& visit) {
  for (int k = 0; k < view.channels; ++k)
    for (int l = 0; l < view.channels; ++l) {
      Real* first = U + Index{k} * view.tables.full * 2;
      Real* second = U + Index{l} * view.tables.full * 2;
      for (int pair = 0; pair < view.tables.pairs; ++pair)
        products_of_pair<Real>(view.tables, pair, first, second, k == l,
                               [&](int triple, int j, int mb, int ma, const Complex<Real>& Z) {
                                 visit(k, l, triple, j, mb, ma, Z);
                               });
    }
}

/// Computes B of every three channels, and subtracts `zero`.
template <class Real>
LARMOR_INLINE void find_components(const SnapView& view, const double* zero, Real* U, Real* B) {
  const SnapTablesView& t = view.tables;
  const int cubed = view.channels * view.channels * view.channels;
  for (int n = 0; n < cubed * t.components; ++n) B[n] = Real(-zero[n]);
  visit_products(
      view, U, [&](int k, int l, int triple, int j, int mb, int ma, const Complex<Real>& Z) {
        const int component = t.component[triple];
        if (component < 0) return;
        const double whole = 2 * ma == j && 2 * mb == j ? 1.0 : 2.0;
        const Real weight(view.normalised ? whole / (j + 1) : whole);
        const int element = t.layer_start[j] + mb * (j + 1) + ma;
        for (int m = 0; m < view.channels; ++m) {
          const Real* u = U + 2 * (Index{m} * t.full + element);
          Real& b = B[((k * view.channels + l) * view.channels + m) * t.components + component];
          b = b + weight * real_product(Complex<Real>{u[0], u[1]}, Z);
        }
      });
}

/// E of a quadratic potential, and dE/dB.
template <class Real, class Array>
LARMOR_INLINE Real quadratic_energy(const SnapElementView& element, int components, Array B,
                                    Array slope) {
  Real E(element.constant);
  for (int k = 0; k < components; ++k) {
    const Real beta(element.coefficients[k]);
    E = E + beta * B[k];
    slope[k] = beta;
  }
  const double* A = element.coefficients + components;
  for (int k = 0; k < components; ++k) {
    Real of_row = Real(*A++) * B[k];
    E = E + Real(0.5) * of_row * B[k];
    Real above(0.0);
    for (int l = k + 1; l < components; ++l, ++A) {
      above = above + Real(*A) * B[l];
      slope[l] = slope[l] + Real(*A) * B[k];
    }
    E = E + above * B[k];
    slope[k] = slope[k] + of_row + above;
  }
  return E;
}

/// Computes coefficients of products from dE/dB.
template <class Real, class Array>
LARMOR_INLINE void find_product_coefficients(const SnapView& view, Array slope, Array product) {
  const int count = view.channels * view.channels * view.channels * view.tables.triples;
  const ProductShare* share = view.share;
  for (int n = 0; n < count; ++n) {
    product[n] = Real(0.0);
    for (int s = 0; s < shares_of_product; ++s, ++share)
      product[n] = product[n] + Real(share->factor) * slope[share->component];
  }
}

/// Computes Y of every channel. @param coefficient coefficients of products, doubles or Reals
/// (channels^3, triples)
template <class Real, class Coefficient>
LARMOR_INLINE void find_adjoint(const SnapView& view, const Coefficient* coefficient, Real* U,
                                Real* Y) {
  const SnapTablesView& t = view.tables;
  for (int n = 0; n < view.channels * t.half * 2; ++n) Y[n] = Real(0.0);
  visit_products(
      view, U, [&](int k, int l, int triple, int j, int mb, int ma, const Complex<Real>& Z) {
        const int element = t.row_start[j][mb] + ma;
        for (int m = 0; m < view.channels; ++m) {
          const Real c(
              coefficient[((k * view.channels + l) * view.channels + m) * t.triples + triple]);
          Real* y = Y + 2 * (Index{m} * t.half + element);
          y[0] = y[0] + c * Z.re;
          y[1] = y[1] + c * Z.im;
        }
      });
}

/// @param gradients called as gradients(slot, dE/dr) for each neighbour
template <GradientMethod method, class Real, class Neighbours, class Gradients>
LARMOR_INLINE void find_gradients(const SnapView& view, const int* first_slot,
                                  const Neighbours& neighbours, Real* Y, Real* folded,
                                  const Gradients& gradients) {
  const SnapTablesView& t = view.tables;
  for (int channel = 0; channel < view.channels; ++channel) {
    Real* of_channel = Y + Index{channel} * t.half * 2;
    const int end = first_slot[channel + 1];
    int slot = first_slot[channel];
    if constexpr (method == GradientMethod::derivatives) {
      fold<Real>(t, of_channel, folded);
      for (; slot < end; ++slot)
        gradients(slot, gradient_by_derivatives<Real>(t, neighbours(slot), folded));
    } else {
      fold_with_generators<Real>(t, of_channel, folded);
      for (; slot + 1 < end; slot += 2) {
        const NeighbourRotation<Real> two[2] = {neighbours(slot), neighbours(slot + 1)};
        Vec3<Real> gradient[2];
        gradients_by_generators(t, two, folded, gradient);
        gradients(slot, gradient[0]);
        gradients(slot + 1, gradient[1]);
      }
      if (slot < end) {
        const NeighbourRotation<Real> one[1] = {neighbours(slot)};
        Vec3<Real> gradient[1];
        gradients_by_generators(t, one, folded, gradient);
        gradients(slot, gradient[0]);
      }
    }
  }
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
