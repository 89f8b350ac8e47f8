#include "larmor/symmetry/rod_group.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "larmor/symmetry/matrices.hpp"

namespace larmor::symmetry {
namespace {

/// An isometry of the plane across the chain, and a direction along it: the angle phi of a point
/// becomes angle + turn phi, and its height z becomes along z + shift.
struct RodOperation {
  int along, turn;  ///< each 1 or -1
  double angle, shift;
};

class Rod {
 public:
  Rod(const Vec3<double>& period, const ChainAtoms& atoms, double tolerance)
      : period_(length(period)), tolerance_(tolerance), kinds_(atoms.kinds) {
    axis_ = (1 / period_) * period;
    const Vec3<double> other =
        std::abs(axis_.x) < 0.9 ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
    u_ = cross(axis_, other);
    u_ = (1 / length(u_)) * u_;
    v_ = cross(axis_, u_);
    for (const Vec3<double>& r : atoms.positions) centre_ += r;
    centre_ = (1 / static_cast<double>(atoms.positions.size())) * centre_;
    centre_ = centre_ + -dot(centre_, axis_) * axis_;
    for (const Vec3<double>& r : atoms.positions) {
      const Vec3<double> d = r - centre_;
      points_.push_back({dot(d, u_), dot(d, v_), dot(d, axis_)});
    }
  }

  std::vector<Operation> operations() const {
    std::vector<RodOperation> found = is_line() ? of_line() : of_points();
    if (!is_line()) make_exact(found);
    std::vector<Operation> all;
    for (const RodOperation& it : found) all.push_back(cartesian(it));
    std::stable_partition(all.begin(), all.end(), [&](const Operation& it) {
      return distance(it.rotation, identity) < 1e-9 && length(it.translation) < tolerance_;
    });
    return all;
  }

 private:
  static double radius(const Vec3<double>& p) { return std::hypot(p.x, p.y); }

  bool is_line() const {
    return std::ranges::all_of(points_, [&](const auto& p) { return radius(p) < tolerance_; });
  }

  /// The atoms of the rarest kind that has an atom off the axis; on a line, of the rarest kind.
  std::vector<std::size_t> rarest() const {
    std::map<int, std::vector<std::size_t>> of_kind;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (is_line() || radius(points_[i]) >= tolerance_) of_kind[kinds_[i]].push_back(i);
    return std::ranges::min_element(of_kind, {}, [](const auto& it) { return it.second.size(); })
        ->second;
  }

  std::vector<RodOperation> of_line() const {
    std::vector<RodOperation> found;
    const std::vector<std::size_t> targets = rarest();
    for (const int along : {1, -1})
      for (const std::size_t target : targets)
        for (const int turn : {1, -1})
          for (int quarter = 0; quarter < 4; ++quarter) {
            const double shift = points_[target].z - along * points_[targets[0]].z;
            const RodOperation it{along, turn, quarter * std::numbers::pi / 2, shift};
            if (maps(it)) found.push_back(it);
          }
    return found;
  }

  std::vector<RodOperation> of_points() const {
    std::vector<RodOperation> found;
    const std::vector<std::size_t> targets = rarest();
    const Vec3<double>& first = points_[targets[0]];
    for (const int along : {1, -1})
      for (const int turn : {1, -1})
        for (const std::size_t target : targets) {
          const Vec3<double>& p = points_[target];
          const double angle = std::atan2(p.y, p.x) - turn * std::atan2(first.y, first.x);
          const RodOperation it{along, turn, angle, p.z - along * first.z};
          if (maps(it)) found.push_back(it);
        }
    return found;
  }

  Vec3<double> image(const RodOperation& it, const Vec3<double>& p) const {
    const double c = std::cos(it.angle), s = std::sin(it.angle), y = it.turn * p.y;
    return {c * p.x - s * y, s * p.x + c * y, it.along * p.z + it.shift};
  }

  bool maps(const RodOperation& it) const {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3<double> p = image(it, points_[i]);
      const auto is_there = [&](std::size_t j) {
        Vec3<double> d = p - points_[j];
        d.z -= period_ * std::round(d.z / period_);
        return kinds_[j] == kinds_[i] && length(d) < tolerance_;
      };
      bool is_atom = false;
      for (std::size_t j = 0; j < points_.size() && !is_atom; ++j) is_atom = is_there(j);
      if (!is_atom) return false;
    }
    return true;
  }

  /// Rounds angles, so that the operations are a group except for rounding. Rotations are
  /// multiples of a full turn over their number. Rotations that reverse the chain, and mirrors
  /// relative to another mirror, are multiples of half of this angle.
  static void make_exact(std::vector<RodOperation>& operations) {
    const auto turn_of = [](double angle) {
      const double full = 2 * std::numbers::pi, turn = angle - full * std::floor(angle / full);
      return full - turn < 1e-2 ? turn - full : turn;
    };
    std::vector<double> angles;
    for (const RodOperation& it : operations)
      if (it.along == 1 && it.turn == 1) angles.push_back(turn_of(it.angle));
    std::ranges::sort(angles);
    int count = 1;
    for (std::size_t n = 1; n < angles.size(); ++n)
      if (angles[n] - angles[n - 1] > 1e-2) ++count;
    const double step = std::numbers::pi / count;
    const auto mirror =
        std::ranges::find_if(operations, [](const RodOperation& it) { return it.turn == -1; });
    const double of_mirror = mirror == operations.end() ? 0 : mirror->angle;
    for (RodOperation& it : operations) {
      const double base = it.turn == 1 ? 0 : of_mirror;
      const double grid = it.turn == 1 && it.along == 1 ? 2 * step : step;
      it.angle = base + grid * std::round((it.angle - base) / grid);
    }
  }

  Operation cartesian(const RodOperation& it) const {
    // Columns of the matrix are images of u, v and the axis.
    const double c = std::cos(it.angle), s = std::sin(it.angle), turn = it.turn, along = it.along;
    const Vec3<double> of_u = c * u_ + s * v_, of_v = turn * (-s * u_ + c * v_);
    const Mat3<double> from{{u_, v_, axis_}};
    const Mat3<double> to = Mat3<double>{{of_u, of_v, along * axis_}}.transposed();
    const Mat3<double> rotation = product(to, from);
    const double shift = it.shift - period_ * std::round(it.shift / period_);
    return {rotation, centre_ - rotation * centre_ + shift * axis_};
  }

  double period_, tolerance_;
  std::vector<int> kinds_;
  Vec3<double> axis_{}, u_{}, v_{}, centre_{0, 0, 0};
  std::vector<Vec3<double>> points_;  ///< along u, v and the axis
};

}  // namespace

std::vector<Operation> rod_operations(const Vec3<double>& period, const ChainAtoms& atoms,
                                      double tolerance) {
  return Rod(period, atoms, tolerance).operations();
}

}  // namespace larmor::symmetry
