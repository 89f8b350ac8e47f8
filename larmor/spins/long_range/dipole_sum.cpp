#include "larmor/spins/long_range/dipole_sum.hpp"

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <numbers>

#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::spins {
namespace {

constexpr double pi = std::numbers::pi;
const double two_over_root_pi = 2 / std::sqrt(pi);

/// Terms whose argument of erfc is larger are neglected: erfc(6) is 2e-17.
constexpr double negligible = 6.0;

Mat3<double> outer(const Vec3<double>& a, const Vec3<double>& b) {
  return {{a.x * b, a.y * b, a.z * b}};
}
constexpr Mat3<double> identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// Shifts a fraction by an integer to [-1/2, 1/2].
double nearest(double fraction) { return fraction - std::round(fraction); }

/// Abscissae and weights of Gauss-Legendre quadrature on [-1, 1], from eigenvalues of the Jacobi
/// matrix (Golub, Welsch, Math. Comput. 23 (1969) 221).
template <int N>
std::array<std::pair<double, double>, N> gauss_legendre() {
  Eigen::MatrixXd jacobi = Eigen::MatrixXd::Zero(N, N);
  for (int k = 1; k < N; ++k) jacobi(k - 1, k) = jacobi(k, k - 1) = k / std::sqrt(4.0 * k * k - 1);
  const Eigensystem<Eigen::MatrixXd> solved = eigensystem(jacobi);
  std::array<std::pair<double, double>, N> rule;
  for (int k = 0; k < N; ++k)
    rule[static_cast<std::size_t>(k)] = {solved.values[k], 2 * std::pow(solved.vectors(0, k), 2)};
  return rule;
}

/// Calls visit(n) for all integer combinations of `vectors` within the box of `range`.
template <class Visit>
void for_each_combination(const std::vector<Vec3<double>>& vectors, const std::vector<int>& range,
                          const Visit& visit) {
  const auto reach = [&](std::size_t d) { return d < range.size() ? range[d] : 0; };
  for (int x = -reach(0); x <= reach(0); ++x)
    for (int y = -reach(1); y <= reach(1); ++y)
      for (int z = -reach(2); z <= reach(2); ++z) {
        const int n[3] = {x, y, z};
        Vec3<double> v{0, 0, 0};
        for (std::size_t d = 0; d < vectors.size(); ++d) v += double(n[d]) * vectors[d];
        visit(std::array<int, 3>{x, y, z}, v);
      }
}

}  // namespace

Mat3<double> dipole_tensor(const Vec3<double>& r) {
  const double square = dot(r, r);
  const double inverse_cube = 1 / (square * std::sqrt(square));
  return (3 * inverse_cube / square) * outer(r, r) + (-inverse_cube) * identity;
}

DipoleSum::DipoleSum(const lattice::Geometry& geometry, const Vec3<double>& demagnetisation)
    : period_(lattice::periods_of(geometry)) {
  across_ = identity;
  if (period_.empty()) return;
  choose_splitting();
  find_images();
  find_waves();
  if (period_.size() == 3)
    sample_ = (4 * pi / content_) * Mat3<double>{{{demagnetisation.x, 0, 0},
                                                  {0, demagnetisation.y, 0},
                                                  {0, 0, demagnetisation.z}}};
}

/// Finds the metric of the periodic directions, and a splitting that balances the work of the sums
/// in real and in reciprocal space.
void DipoleSum::choose_splitting() {
  const auto d = static_cast<Eigen::Index>(period_.size());
  Eigen::MatrixXd gram(d, d);
  for (Eigen::Index i = 0; i < d; ++i)
    for (Eigen::Index j = 0; j < d; ++j)
      gram(i, j) = dot(period_[static_cast<std::size_t>(i)], period_[static_cast<std::size_t>(j)]);
  content_ = std::sqrt(determinant(gram));
  const Eigen::MatrixXd dual = inverse(gram);
  for (Eigen::Index i = 0; i < d; ++i) {
    Vec3<double> b{0, 0, 0};
    for (Eigen::Index j = 0; j < d; ++j) b += dual(i, j) * period_[static_cast<std::size_t>(j)];
    dual_.push_back(b);
  }
  for (std::size_t i = 0; i < period_.size(); ++i)
    across_ = across_ + (-1.0) * outer(period_[i], dual_[i]);
  eta_ = std::sqrt(pi) / std::pow(content_, 1.0 / static_cast<double>(d));
  reach_ = negligible / eta_;
}

void DipoleSum::find_images() {
  std::vector<int> range;
  double half_cell = 0;
  for (std::size_t d = 0; d < period_.size(); ++d) {
    range.push_back(static_cast<int>(reach_ * length(dual_[d]) + 0.5) + 1);
    half_cell += 0.5 * length(period_[d]);
  }
  for_each_combination(period_, range, [&](const auto&, const Vec3<double>& L) {
    if (length(L) <= reach_ + half_cell) image_.push_back(L);
  });
}

