#pragma once
// O(N) phi^4 on a regular grid, fields phi_x of N real components:
//
//   S = sum_x [ -2 kappa sum_mu phi_x.phi_{x+mu} + phi_x^2 + lambda (phi_x^2 - 1)^2 ],
//
// with the weight exp(-S) and every bond (x, mu) once. At lambda = infinity, |phi_x| = 1. The
// fields are then Ising, XY, Heisenberg or O(4) spins with beta J = 2 kappa.
//
// BITS: fields are floats. Updates are computed in float from + - * / square roots and integer
// operations only. A CPU and a GPU therefore agree if neither of them fuses a product and a sum
// into one operation. Sums over sites are doubles.

#include "larmor/clusters/regular_grid.hpp"
#include "larmor/core/maths/math.hpp"

namespace larmor::phi4 {

inline constexpr int most_components = 8;

/// Pointers and sizes that kernels read; the arrays are on the device.
struct FieldView {
  clusters::GridView grid;
  Index sites, replicas;
  int components;
  float* field;          ///< (replica, component, site)
  const double* kappa;   ///< [replica]
  const double* lambda;  ///< [replica], may be infinite
  bool has_lazy_sweeps;  ///< are sweeps of Metropolis for Ising spins lazy at every kappa? Sweeps
                         ///< at kappa = 0 are always lazy
};

inline namespace LARMOR_ISA_NAMESPACE {

/// N components of one site, or of several sites in a pack.
template <int N, class Real = float>
struct Components {
  Real c[N];
};

template <int N, class Real>
LARMOR_INLINE Real dot(const Components<N, Real>& a, const Components<N, Real>& b) {
  Real sum = a.c[0] * b.c[0];
  for (int n = 1; n < N; ++n) sum = sum + a.c[n] * b.c[n];
  return sum;
}

/// A lambda above the range of floats counts as infinite.
LARMOR_INLINE bool is_infinite(double lambda) { return lambda > 3e38; }

// The colour of a site is the sum of its colours along all axes, modulo the number of colours.
// Along an axis, two colours alternate. The last site of a periodic axis of odd length has a third
// colour.

/// Is an axis periodic and of odd length?
LARMOR_INLINE bool is_odd_ring(const clusters::GridView& grid, int axis) {
  return grid.periodic[axis] && grid.length[axis] % 2 == 1 && grid.length[axis] > 1;
}
LARMOR_INLINE int colour_along(const clusters::GridView& grid, int axis, std::uint64_t x) {
  return is_odd_ring(grid, axis) && x + 1 == grid.length[axis] ? 2 : static_cast<int>(x % 2);
}
LARMOR_INLINE int colours_of(const clusters::GridView& grid) {
  for (int axis = 0; axis < grid.axes; ++axis)
    if (is_odd_ring(grid, axis)) return 3;
  return 2;
}

template <int N>
LARMOR_INLINE Components<N> load(const FieldView& view, Index replica, std::uint64_t site) {
  const float* const own = view.field + replica * N * view.sites + site;
  Components<N> phi;
  for (int n = 0; n < N; ++n) phi.c[n] = own[n * view.sites];
  return phi;
}
template <int N>
LARMOR_INLINE void store(const FieldView& view, Index replica, std::uint64_t site,
                         const Components<N>& phi) {
  float* const own = view.field + replica * N * view.sites + site;
  for (int n = 0; n < N; ++n) own[n * view.sites] = phi.c[n];
}

/// Corrects a vector to length 1, to second order in the deviation that rounding has caused.
template <int N, class Real>
LARMOR_INLINE Components<N, Real> restored_length(const Components<N, Real>& phi) {
  const Real scale = Real(1.5f) - Real(0.5f) * dot(phi, phi);
  Components<N, Real> unit;
  for (int n = 0; n < N; ++n) unit.c[n] = phi.c[n] * scale;
  return unit;
}

/// B = sum of the fields of all neighbours. A neighbour with two bonds counts twice. BITS: fields
/// are added axis by axis, first the neighbour in + direction.
template <int N>
LARMOR_INLINE Components<N> neighbour_sum(const FieldView& view, Index replica,
                                          std::uint64_t site) {
  const clusters::GridView& grid = view.grid;
  Components<N> sum{};
  const auto add = [&](std::uint64_t other) {
    const Components<N> phi = load<N>(view, replica, other);
    for (int n = 0; n < N; ++n) sum.c[n] = sum.c[n] + phi.c[n];
  };
  for (int axis = 0; axis < grid.axes; ++axis) {
    const std::uint64_t x = clusters::coordinate(grid, site, axis);
    if (has_bond(grid, x, axis)) add(next_site(grid, site, x, axis));
    const std::uint64_t before = x > 0 ? x - 1 : grid.length[axis] - 1;
    if (has_bond(grid, before, axis))
      add(x > 0 ? site - grid.stride[axis] : site + before * grid.stride[axis]);
  }
  return sum;
}

/// Adds the numbers of a site to sums. They are sum_mu phi_x.phi_{x+mu}, phi^2, phi^4, and the
/// components.
template <int N>
struct SiteNumbers {
  static constexpr int count = 3 + N;
  FieldView view;

  LARMOR_INLINE void operator()(Index place, Index replica, double (&sums)[count]) const {
    const auto site = static_cast<std::uint64_t>(place);
    const clusters::GridView& grid = view.grid;
    const Components<N> phi = load<N>(view, replica, site);
    double square = 0, links = 0;
    for (int n = 0; n < N; ++n)
      square += static_cast<double>(phi.c[n]) * static_cast<double>(phi.c[n]);
    for (int axis = 0; axis < grid.axes; ++axis) {
      const std::uint64_t x = clusters::coordinate(grid, site, axis);
      if (!has_bond(grid, x, axis)) continue;
      const Components<N> other = load<N>(view, replica, next_site(grid, site, x, axis));
      for (int n = 0; n < N; ++n)
        links += static_cast<double>(phi.c[n]) * static_cast<double>(other.c[n]);
    }
    sums[0] += links;
    sums[1] += square;
    sums[2] += square * square;
    for (int n = 0; n < N; ++n) sums[3 + n] += static_cast<double>(phi.c[n]);
  }
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::phi4
