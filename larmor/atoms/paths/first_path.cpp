#include "larmor/atoms/paths/first_path.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/atoms/cell/shortest_image.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::atoms {
namespace {

double distance(const Positions& a, const Positions& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) square += dot(b[i] - a[i], b[i] - a[i]);
  return std::sqrt(square);
}

Vec3<double> mean_of(const Positions& vectors) {
  Vec3<double> mean{};
  for (const Vec3<double>& v : vectors) mean += (1 / static_cast<double>(vectors.size())) * v;
  return mean;
}

/// The rotation about the mean that brings a structure to the least distance from another one, by
/// the quaternion of B. K. P. Horn, J. Opt. Soc. Am. A 4, 629 (1987).
Mat3<double> best_rotation(const Positions& from, const Positions& to) {
  const Vec3<double> mean_from = mean_of(from), mean_to = mean_of(to);
  Eigen::Matrix3d S = Eigen::Matrix3d::Zero();
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Vec3<double> a = to[i] - mean_to, b = from[i] - mean_from;
    S += Eigen::Vector3d(a.x, a.y, a.z) * Eigen::RowVector3d(b.x, b.y, b.z);
  }
  Eigen::MatrixXd N(4, 4);
  N(0, 0) = S.trace();
  const Eigen::Vector3d turn(S(1, 2) - S(2, 1), S(2, 0) - S(0, 2), S(0, 1) - S(1, 0));
  N.block<3, 1>(1, 0) = turn;
  N.block<1, 3>(0, 1) = turn.transpose();
  N.block<3, 3>(1, 1) = S + S.transpose() - S.trace() * Eigen::Matrix3d::Identity();
  const Eigen::VectorXd q = eigensystem(N).vectors.col(3);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {{Vec3<double>{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           Vec3<double>{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           Vec3<double>{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

Positions turned(const Positions& from, const Positions& to) {
  const Mat3<double> turn = best_rotation(from, to);
  Positions turned;
  for (const Vec3<double>& r : to) turned.push_back(turn * r);
  return turned;
}

}  // namespace

Positions nearest_image(const Box& box, const Positions& from, const Positions& to) {
  const bool can_turn = box.periodic == std::array{false, false, false};
  const Positions other = can_turn ? turned(from, to) : to;
  Positions ways;
  for (std::size_t i = 0; i < from.size(); ++i)
    ways.push_back(shortest_image(box, other[i] - from[i]));
  const Vec3<double> mean = mean_of(ways);
  Positions image;
  for (std::size_t i = 0; i < from.size(); ++i) image.push_back(from[i] + (ways[i] - mean));
  return image;
}

double largest_displacement(const Positions& a, const Positions& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, length(b[i] - a[i]));
  return largest;
}

std::vector<Positions> straight_path(const std::vector<Positions>& stops, std::size_t images) {
  std::vector<double> reached{0};
  for (std::size_t n = 1; n < stops.size(); ++n)
    reached.push_back(reached.back() + distance(stops[n - 1], stops[n]));
  std::vector<Positions> path;
  std::size_t leg = 1;
  for (std::size_t image = 0; image + 1 < images; ++image) {
    const double at = reached.back() * static_cast<double>(image) / static_cast<double>(images - 1);
    while (leg + 1 < stops.size() && at > reached[leg]) ++leg;
    const double length_of_leg = reached[leg] - reached[leg - 1];
    const double share = length_of_leg > 0 ? (at - reached[leg - 1]) / length_of_leg : 0;
    Positions& positions = path.emplace_back();
    for (std::size_t i = 0; i < stops[leg].size(); ++i)
      positions.push_back(stops[leg - 1][i] + share * (stops[leg][i] - stops[leg - 1][i]));
  }
  path.push_back(stops.back());
  return path;
}

}  // namespace larmor::atoms
