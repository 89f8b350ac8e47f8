// SNAP from its definition, in long double.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "bench/snap_system.hpp"
#include "larmor/atoms/potentials/snap/clebsch_gordan.hpp"
#include "larmor/atoms/potentials/snap/rotation_rows.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::atoms;

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

/// A number and its derivatives by the three coordinates of one atom.
struct Dual {
  long double value = 0;
  long double slope[3] = {0, 0, 0};

  Dual() = default;
  Dual(long double number) : value(number) {}

  /// f of this number, with its derivatives. @param slope_of_f derivative of f at this number's
  /// value
  Dual mapped(long double f, long double slope_of_f) const {
    Dual result(f);
    for (int c = 0; c < 3; ++c) result.slope[c] = slope_of_f * slope[c];
    return result;
  }
  friend Dual operator+(const Dual& x, const Dual& y) {
    Dual sum(x.value + y.value);
    for (int c = 0; c < 3; ++c) sum.slope[c] = x.slope[c] + y.slope[c];
    return sum;
  }
  friend Dual operator-(const Dual& x) { return x.mapped(-x.value, -1); }
  friend Dual operator-(const Dual& x, const Dual& y) { return x + -y; }
  friend Dual operator*(const Dual& x, const Dual& y) {
    Dual product(x.value * y.value);
    for (int c = 0; c < 3; ++c) product.slope[c] = x.value * y.slope[c] + x.slope[c] * y.value;
    return product;
  }
};

using Complex = snap::Complex<Dual>;
/// Matrices of all j, (mb, ma).
using Matrices = std::vector<std::vector<Complex>>;

long double factorial(int n) { return std::tgamma(static_cast<long double>(n) + 1); }

/// polynomial *= p + q x
void multiply(std::vector<Complex>& polynomial, const Complex& p, const Complex& q) {
  polynomial.emplace_back();
  for (std::size_t n = polynomial.size() - 1; n > 0; --n)
    polynomial[n] = p * polynomial[n] + q * polynomial[n - 1];
  polynomial[0] = p * polynomial[0];
}

/// Adds w f u of a neighbour to `sum`.
void add_neighbour(const snap::SnapPotential& potential, const Vec3<Dual>& r, Matrices& sum) {
  const snap::SnapParameters& p = potential.parameters;
  constexpr long double pi = std::numbers::pi_v<long double>;
  const Dual square = dot(r, r);
  const long double root = std::sqrt(square.value);
  const Dual distance = square.mapped(root, 1 / (2 * root));
  const Dual inverse = distance.mapped(1 / root, -1 / (root * root));
  const long double range = potential.cutoff(0, 0) - static_cast<long double>(p.rmin0);
  const Dual x = (distance - Dual(p.rmin0)) * Dual(1 / range);
  const Dual theta = x * Dual(pi * p.rfac0);
  // The sign follows LAMMPS, which divides by |sin theta|.
  const long double sign = std::sin(theta.value) < 0 ? -1 : 1;
  const Dual sine = theta.mapped(sign * std::sin(theta.value), sign * std::cos(theta.value));
  const Dual cosine = theta.mapped(sign * std::cos(theta.value), -sign * std::sin(theta.value));
  const Dual scaled = sine * inverse;
  const Complex a{cosine, -(r.z * scaled)}, b{r.y * scaled, -(r.x * scaled)};
  const Complex conj_a{a.re, -a.im}, minus_conj_b{-b.re, b.im};

  Dual weight(potential.elements[0].weight);
  if (p.switchflag && x.value > 0) {
    const Dual turn = x * Dual(pi);
    weight =
        weight * Dual(0.5L) * (Dual(1) + turn.mapped(std::cos(turn.value), -std::sin(turn.value)));
  }
  for (int j = 0; j <= p.twojmax; ++j)
    for (int mb = 0; mb <= j; ++mb) {
      std::vector<Complex> row{{Dual(1), Dual(0)}};
      for (int n = 0; n < j - mb; ++n) multiply(row, conj_a, minus_conj_b);
      for (int n = 0; n < mb; ++n) multiply(row, b, a);
      for (int ma = 0; ma <= j; ++ma) {
        const long double norm =
            std::sqrt(factorial(ma) * factorial(j - ma) / (factorial(mb) * factorial(j - mb)));
        Complex& element = sum[at(j)][at(mb * (j + 1) + ma)];
        element = element + Dual(norm) * weight * row[at(ma)];
      }
    }
}

