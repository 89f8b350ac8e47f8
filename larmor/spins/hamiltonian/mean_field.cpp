#include "larmor/spins/hamiltonian/mean_field.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "larmor/spins/hamiltonian/bond_matrix.hpp"

namespace larmor::spins {
namespace {

/// Fraction of the sites of each basis atom that hold spins.
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
/// axes. The first axis varies fastest.
template <class Visit>
void for_each_combination(int count, int dimensions, const Visit& visit) {
  const auto along = [&](int d) { return d < dimensions ? count : 1; };
  int index = 0;
  for (int z = 0; z < along(2); ++z)
    for (int y = 0; y < along(1); ++y)
      for (int x = 0; x < along(0); ++x) visit(index++, std::array<int, 3>{x, y, z});
}

/// The search for the largest eigenvalue of J(q) over the Brillouin zone.
class HighestModeSearch {
 public:
  HighestModeSearch(const CouplingMatrix& matrix, double most_operations)
      : matrix_(matrix),
        axes_(matrix.axes()),
        dimensions_(static_cast<int>(axes_.size())),
        operations_left_(most_operations) {}

  MeanFieldTemperature temperature();

 private:
  struct Slope {
    double height;
    Eigen::Vector3d uphill;
  };

  Slope slope(const Eigen::Vector3d& q);
  CouplingMatrix::Eigenvalue eigenvalue(const WaveVector& q, bool with_slope);
  int points() const;
  std::vector<WaveVector> highest_points(int points);
  void climb(const WaveVector& from, double step);

