#include "larmor/correlations/pairs/reductions/minimum_image.hpp"

#include <array>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {
namespace {

using Vectors = std::vector<Vec3<double>>;

bool is_finite(const Vec3<double>& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Subtracts whole multiples of the other vectors from each vector, until no vector gets shorter.
void reduce(Vectors& period) {
  for (bool shorter = true; shorter;) {
    shorter = false;
    for (auto& a : period)
      for (const auto& b : period) {
        if (&a == &b) continue;
        const Vec3<double> less = a - std::round(dot(a, b) / dot(b, b)) * b;
        if (dot(less, less) < dot(a, a) * (1 - 1e-12)) {
          a = less;
          shorter = true;
        }
      }
  }
}

/// Three independent vectors: the given ones, then vectors perpendicular to them.
std::array<Vec3<double>, 3> completed(const Vectors& period) {
  std::array<Vec3<double>, 3> full{};
  std::copy(period.begin(), period.end(), full.begin());
  if (period.size() == 1) {
    const Vec3<double> a = full[0];
    // The second vector is perpendicular to `a` and to the axis along which `a` has its shortest
    // component.
    const double x = std::abs(a.x), y = std::abs(a.y), z = std::abs(a.z);
    const Vec3<double> axis = x <= y && x <= z ? Vec3<double>{1, 0, 0}
                              : y <= z         ? Vec3<double>{0, 1, 0}
                                               : Vec3<double>{0, 0, 1};
    full[1] = cross(a, axis);
  }
  if (period.size() < 3) full[2] = cross(full[0], full[1]);
  return full;
}

Vectors duals(const Vectors& period) {
  const auto full = completed(period);
  const double volume = dot(full[0], cross(full[1], full[2]));
  const double lengths =
      std::sqrt(dot(full[0], full[0]) * dot(full[1], full[1])) * std::sqrt(dot(full[2], full[2]));
  if (!(std::abs(volume) > 1e-9 * lengths))
    throw InputError("the periods of a box are not independent");
  Vectors dual;
  for (std::size_t i = 0; i < period.size(); ++i)
    dual.push_back((1 / volume) * cross(full[(i + 1) % 3], full[(i + 2) % 3]));
  return dual;
}

/// Rounded vectors are d = sum_i f_i period_i + a part perpendicular to the periods, |f_i| <= 1/2.
/// A translation s shortens one of them, |d + s| < |d|, if and only if s.s < sum_i |period_i . s|.
/// No translation that is longer than the sum of all periods does so.
Vectors shifts(const Vectors& period, const Vectors& dual) {
  double longest = 0;
  for (const auto& a : period) longest += std::sqrt(dot(a, a));
  std::array<Index, 3> most{};
  for (std::size_t i = 0; i < dual.size(); ++i)
    most[i] = static_cast<Index>(longest * std::sqrt(dot(dual[i], dual[i])) * (1 + 1e-9));
  const auto period_or_zero = [&](std::size_t i) {
    return i < period.size() ? period[i] : Vec3<double>{};
  };
  Vectors shift;
  for (Index x = -most[0]; x <= most[0]; ++x)
    for (Index y = -most[1]; y <= most[1]; ++y)
      for (Index z = -most[2]; z <= most[2]; ++z) {
        const auto times = [](Index n, const Vec3<double>& v) {
          return static_cast<double>(n) * v;
        };
        const Vec3<double> s =
            times(x, period_or_zero(0)) + times(y, period_or_zero(1)) + times(z, period_or_zero(2));
        double reach = 0;
        for (const auto& a : period) reach += std::abs(dot(a, s));
        if (dot(s, s) < reach * (1 - 1e-12)) shift.push_back(s);
      }
  return shift;
}

}  // namespace

MinimumImage minimum_image(std::span<const Vec3<double>> periods) {
  if (periods.size() > 3) throw InputError("a box has three periods at most");
  for (const auto& a : periods)
    if (!is_finite(a)) throw InputError("a period of a box is not finite");
  MinimumImage box;
  box.period.assign(periods.begin(), periods.end());
  if (periods.empty()) return box;
  duals(box.period);
  reduce(box.period);
  box.dual = duals(box.period);
  box.shift = shifts(box.period, box.dual);
  return box;
}

}  // namespace larmor::correlations::real_space