/// Clebsch-Gordan coefficients of all (m1, m2), (m1, j2 + 1).
std::vector<long double> coefficients(int j1, int j2, int j) {
  std::vector<long double> table;
  for (int m1 = 0; m1 <= j1; ++m1)
    for (int m2 = 0; m2 <= j2; ++m2) table.push_back(snap::clebsch_gordan(j1, m1, j2, m2, j));
  return table;
}

/// The scalar product <U_j, Z_j1j2j>, a component of the bispectrum.
Dual component(const Matrices& U, int j1, int j2, int j) {
  const std::vector<long double> C = coefficients(j1, j2, j);
  const int shift = (j1 + j2 - j) / 2;
  Dual B;
  for (int mb = 0; mb <= j; ++mb)
    for (int ma = 0; ma <= j; ++ma) {
      Complex Z;
      for (int mb1 = std::max(0, mb + shift - j2); mb1 <= std::min(j1, mb + shift); ++mb1)
        for (int ma1 = std::max(0, ma + shift - j2); ma1 <= std::min(j1, ma + shift); ++ma1) {
          const int mb2 = mb + shift - mb1, ma2 = ma + shift - ma1;
          const Dual c = C[at(mb1 * (j2 + 1) + mb2)] * C[at(ma1 * (j2 + 1) + ma2)];
          Z = Z + c * (U[at(j1)][at(mb1 * (j1 + 1) + ma1)] * U[at(j2)][at(mb2 * (j2 + 1) + ma2)]);
        }
      B = B + snap::real_product(U[at(j)][at(mb * (j + 1) + ma)], Z);
    }
  return B;
}

/// Energy of an atom with these neighbours, up to a constant.
Dual energy(const snap::SnapPotential& potential, const std::vector<Vec3<Dual>>& neighbours) {
  const snap::SnapParameters& p = potential.parameters;
  Matrices U;
  for (int j = 0; j <= p.twojmax; ++j) {
    U.emplace_back(at((j + 1) * (j + 1)));
    for (int m = 0; m <= j; ++m) U.back()[at(m * (j + 2))].re = Dual(1);
  }
  for (const Vec3<Dual>& r : neighbours) add_neighbour(potential, r, U);
  Dual E;
  const double* beta = potential.elements[0].coefficients.data() + 1;
  for (int j1 = 0; j1 <= p.twojmax; ++j1)
    for (int j2 = 0; j2 <= j1; ++j2)
      for (int j = j1 - j2; j <= std::min(p.twojmax, j1 + j2); j += 2)
        if (j >= j1)
          E = E + Dual(*beta++ / (p.bnormflag ? j + 1.0L : 1.0L)) * component(U, j1, j2, j);
  return E;
}

/// The displacements of the neighbours of an atom, with their derivatives by the position of one
/// atom.
std::vector<Vec3<Dual>> displacements(const snap::SnapPotential& potential,
                                      const NeighbourRows& rows, Index centre, Index moved) {
  std::vector<Vec3<Dual>> result;
  const double cutoff = potential.cutoff(0, 0);
  for (Index n = rows.first[at(centre)]; n < rows.first[at(centre) + 1]; ++n) {
    const Vec3<double>& r = rows.displacement[at(n)];
    if (!(dot(r, r) < cutoff * cutoff)) continue;
    const long double moves = (rows.neighbour[at(n)] == moved ? 1 : 0) - (centre == moved ? 1 : 0);
    Vec3<Dual> d{Dual(r.x), Dual(r.y), Dual(r.z)};
    d.x.slope[0] = d.y.slope[1] = d.z.slope[2] = moves;
    result.push_back(d);
  }
  return result;
}

}  // namespace

std::vector<Vec3<double>> reference_forces(const snap::SnapPotential& potential,
                                           const NeighbourRows& rows,
                                           std::span<const Index> atoms) {
  std::vector<Vec3<double>> forces;
  for (const Index atom : atoms) {
    std::set<Index> centres{atom};
    for (Index n = rows.first[at(atom)]; n < rows.first[at(atom) + 1]; ++n)
      centres.insert(rows.neighbour[at(n)]);
    Dual E;
    for (const Index centre : centres)
      E = E + energy(potential, displacements(potential, rows, centre, atom));
    forces.push_back({static_cast<double>(-E.slope[0]), static_cast<double>(-E.slope[1]),
                      static_cast<double>(-E.slope[2])});
  }
  return forces;
}

}  // namespace larmor::bench