  const CouplingMatrix& matrix_;
  std::vector<std::size_t> axes_;
  int dimensions_;
  double operations_left_;
  double highest_ = 0;
  bool is_whole_ = true;
};

CouplingMatrix::Eigenvalue HighestModeSearch::eigenvalue(const WaveVector& q, bool with_slope) {
  const auto found = matrix_.largest_eigenvalue(q, with_slope, operations_left_);
  operations_left_ -= found.operations;
  highest_ = std::max(highest_, found.value);
  is_whole_ = is_whole_ && found.is_converged;
  return found;
}

HighestModeSearch::Slope HighestModeSearch::slope(const Eigen::Vector3d& q) {
  const auto found = eigenvalue({q[0], q[1], q[2]}, true);
  return {found.value, {found.slope[0], found.slope[1], found.slope[2]}};
}

/// Grid points along each direction. The grid may use a quarter of the operations. All grids with
/// several points contain the halves, most also the thirds and quarters, where the usual orders
/// lie. A larger cell has a smaller Brillouin zone, which needs fewer points. But each point takes
/// longer.
int HighestModeSearch::points() const {
  const double most = operations_left_ / 4 / matrix_.usual_operations();
  for (const int points : {24, 12, 6, 4, 2})
    if (std::pow(points, dimensions_) < most) return points;
  return 1;
}

/// The highest points of the grid that no neighbouring point exceeds. If several points are equal,
/// only the first is returned.
std::vector<WaveVector> HighestModeSearch::highest_points(int points) {
  constexpr std::size_t most = 3;
  const auto index_of = [&](const std::array<int, 3>& at) {
    int index = 0;
    for (int d = dimensions_ - 1; d >= 0; --d)
      index = index * points + (at[static_cast<std::size_t>(d)] % points + points) % points;
    return static_cast<std::size_t>(index);
  };
  const auto at_point = [&](const std::array<int, 3>& at) {
    WaveVector q{};
    for (std::size_t n = 0; n < axes_.size(); ++n)
      q[axes_[n]] = static_cast<double>(at[n]) / points;
    return q;
  };
  std::vector<double> value;
  for_each_combination(points, dimensions_, [&](int, const std::array<int, 3>& at) {
    // J(-q) is the transpose of J(q).
    const std::size_t mirrored = index_of({-at[0], -at[1], -at[2]});
    value.push_back(mirrored < value.size() ? value[mirrored]
                                            : eigenvalue(at_point(at), false).value);
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

/// Climbs to the next maximum by the quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno.
/// Where two eigenvalues cross, the larger one has a valley, never a ridge. So slopes vanish at
/// maxima of the largest eigenvalue.
void HighestModeSearch::climb(const WaveVector& from, double step) {
  constexpr int most_steps = 100, most_halvings = 30;
  // Start away from a point of symmetry, where slopes also vanish at minima and saddles.
  Eigen::Vector3d q(from[0] + 0.1 * step, from[1] + 0.063 * step, from[2] + 0.037 * step);
  Slope here = slope(q);
  Eigen::Matrix3d curvature;  // minus the inverse of the matrix of second derivatives
  const auto forget = [&](double length) {
    const double steepness = here.uphill.norm();
    curvature = Eigen::Matrix3d::Identity() * (steepness > 0 ? length / steepness : 0);
  };
  forget(0.3 * step);
  for (int n = 0; n < most_steps; ++n) {
    Eigen::Vector3d move = curvature * here.uphill;
    if (move.norm() > step) move *= step / move.norm();
    double gain = here.uphill.dot(move);
    if (gain <= 1e-14 * std::abs(here.height)) return;
    std::optional<Slope> there;
    for (int halvings = 0; halvings < most_halvings; ++halvings, move /= 2, gain /= 2) {
      if (operations_left_ <= 0) {
        is_whole_ = false;
        return;
      }
      there = slope(q + move);
      if (there->height >= here.height + 1e-4 * gain) break;
      there.reset();
      if (gain <= 1e-14 * std::abs(here.height)) break;
    }
    if (!there) return;
    const Eigen::Vector3d change = here.uphill - there->uphill;
    const double bend = change.dot(move);
    q += move;
    here = *there;
    if (bend <= 1e-10 * change.norm() * move.norm()) {
      forget(2 * move.norm());
      continue;
    }
    const Eigen::Matrix3d rest = Eigen::Matrix3d::Identity() - move * change.transpose() / bend;
    if (n == 0) curvature = Eigen::Matrix3d::Identity() * (bend / change.squaredNorm());
    curvature = rest * curvature * rest.transpose() + move * move.transpose() / bend;
  }
}

MeanFieldTemperature HighestModeSearch::temperature() {
  const int grid = points();
  // One point cannot locate the maximum.
  is_whole_ = grid > 1;
  for (const WaveVector& q : highest_points(grid)) climb(q, 0.5 / grid);
  return {highest_ / 3, !is_whole_};
}

}  // namespace

MeanField::MeanField(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms) {
  known_ = geometry.is_lattice() && std::all_of(terms.begin(), terms.end(), [](const auto& term) {
             return term.pairs.empty();
           });
  if (!known_) return;
  const std::vector<double> share = concentrations(geometry);
  int components = 1;
  std::vector<LatticeBond> bonds;
  for (const LoweredTerm& term : terms)
    for (const StencilCoupling& c : term.stencil) {
      if (c.bilinear == Mat3<double>{}) continue;
      const double root = std::sqrt(share[static_cast<std::size_t>(c.bond.from)] *
                                    share[static_cast<std::size_t>(c.bond.to)]);
      if (!is_isotropic(c.bilinear)) components = 3;
      bonds.push_back({c.bond.from, c.bond.to, c.bond.offset, root * c.bilinear});
    }
  matrix_ =
      CouplingMatrix(static_cast<int>(geometry.crystal.basis.size()), components, std::move(bonds));
}

MeanFieldTemperature MeanField::temperature(double most_operations) const {
  if (matrix_.is_zero()) return {};
  // The last result is cached, because the points of a scan often have equal bonds.
  struct Known {
    CouplingMatrix matrix;
    double operations;
    MeanFieldTemperature temperature;
  };
  static std::mutex guard;
  static std::optional<Known> last;
  const std::lock_guard lock(guard);
  if (!last || last->operations != most_operations || last->matrix != matrix_)
    last =
        Known{matrix_, most_operations, HighestModeSearch(matrix_, most_operations).temperature()};
  return last->temperature;
}

}  // namespace larmor::spins
