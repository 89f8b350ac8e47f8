#include "larmor/spins/mean_field.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "larmor/spins/bond_matrix.hpp"

namespace larmor::spins {
namespace {

/// Share of the sites of each basis atom that hold spins.
std::vector<double> concentrations(const lattice::Geometry& geometry) {
  if (geometry.is_perfect()) return std::vector<double>(geometry.crystal.basis.size(), 1.0);
  std::vector<double> share(geometry.crystal.basis.size());
  for (Index site = 0; site < geometry.sites(); ++site)
    if (geometry.occupied(site)) share[static_cast<std::size_t>(geometry.basis_index(site))] += 1;
  for (double& c : share) c /= static_cast<double>(geometry.cells());
  return share;
}

bool is_isotropic(const Mat3<double>& A) { return A == isotropic(A.row[0].x); }

/// Calls visit(index, step) for every combination of `count` numbers along each of `dimensions`
/// axes, the first varying fastest.
template <class Visit>
void for_each_combination(int count, int dimensions, const Visit& visit) {
  const auto along = [&](int d) { return d < dimensions ? count : 1; };
  int index = 0;
  for (int z = 0; z < along(2); ++z)
    for (int y = 0; y < along(1); ++y)
      for (int x = 0; x < along(0); ++x) visit(index++, std::array<int, 3>{x, y, z});
}

}  // namespace

MeanField::MeanField(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms)
    : dimensions_(geometry.crystal.dimensions),
      atoms_(static_cast<int>(geometry.crystal.basis.size())) {
  known_ = geometry.is_lattice() && std::all_of(terms.begin(), terms.end(), [](const auto& term) {
             return term.pairs.empty();
           });
  if (!known_) return;
  const std::vector<double> share = concentrations(geometry);
  for (const LoweredTerm& term : terms)
    for (const StencilCoupling& c : term.stencil) {
      if (c.bilinear == Mat3<double>{}) continue;
      const double root = std::sqrt(share[static_cast<std::size_t>(c.bond.from)] *
                                    share[static_cast<std::size_t>(c.bond.to)]);
      if (!is_isotropic(c.bilinear)) components_ = 3;
      bonds_.push_back({c.bond.from, c.bond.to, c.bond.offset, root * c.bilinear});
    }
}

double MeanField::largest_eigenvalue(const WaveVector& q) const {
  const int n = components_;
  Eigen::MatrixXcd J = Eigen::MatrixXcd::Zero(n * atoms_, n * atoms_);
  for (const Bond& bond : bonds_) {
    double turns = 0;
    for (std::size_t d = 0; d < 3; ++d) turns += q[d] * bond.offset[d];
    const auto phase = std::polar(1.0, 2 * std::numbers::pi * (turns - std::floor(turns)));
    Eigen::Matrix3d A;
    for (int a = 0; a < 3; ++a) A.row(a) << bond.A.row[a].x, bond.A.row[a].y, bond.A.row[a].z;
    const Eigen::MatrixXcd part = phase * A.topLeftCorner(n, n);
    J.block(n * bond.from, n * bond.to, n, n) += part;
    J.block(n * bond.to, n * bond.from, n, n) += part.adjoint();
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd>(J, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .maxCoeff();
}

/// Of the grid along each direction. All hold the halves, most the thirds and quarters too, where
/// the usual orders lie. The larger the cell, the fewer are needed, and the longer each takes.
int MeanField::points() const {
  constexpr double most_operations = 4e8;
  const double size = components_ * atoms_;
  const double of_one =
      1000 + 20 * size * size * size + 100 * static_cast<double>(bonds_.size() + 1);
  for (const int points : {24, 12, 6, 4})
    if (std::pow(points, dimensions_) * of_one < most_operations) return points;
  return 2;
}

/// The highest points of the grid that no point beside them exceeds; of equal ones the first.
std::vector<MeanField::WaveVector> MeanField::highest_points(int points) const {
  constexpr std::size_t most = 3;
  const auto index_of = [&](const std::array<int, 3>& at) {
    int index = 0;
    for (int d = dimensions_ - 1; d >= 0; --d)
      index = index * points + (at[static_cast<std::size_t>(d)] % points + points) % points;
    return static_cast<std::size_t>(index);
  };
  const auto at_point = [&](const std::array<int, 3>& at) {
    WaveVector q{};
    for (std::size_t d = 0; d < 3; ++d) q[d] = static_cast<double>(at[d]) / points;
    return q;
  };
  std::vector<double> value;
  for_each_combination(points, dimensions_, [&](int, const std::array<int, 3>& at) {
    // J(-q) is the transpose of J(q).
    const std::size_t mirrored = index_of({-at[0], -at[1], -at[2]});
    value.push_back(mirrored < value.size() ? value[mirrored] : largest_eigenvalue(at_point(at)));
  });
  const double tolerance =
      1e-9 * std::abs(*std::max_element(value.begin(), value.end(), [](double a, double b) {
        return std::abs(a) < std::abs(b);
      }));
  std::vector<std::pair<double, WaveVector>> peaks;
  for_each_combination(points, dimensions_, [&](int index, const std::array<int, 3>& at) {
    const double here = value[static_cast<std::size_t>(index)];
    bool highest = true;
    for_each_combination(3, dimensions_, [&](int, const std::array<int, 3>& step) {
      highest = highest &&
                value[index_of({at[0] + step[0] - 1, at[1] + step[1] - 1, at[2] + step[2] - 1})] <=
                    here + tolerance;
    });
    if (highest) peaks.emplace_back(here, at_point(at));
  });
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<WaveVector> highest;
  double last = 0;
  for (const auto& [height, q] : peaks) {
    if (!highest.empty() && last - height <= tolerance) continue;
    if (highest.size() == most) break;
    highest.push_back(q);
    last = height;
  }
  return highest;
}

/// The height of the maximum that lies uphill of q, by steps to all sides that shrink.
double MeanField::climb(WaveVector q, double step) const {
  constexpr double finest = 1e-7;
  constexpr int most_steps = 200;
  double height = largest_eigenvalue(q);
  for (int n = 0; n < most_steps && step > finest; ++n) {
    double highest = height;
    WaveVector best = q;
    for_each_combination(3, dimensions_, [&](int, const std::array<int, 3>& to) {
      WaveVector beside = q;
      for (int d = 0; d < dimensions_; ++d) {
        const auto axis = static_cast<std::size_t>(d);
        beside[axis] += (to[axis] - 1) * step;
      }
      if (beside == q) return;
      const double there = largest_eigenvalue(beside);
      if (there > highest) {
        highest = there;
        best = beside;
      }
    });
    if (best == q) step /= 4;
    q = best;
    height = highest;
  }
  return height;
}

double MeanField::temperature() const {
  if (bonds_.empty()) return 0;
  const int grid = points();
  double largest = 0;
  for (const WaveVector& q : highest_points(grid))
    largest = std::max(largest, climb(q, 0.5 / grid));
  return largest / 3;
}

}  // namespace larmor::spins
