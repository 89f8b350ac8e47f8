#include "larmor/correlations/fourier/q_list.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/lattice/input.hpp"

namespace larmor::correlations {
namespace {

constexpr Index points_without_lattice = 50;

Vec3<double> to_cartesian(const lattice::Geometry& geometry, const Vec3<double>& q) {
  const auto b = geometry.crystal.reciprocal();
  return q.x * b[0] + q.y * b[1] + q.z * b[2];
}

/// Number of steps from a to b between commensurate vectors on this line.
Index commensurate_steps(const lattice::Geometry& geometry, const Vec3<double>& a,
                         const Vec3<double>& b) {
  if (!geometry.is_lattice() || !is_commensurate(geometry, a) || !is_commensurate(geometry, b))
    return points_without_lattice;
  const Vec3<double> d = b - a;
  const double part[3] = {d.x, d.y, d.z};
  Index steps = 0;
  for (std::size_t i = 0; i < 3; ++i)
    steps = std::gcd(
        steps, static_cast<Index>(std::llround(part[i] * static_cast<double>(geometry.size[i]))));
  return std::max<Index>(1, steps);
}

/// The nearest commensurate wave vector if q is that vector in rounded decimals; otherwise nothing.
std::optional<Vec3<double>> written_for(const lattice::Geometry& geometry, const Vec3<double>& q) {
  double part[3] = {q.x, q.y, q.z};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto size = static_cast<double>(geometry.size[d]);
    const double nearest = std::round(part[d] * size) / size;
    if (std::abs(part[d] - nearest) > std::min(lattice::input_tolerance, 0.1 / size))
      return std::nullopt;
    part[d] = nearest;
  }
  return Vec3<double>{part[0], part[1], part[2]};
}

void push(QList& list, const lattice::Geometry& geometry, const Vec3<double>& q) {
  const Vec3<double> k = to_cartesian(geometry, q);
  const double step = list.q.empty() ? 0 : length(k - list.cartesian.back());
  list.distance.push_back(list.q.empty() ? 0 : list.distance.back() + step);
  list.q.push_back(q);
  list.cartesian.push_back(k);
}

}  // namespace

bool is_commensurate(const lattice::Geometry& geometry, const Vec3<double>& q) {
  const double part[3] = {q.x, q.y, q.z};
  for (std::size_t d = 0; d < 3; ++d) {
    const double k = part[d] * static_cast<double>(geometry.size[d]);
    if (std::abs(k - std::round(k)) > 1e-9) return false;
  }
  return true;
}

std::optional<Index> make_commensurate(const lattice::Geometry& geometry, QList& list) {
  for (std::size_t n = 0; n < list.q.size(); ++n) {
    if (is_commensurate(geometry, list.q[n])) continue;
    const std::optional<Vec3<double>> q = written_for(geometry, list.q[n]);
    if (!q) return static_cast<Index>(n);
    list.q[n] = *q;
    list.cartesian[n] = to_cartesian(geometry, *q);
  }
  return std::nullopt;
}

QList q_path(const lattice::Geometry& geometry, const std::vector<std::string>& names,
             const std::optional<Index>& points) {
  if (names.size() < 2)
    throw InputError("a path needs at least two named points", "write for instance [\"Γ\", \"X\"]");
  if (points && *points < 1)
    throw InputError("points = " + std::to_string(*points) + " leaves a path without wave vectors",
                     "give points = 1 or more");
  QList list;
  for (std::size_t n = 0; n + 1 < names.size(); ++n) {
    const Vec3<double> a = lattice::named_wave_vector(geometry.crystal, names[n]);
    const Vec3<double> b = lattice::named_wave_vector(geometry.crystal, names[n + 1]);
    const Index steps = points ? *points : commensurate_steps(geometry, a, b);
    list.label_index.push_back(list.size());
    for (Index s = 0; s < steps; ++s)
      push(list, geometry, a + (static_cast<double>(s) / static_cast<double>(steps)) * (b - a));
    if (n + 2 == names.size()) {
      list.label_index.push_back(list.size());
      push(list, geometry, b);
    }
  }
  list.label_text = names;
  return list;
}

QList q_explicit(const lattice::Geometry& geometry, const std::vector<Vec3<double>>& q) {
  QList list;
  for (const Vec3<double>& k : q) push(list, geometry, k);
  return list;
}

QList q_grid(const lattice::Geometry& geometry) {
  if (!geometry.is_lattice())
    throw InputError("plain positions have no grid of wave vectors", "give q = [[..], ..]");
  std::vector<Vec3<double>> q;
  const auto part = [&](Index k, std::size_t d) {
    return static_cast<double>(k) / static_cast<double>(geometry.size[d]);
  };
  for (Index z = 0; z < geometry.size[2]; ++z)
    for (Index y = 0; y < geometry.size[1]; ++y)
      for (Index x = 0; x < geometry.size[0]; ++x)
        q.push_back({part(x, 0), part(y, 1), part(z, 2)});
  QList list = q_explicit(geometry, q);
  list.grid = geometry.size;
  std::iota(list.distance.begin(), list.distance.end(), 0.0);
  return list;
}

std::string q_text(const Vec3<double>& q) {
  return "[" + number_text(q.x) + ", " + number_text(q.y) + ", " + number_text(q.z) + "]";
}

std::vector<double> turns_of(const QList& q) {
  std::vector<double> turns;
  for (const Vec3<double>& k : q.cartesian)
    for (const double x : {k.x, k.y, k.z}) turns.push_back(x / (2 * std::numbers::pi));
  return turns;
}

}  // namespace larmor::correlations
