#pragma once
// walk_rows (rotation_rows.hpp) with rows that stay in registers. Loops over ma have a constant
// length and skip the elements that a row does not have.

#include "larmor/atoms/potentials/snap/rotation_rows.hpp"

namespace larmor::atoms::snap {

/// Calls visit(n, row, size) for all rows of the half in their order. The row of v is row[0] to
/// row[size - 1], and n is the number of its first element. @tparam most largest 2J
template <int most, class Real, class Visit>
__device__ void walk_rows_in_registers(int twojmax, const CayleyKlein<Real>& g,
                                       const Visit& visit) {
  Complex<Real> row[most + 1], last_row[most + 1];
#pragma unroll
  for (int ma = 0; ma <= most; ++ma) last_row[ma] = {Real(0), Real(0)};
  int n = 0;
  for (int mb = 0; 2 * mb <= twojmax; ++mb) {
    // The last row of the previous half, times b + a x.
#pragma unroll
    for (int ma = most; ma >= 0; --ma) {
      row[ma] = g.b * last_row[ma];
      if (ma > 0) row[ma] = row[ma] + g.a * last_row[ma - 1];
    }
    if (mb == 0) row[0] = {Real(1), Real(0)};
    visit(n, row, mb + 1);
    n += mb + 1;
    for (int j = 2 * mb + 1; j <= twojmax; ++j) {
      Complex<Real> before{Real(0), Real(0)};
#pragma unroll
      for (int ma = 0; ma <= most; ++ma) {
        if (ma > j) break;
        const Complex<Real> here = row[ma];
        row[ma] = conj_times(g.a, here) - conj_times(g.b, before);
        before = here;
      }
      visit(n, row, j + 1);
      n += j + 1;
      if (j == 2 * mb + 1) {
#pragma unroll
        for (int ma = 0; ma <= most; ++ma) last_row[ma] = row[ma];
      }
    }
  }
}

}  // namespace larmor::atoms::snap
