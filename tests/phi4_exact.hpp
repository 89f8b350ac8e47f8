#pragma once
// Averages of small phi^4 systems in closed form, by quadrature and by enumeration.

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "tests/phi4_systems.hpp"

namespace larmor::testing_support {

/// Averages to compare; NaN: unknown.
struct Expected {
  double action = std::nan(""), bond = std::nan(""), phi2 = std::nan(""), phi4 = std::nan("");
  double m = std::nan(""), m2 = std::nan(""), m4 = std::nan("");
};

/// <cos> of the angle between neighbours in an open chain of spins of N components. It is a ratio
/// of modified Bessel functions of K = 2 kappa.
inline double bond_of_chain(int components, double kappa) {
  const double K = 2 * kappa;
  if (K < 0) return -bond_of_chain(components, -kappa);
  if (components == 1) return std::tanh(K);
  return std::cyl_bessel_i(components / 2.0, K) / std::cyl_bessel_i(components / 2.0 - 1, K);
}

inline Expected open_chain(int components, double kappa, Index length) {
  const double t = bond_of_chain(components, kappa);
  const auto V = static_cast<double>(length);
  Expected exact;
  exact.bond = t;
  exact.action = 1 - 2 * kappa * t * (V - 1) / V;
  exact.m2 = 0;
  for (Index i = 0; i < length; ++i)
    for (Index j = 0; j < length; ++j)
      exact.m2 += std::pow(t, static_cast<double>(std::abs(i - j))) / (V * V);
  exact.phi2 = exact.phi4 = 1;
  return exact;
}

/// Averages of Ising spins over every configuration, in the order of a Gray code.
inline Expected enumerated(const RegularGrid& grid, double kappa) {
  const std::vector<GridBond> bonds = bonds_of_grid(grid);
  Index sites = 1;
  for (const Index length : grid.lengths) sites *= length;
  std::vector<std::vector<std::uint32_t>> beside(static_cast<std::size_t>(sites));
  for (const GridBond& bond : bonds) {
    beside[bond.i].push_back(bond.j);
    beside[bond.j].push_back(bond.i);
  }
  std::vector<int> spin(static_cast<std::size_t>(sites), 1);
  int links = static_cast<int>(bonds.size()), moment = static_cast<int>(sites);
  const int most_links = links, most = moment;
  // The number of configurations with each pair of link sum and moment.
  std::vector<double> count(static_cast<std::size_t>((2 * most_links + 1) * (2 * most + 1)));
  for (std::uint64_t n = 1;; ++n) {
    ++count[static_cast<std::size_t>((links + most_links) * (2 * most + 1) + moment + most)];
    if (n == std::uint64_t{1} << sites) break;
    const auto flipped = static_cast<std::size_t>(std::countr_zero(n));
    int field = 0;
    for (const std::uint32_t other : beside[flipped]) field += spin[other];
    links -= 2 * spin[flipped] * field;
    moment -= 2 * spin[flipped];
    spin[flipped] = -spin[flipped];
  }
  Expected exact{0, 0, 1, 1, 0, 0, 0};
  double Z = 0;
  for (int l = -most_links; l <= most_links; ++l)
    for (int M = -most; M <= most; ++M) {
      const double weight =
          count[static_cast<std::size_t>((l + most_links) * (2 * most + 1) + M + most)] *
          std::exp(2 * kappa * (l - most_links));
      const double m = static_cast<double>(M) / static_cast<double>(sites);
      Z += weight;
      exact.bond += weight * l / most_links;
      exact.action += weight * (1 - 2 * kappa * l / static_cast<double>(sites));
      exact.m += weight * std::abs(m);
      exact.m2 += weight * m * m;
      exact.m4 += weight * m * m * m * m;
    }
  for (double* x : {&exact.action, &exact.bond, &exact.m, &exact.m2, &exact.m4}) *x /= Z;
  return exact;
}

/// Averages for lambda = 0 on a periodic grid, by a sum over Fourier modes.
inline Expected gaussian(const RegularGrid& grid, int components, double kappa) {
  Index sites = 1;
  for (const Index length : grid.lengths) sites *= length;
  const auto V = static_cast<double>(sites), axes = static_cast<double>(grid.lengths.size());
  double g = 0, links = 0;
  for (Index n = 0; n < sites; ++n) {
    Index rest = n;
    double cosines = 0;
    for (const Index length : grid.lengths) {
      cosines += std::cos(2 * std::numbers::pi * static_cast<double>(rest % length) /
                          static_cast<double>(length));
      rest /= length;
    }
    const double of_mode = 1 / (2 * (1 - 2 * kappa * cosines));
    g += of_mode / V;
    links += cosines / axes * of_mode / V;
  }
  const double N = components;
  Expected exact;
  exact.action = N / 2;
  exact.bond = N * links;
  exact.phi2 = N * g;
  exact.phi4 = N * (N + 2) * g * g;
  const double of_component = 1 / (2 * V * (1 - 2 * kappa * axes));
  exact.m2 = N * of_component;
  exact.m4 = N * (N + 2) * of_component * of_component;
  return exact;
}

/// The integral over r > 0 of f(r) times the weight of the length r.
inline double over_lengths(int components, double lambda, const std::function<double(double)>& f) {
  constexpr int points = 1500;
  constexpr double longest = 6;
  double sum = 0;
  for (int n = 0; n < points; ++n) {
    const double r = longest * (n + 0.5) / points, r2 = r * r;
    sum += std::pow(r, components - 1) * std::exp(-r2 - lambda * (r2 - 1) * (r2 - 1)) * f(r);
  }
  return sum;
}

inline Expected single_site(int components, double lambda) {
  const double Z = over_lengths(components, lambda, [](double) { return 1; });
  const auto mean = [&](int power) {
    return over_lengths(components, lambda, [&](double r) { return std::pow(r, power); }) / Z;
  };
  Expected exact;
  exact.phi2 = exact.m2 = mean(2);
  exact.phi4 = exact.m4 = mean(4);
  exact.m = mean(1);
  exact.action = exact.phi2 + lambda * (exact.phi4 - 2 * exact.phi2 + 1);
  return exact;
}

/// Averages of two sites with an open bond. The two lengths are integrated by quadrature, and the
/// angle between the fields by modified Bessel functions.
inline Expected two_sites(int components, double kappa, double lambda) {
  const double order = components / 2.0 - 1;
  // I_order(z) / z^order, and the integral that has the cosine of the angle as a further factor.
  const auto angle = [&](double z) {
    if (components == 1) return std::cosh(z);
    return z < 1e-8 ? std::pow(0.5, order) / std::tgamma(order + 1)
                    : std::cyl_bessel_i(order, z) / std::pow(z, order);
  };
  const auto angle_cosine = [&](double z) {
    if (components == 1) return std::sinh(z);
    return z < 1e-8 ? 0 : std::cyl_bessel_i(order + 1, z) / std::pow(z, order);
  };
  constexpr int points = 220;
  constexpr double longest = 4.5;
  double Z = 0;
  Expected exact{0, 0, 0, 0};
  exact.m2 = 0;
  const auto weight = [&](double r) {
    return std::pow(r, components - 1) * std::exp(-r * r - lambda * (r * r - 1) * (r * r - 1));
  };
  for (int a = 0; a < points; ++a)
    for (int b = 0; b < points; ++b) {
      const double r = longest * (a + 0.5) / points, s = longest * (b + 0.5) / points;
      const double w = weight(r) * weight(s), z = 2 * kappa * r * s;
      const double plain = w * angle(z), with_cosine = w * r * s * angle_cosine(z);
      Z += plain;
      exact.phi2 += plain * (r * r + s * s) / 2;
      exact.phi4 += plain * (r * r * r * r + s * s * s * s) / 2;
      exact.bond += with_cosine;
      exact.m2 += (plain * (r * r + s * s) + 2 * with_cosine) / 4;
    }
  for (double* x : {&exact.phi2, &exact.phi4, &exact.bond, &exact.m2}) *x /= Z;
  exact.action = -kappa * exact.bond + exact.phi2 + lambda * (exact.phi4 - 2 * exact.phi2 + 1);
  return exact;
}

/// Averages of one component on 3 x 4 periodic sites, by a transfer matrix between rows of three.
/// Fields lie on evenly spaced points, which is very accurate for weights that decay so fast.
inline Expected torus(double kappa, double lambda) {
  constexpr int points = 12, rows = 4;
  constexpr int states = points * points * points;
  constexpr double longest = 2.55;
  const auto value = [&](int n) { return longest * (2 * n + 1 - points) / (points - 1); };
  std::array<double, points * points> along;
  for (int a = 0; a < points; ++a)
    for (int b = 0; b < points; ++b)
      along[static_cast<std::size_t>(a * points + b)] = std::exp(2 * kappa * value(a) * value(b));
  std::vector<double> weight(states), row_sum(states), row_phi2(states), row_phi4(states),
      row_links(states);
  for (int i = 0; i < states; ++i) {
    const double x = value(i % points), y = value(i / points % points),
                 z = value(i / points / points);
    const auto I = static_cast<std::size_t>(i);
    row_sum[I] = x + y + z;
    row_phi2[I] = (x * x + y * y + z * z) / 3;
    row_phi4[I] = (x * x * x * x + y * y * y * y + z * z * z * z) / 3;
    row_links[I] = (x * y + y * z + z * x) / 3;
    double S = -2 * kappa * 3 * row_links[I];
    for (const double phi : {x, y, z}) S += phi * phi + lambda * std::pow(phi * phi - 1, 2);
    weight[I] = std::exp(-S);
  }
  // Multiplies by the matrix to the next row, site by site, and by the weight of the next row.
  const auto to_next = [&](std::vector<double>& v) {
    std::vector<double> next(states);
    for (const int stride : {1, points, points * points}) {
      for (int i = 0; i < states; ++i) {
        const int own = i / stride % points, base = i - own * stride;
        double sum = 0;
        for (int b = 0; b < points; ++b)
          sum += along[static_cast<std::size_t>(own * points + b)] *
                 v[static_cast<std::size_t>(base + b * stride)];
        next[static_cast<std::size_t>(i)] = sum;
      }
      v.swap(next);
    }
    for (int i = 0; i < states; ++i)
      v[static_cast<std::size_t>(i)] *= weight[static_cast<std::size_t>(i)];
  };
  double Z = 0;
  Expected exact{0, 0, 0, 0};
  exact.m2 = 0;
  for (int first = 0; first < states; ++first) {
    const auto f = static_cast<std::size_t>(first);
    std::vector<double> v(states), w, q;
    v[f] = 1;
    to_next(v);
    w = q = v;
    for (int i = 0; i < states; ++i) {
      w[static_cast<std::size_t>(i)] *= row_sum[static_cast<std::size_t>(i)];
      q[static_cast<std::size_t>(i)] *= value(i % points);
    }
    to_next(v);
    to_next(w);
    to_next(q);
    std::vector<double> u = v;
    for (int i = 0; i < states; ++i)
      u[static_cast<std::size_t>(i)] *= row_sum[static_cast<std::size_t>(i)];
    // Goes two rows further. Then the vectors contain the fourth power of the matrix, with sums of
    // rows inserted.
    for (int n = 0; n < rows - 2; ++n) {
      to_next(v);
      to_next(w);
      to_next(u);
      to_next(q);
    }
    Z += v[f];
    exact.phi2 += v[f] * row_phi2[f];
    exact.phi4 += v[f] * row_phi4[f];
    exact.bond += (v[f] * row_links[f] + q[f] * value(first % points)) / 2;
    // The terms of four rows: each row with itself, with its two neighbours, and with the opposite
    // row.
    exact.m2 += (rows * v[f] * row_sum[f] * row_sum[f] + 2 * rows * w[f] * row_sum[f] +
                 rows * u[f] * row_sum[f]) /
                (12.0 * 12.0);
  }
  for (double* x : {&exact.phi2, &exact.phi4, &exact.bond, &exact.m2}) *x /= Z;
  exact.action = -4 * kappa * exact.bond + exact.phi2 + lambda * (exact.phi4 - 2 * exact.phi2 + 1);
  return exact;
}

}  // namespace larmor::testing_support