void DipoleSum::find_waves() {
  const double largest = 2 * eta_ * negligible;
  std::vector<int> range;
  std::vector<Vec3<double>> basis;
  for (std::size_t d = 0; d < period_.size(); ++d) {
    range.push_back(static_cast<int>(largest * length(period_[d]) / (2 * pi)) + 1);
    basis.push_back((2 * pi) * dual_[d]);
  }
  wave_.push_back({0, 0, 0});
  for_each_combination(basis, range, [&](const std::array<int, 3>& n, const Vec3<double>& G) {
    if (n > std::array<int, 3>{0, 0, 0} && length(G) <= largest) wave_.push_back(G);
  });
  // Intervals halve towards t = 0, because exp(-G^2 / 4 t^2) varies on ever smaller scales there.
  // At a large distance rho across the periodic directions, exp(-t^2 rho^2) does so too.
  constexpr int intervals = 14;
  const auto rule = gauss_legendre<16>();
  double end = eta_;
  for (int n = 0; n < intervals; ++n) {
    const double begin = n + 1 < intervals ? end / 2 : 0;
    for (const auto& [x, w] : rule)
      node_.push_back({begin + 0.5 * (end - begin) * (1 + x), 0.5 * (end - begin) * w});
    end = begin;
  }
}

/// Closed form for three periodic directions.
DipoleSum::Moments DipoleSum::closed_moments(double square) const {
  if (square == 0) return {0, 0, 0};
  return {4 * pi / content_ * std::exp(-square / (4 * eta_ * eta_)) / square, 0, 0};
}

DipoleSum::Moments DipoleSum::quadrature(double square, double across_square) const {
  const auto d = static_cast<double>(period_.size());
  const double factor = two_over_root_pi * std::pow(pi, d / 2) / content_;
  Moments m{0, 0, 0};
  for (const Node& node : node_) {
    const double t2 = node.t * node.t;
    const double f = node.weight * factor * std::pow(node.t, -d) *
                     std::exp(-square / (4 * t2) - across_square * t2);
    if (square > 0) m.m0 += f;
    m.m2 += t2 * f;
    m.m4 += t2 * t2 * f;
  }
  return m;
}

/// Integrals for every wave vector, at a squared distance across the periodic directions that is
/// rounded to a grain. Equal distances share an entry, so results do not depend on the order of
/// threads.
const std::vector<DipoleSum::Moments>& DipoleSum::moments_at(double across_square) const {
  const double grain = 1e-14 / (eta_ * eta_);
  const long long key = std::llround(across_square / grain);
  const std::lock_guard lock(guard_);
  const auto [entry, is_new] = moments_.try_emplace(key);
  if (is_new)
    for (const Vec3<double>& G : wave_)
      entry->second.push_back(period_.size() == 3
                                  ? closed_moments(dot(G, G))
                                  : quadrature(dot(G, G), grain * static_cast<double>(key)));
  return entry->second;
}

/// Adds d_a d_b of erfc(eta R) / R, summed over the images.
void DipoleSum::add_images(const Vec3<double>& r, Mat3<double>& T) const {
  for (const Vec3<double>& L : image_) {
    const Vec3<double> R = r + L;
    const double R2 = dot(R, R);
    if (R2 > reach_ * reach_ || R2 == 0) continue;
    const double distance = std::sqrt(R2);
    const double screened = std::erfc(eta_ * distance) / distance;
    const double gaussian = eta_ * two_over_root_pi * std::exp(-eta_ * eta_ * R2);
    const double B = (screened + gaussian) / R2;
    const double C = (3 * B + 2 * eta_ * eta_ * gaussian) / R2;
    T = T + C * outer(R, R) + (-B) * identity;
  }
}

void DipoleSum::add_waves(const Vec3<double>& r, Mat3<double>& T) const {
  const Vec3<double> rho = across_ * r;
  const std::vector<Moments>& moments = moments_at(dot(rho, rho));
  for (std::size_t n = 0; n < wave_.size(); ++n) {
    const Vec3<double>& G = wave_[n];
    const Moments& m = moments[n];
    const double pairs = n == 0 ? 1 : 2;  // G and -G
    const double phase = dot(G, r);
    const double cosine = pairs * std::cos(phase), sine = pairs * std::sin(phase);
    T = T + (-m.m0 * cosine) * outer(G, G);
    if (period_.size() == 3) continue;
    T = T + (4 * m.m4 * cosine) * outer(rho, rho) + (-2 * m.m2 * cosine) * across_ +
        (2 * m.m2 * sine) * (outer(rho, G) + outer(G, rho));
  }
}

Mat3<double> DipoleSum::sum(const Vec3<double>& r, bool same_site) const {
  Mat3<double> T = (-1.0) * sample_;
  add_images(r, T);
  add_waves(r, T);
  // The waves include the Gaussian of the site itself, which is not an image.
  if (same_site) T = T + (2.0 / 3 * two_over_root_pi * eta_ * eta_ * eta_) * identity;
  return T;
}

Mat3<double> DipoleSum::between(const Vec3<double>& r) const {
  if (period_.empty()) return dipole_tensor(r);
  // Use the image nearest to the origin along the periodic directions.
  Vec3<double> near = r;
  for (std::size_t d = 0; d < period_.size(); ++d) {
    const double fraction = dot(dual_[d], r);
    near += (nearest(fraction) - fraction) * period_[d];
  }
  return sum(near, false);
}

Mat3<double> DipoleSum::self() const {
  return period_.empty() ? Mat3<double>{} : sum({0, 0, 0}, true);
}

}  // namespace larmor::spins
