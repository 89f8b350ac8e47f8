#include "larmor/atoms/potentials/snap/baseline.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/atoms/potentials/snap/pair_shapes.hpp"

namespace larmor::atoms::snap {

Baseline::NeighbourMatrices Baseline::matrices(int element,
                                               const BaselineNeighbour& neighbour) const {
  const SnapParameters& p = potential_.parameters;
  const PairShape<double> shape = pair_shape(potential_, element, neighbour.element);
  const NeighbourRotation<double> g =
      neighbour_rotation(rotation_rule(p), shape, neighbour.displacement);

  // The angle theta enters as z0 = r / tan(theta). Here are z0 and its derivatives.
  const Vec3<double>& r = neighbour.displacement;
  const double h[3] = {g.direction.x, g.direction.y, g.direction.z};
  const double distance = length(r);
  const double theta = (distance - p.rmin0) * g.rate;
  const double z0 = distance / std::tan(theta);
  const double square = distance * distance + z0 * z0, n = 1 / std::sqrt(square);
  const double z0_slope = z0 / distance - distance * g.rate * square / (distance * distance);
  const double n_slope = -n * n * n * (distance + z0 * z0_slope);
  const Complex a{z0 * n, -r.z * n}, b{r.y * n, -r.x * n};
  Complex da[3], db[3];
  for (int c = 0; c < 3; ++c) {
    da[c] = Complex{z0_slope * n + z0 * n_slope, -r.z * n_slope} * h[c];
    db[c] = Complex{r.y * n_slope, -r.x * n_slope} * h[c];
  }
  da[2] -= Complex{0, n};
  db[0] -= Complex{0, n};
  db[1] += n;

  const auto size = static_cast<std::size_t>(tables_.view().full);
  NeighbourMatrices m{potential_.channel(neighbour.element), Matrices(size), {}};
  for (Matrices& d : m.d) d.resize(size);
  m.u[0] = 1;
  for (int j = 1; j <= tables_.twojmax(); ++j)
    for (int mb = 0; 2 * mb <= j; ++mb)
      for (int ma = 0; ma <= (2 * mb == j ? mb : j); ++ma) {
        const std::size_t here = place(j, mb, ma), there = place(j, j - mb, j - ma);
        const auto add = [&](double factor, const Complex& f, const Complex* df, std::size_t from) {
          m.u[here] += factor * std::conj(f) * m.u[from];
          for (int c = 0; c < 3; ++c)
            m.d[c][here] += factor * (std::conj(df[c]) * m.u[from] + std::conj(f) * m.d[c][from]);
        };
        if (ma < j) add(std::sqrt((j - ma) / double(j - mb)), a, da, place(j - 1, mb, ma));
        if (ma > 0) add(-std::sqrt(ma / double(j - mb)), b, db, place(j - 1, mb, ma - 1));
        if (there == here) continue;
        const double sign = (ma + mb) % 2 == 0 ? 1 : -1;
        m.u[there] = sign * std::conj(m.u[here]);
        for (Matrices& d : m.d) d[there] = sign * std::conj(d[here]);
      }
  for (std::size_t i = 0; i < size; ++i) {
    for (int c = 0; c < 3; ++c) m.d[c][i] = g.weight * m.d[c][i] + (g.weight_slope * h[c]) * m.u[i];
    m.u[i] *= g.weight;
  }
  return m;
}

Baseline::Matrix Baseline::product(const Triple& t, const Matrices& first,
                                   const Matrices& second) const {
  const auto& [j1, j2, j] = t;
  const int shift = (j1 + j2 - j) / 2;
  Matrix Z(static_cast<std::size_t>((j + 1) * (j + 1)));
  for (int mb = 0; mb <= j; ++mb)
    for (int ma = 0; ma <= j; ++ma)
      for (int mb1 = std::max(0, mb + shift - j2); mb1 <= std::min(j1, mb + shift); ++mb1)
        for (int ma1 = std::max(0, ma + shift - j2); ma1 <= std::min(j1, ma + shift); ++ma1) {
          const int mb2 = mb + shift - mb1, ma2 = ma + shift - ma1;
          Z[static_cast<std::size_t>(mb * (j + 1) + ma)] +=
              tables_.coefficient(t, mb1, mb2) * tables_.coefficient(t, ma1, ma2) *
              first[place(j1, mb1, ma1)] * second[place(j2, mb2, ma2)];
        }
  if (potential_.parameters.bnormflag)
    for (Complex& z : Z) z /= j + 1;
  return Z;
}

double Baseline::contraction(int j, const Matrices& X, const Matrix& Z) const {
  double sum = 0;
  const std::size_t first = place(j, 0, 0);
  for (std::size_t i = 0; i < Z.size(); ++i) sum += (std::conj(X[first + i]) * Z[i]).real();
  return sum;
}

Baseline::Descriptors Baseline::descriptors(int element,
                                            std::span<const BaselineNeighbour> neighbours,
                                            Stage last) const {
  const auto count = static_cast<std::size_t>(energy_.components());
  Descriptors result{std::vector<double>(count),
                     std::vector<Vec3<double>>(count * neighbours.size())};
  const int channels = potential_.channels();
  const bool in_all = potential_.parameters.wselfallflag;
  std::vector<Matrices> U(static_cast<std::size_t>(channels),
                          Matrices(static_cast<std::size_t>(tables_.view().full)));
  for (int k = 0; k < channels; ++k)
    if (in_all || k == potential_.channel(element))
      for (int j = 0; j <= tables_.twojmax(); ++j)
        for (int m = 0; m <= j; ++m) U[static_cast<std::size_t>(k)][place(j, m, m)] = 1;
  std::vector<NeighbourMatrices> u;
  for (const BaselineNeighbour& neighbour : neighbours) {
    u.push_back(matrices(element, neighbour));
    Matrices& sum = U[static_cast<std::size_t>(u.back().channel)];
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += u.back().u[i];
  }

  if (last == Stage::density) return result;
  std::vector<Matrix> products;  // (k, l, triple)
  for (const Matrices& first : U)
    for (const Matrices& second : U)
      for (const Triple& t : tables_.triples()) products.push_back(product(t, first, second));
  if (last == Stage::products) return result;
  const auto product_of = [&](int k, int l, const Triple& t) -> const Matrix& {
    return products[static_cast<std::size_t>((k * channels + l) * tables_.view().triples +
                                             tables_.triple(t.j1, t.j2, t.j))];
  };

  const bool normalised = potential_.parameters.bnormflag;
  std::size_t number = 0;
  for (int k = 0; k < channels; ++k)
    for (int l = 0; l < channels; ++l)
      for (int m = 0; m < channels; ++m)
        for (const auto& [j1, j2, j] : tables_.components()) {
          const Matrix& Z = product_of(k, l, {j1, j2, j});
          const Matrix& Z1 = product_of(m, l, {j, j2, j1});
          const Matrix& Z2 = product_of(m, k, {j, j1, j2});
          const double factor1 = normalised ? 1 : (j + 1.0) / (j1 + 1);
          const double factor2 = normalised ? 1 : (j + 1.0) / (j2 + 1);
          result.B[number] =
              contraction(j, U[static_cast<std::size_t>(m)], Z) - energy_.zero(element)[number];
          for (std::size_t n = 0; n < u.size(); ++n) {
            double slope[3]{};
            for (int c = 0; c < 3; ++c) {
              if (u[n].channel == m) slope[c] += contraction(j, u[n].d[c], Z);
              if (u[n].channel == k) slope[c] += factor1 * contraction(j1, u[n].d[c], Z1);
              if (u[n].channel == l) slope[c] += factor2 * contraction(j2, u[n].d[c], Z2);
            }
            result.slope[n * count + number] = {slope[0], slope[1], slope[2]};
          }
          ++number;
        }
  return result;
}

Baseline::Result Baseline::evaluate(int element, std::span<const BaselineNeighbour> neighbours,
                                    Stage last) const {
  const Descriptors descriptors = this->descriptors(element, neighbours, last);
  std::vector<double> slope(descriptors.B.size());
  Result result{energy_.value(element, descriptors.B, slope),
                std::vector<Vec3<double>>(neighbours.size())};
  for (std::size_t n = 0; n < neighbours.size(); ++n)
    for (std::size_t k = 0; k < slope.size(); ++k)
      result.gradient[n] += slope[k] * descriptors.slope[n * slope.size() + k];
  return result;
}

}  // namespace larmor::atoms::snap
