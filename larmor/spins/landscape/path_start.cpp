#include "larmor/spins/landscape/path_start.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/vectors.hpp"

namespace larmor::spins {
namespace {

/// If two spins are antiparallel within this angle (rad), the common axis determines the plane of
/// rotation.
constexpr double antiparallel = 1e-4;

Vec3<double> site(const SiteVectors& v, std::size_t i) {
  const std::size_t n = v.size() / 3;
  return {v[i], v[n + i], v[2 * n + i]};
}

void set_site(SiteVectors& v, std::size_t i, const Vec3<double>& x) {
  const std::size_t n = v.size() / 3;
  v[i] = x.x;
  v[n + i] = x.y;
  v[2 * n + i] = x.z;
}

/// A unit vector perpendicular to `e`. If `wish` has a component perpendicular to `e`, the unit
/// vector is along it.
Vec3<double> across(const Vec3<double>& wish, const Vec3<double>& e) {
  for (const Vec3<double>& v : {wish, Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}}) {
    const Vec3<double> tangential = v - dot(v, e) * e;
    if (length(tangential) > 1e-3 * length(v) && length(v) > 0) return unit_vector(tangential);
  }
  return {0, 0, 1};
}

bool is_antiparallel(const Vec3<double>& a, const Vec3<double>& b) {
  return dot(a, b) < 0 && length(cross(a, b)) < antiparallel;
}

double turn_at(const SiteVectors& a, const SiteVectors& b, std::size_t i) {
  const Vec3<double> from = site(a, i), to = site(b, i);
  return std::atan2(length(cross(from, to)), dot(from, to));
}

/// The tangent vectors at `a` that point to `b`.
SiteVectors leading(const SiteVectors& a, const SiteVectors& b,
                    const std::optional<Vec3<double>>& axis) {
  SiteVectors p(a.size());
  shortest_turn(a, b, p, 1);
  std::optional<Vec3<double>> common = axis;
  for (std::size_t i = 0; i < a.size() / 3; ++i) {
    const Vec3<double> from = site(a, i);
    if (!is_antiparallel(from, site(b, i))) continue;
    if (!common) common = across({0, 1, 0}, from);
    set_site(p, i, std::numbers::pi * cross(across(*common, from), from));
  }
  return p;
}

}  // namespace

double distance(const SiteVectors& a, const SiteVectors& b, int threads) {
  SiteVectors p(a.size());
  shortest_turn(a, b, p, threads);
  return std::sqrt(inner_product(p, p, threads));
}

std::vector<SiteVectors> geodesic_path(const std::vector<SiteVectors>& stops, Index images,
                                       const std::optional<Vec3<double>>& axis) {
  std::vector<SiteVectors> leads;
  std::vector<double> reached{0};
  for (std::size_t s = 0; s + 1 < stops.size(); ++s) {
    leads.push_back(leading(stops[s], stops[s + 1], axis));
    reached.push_back(reached.back() + std::sqrt(inner_product(leads[s], leads[s], 1)));
  }
  if (reached.back() < 1e-6)
    throw InputError("the path has no length: the initial and the final state are equal",
                     "start from other spins, or give another final state");
  std::vector<SiteVectors> path;
  for (Index image = 0; image < images; ++image) {
    const double at = reached.back() * static_cast<double>(image) / static_cast<double>(images - 1);
    std::size_t s = 0;
    while (s + 2 < stops.size() && at > reached[s + 1]) ++s;
    const double whole = reached[s + 1] - reached[s];
    SiteVectors spins(stops[s].size());
    turn(stops[s], leads[s], whole > 0 ? (at - reached[s]) / whole : 0, spins, 1);
    path.push_back(std::move(spins));
  }
  path.back() = stops.back();
  return path;
}

std::vector<SiteVectors> divided_path(const std::vector<SiteVectors>& path, double max_distance,
                                      Index max_images) {
  const std::size_t gaps = path.size() - 1;
  std::vector<double> width(gaps);
  for (std::size_t i = 0; i < gaps; ++i) width[i] = distance(path[i], path[i + 1], 1);
  std::vector<Index> steps(gaps, 1);
  const auto step_of = [&](std::size_t i) { return width[i] / static_cast<double>(steps[i]); };
  for (Index images = std::ssize(path); images < max_images; ++images) {
    std::size_t widest = 0;
    for (std::size_t i = 1; i < gaps; ++i)
      if (step_of(i) > step_of(widest)) widest = i;
    if (step_of(widest) <= max_distance) break;
    ++steps[widest];
  }
  std::vector<SiteVectors> divided;
  for (std::size_t i = 0; i < gaps; ++i) {
    const SiteVectors lead = leading(path[i], path[i + 1], std::nullopt);
    divided.push_back(path[i]);
    for (Index n = 1; n < steps[i]; ++n) {
      SiteVectors spins(path[i].size());
      turn(path[i], lead, static_cast<double>(n) / static_cast<double>(steps[i]), spins, 1);
      divided.push_back(std::move(spins));
    }
  }
  divided.push_back(path.back());
  return divided;
}

double largest_turn(const SiteVectors& a, const SiteVectors& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size() / 3; ++i) largest = std::max(largest, turn_at(a, b, i));
  return largest;
}

double sum_of_turns(const SiteVectors& a, const SiteVectors& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size() / 3; ++i) sum += turn_at(a, b, i);
  return sum;
}

}  // namespace larmor::spins
