#include "larmor/study/models/spins/stages/field_loop.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::study {
namespace {

struct Point {
  double field, moment;
};
using Branch = std::vector<Point>;
using Found = std::optional<double>;

/// +1 if the field rises along the branch, -1 if it falls.
double direction_of(const Branch& branch) {
  return branch.back().field > branch.front().field ? 1 : -1;
}

/// The last two branches.
std::vector<Branch> branches_of(const std::vector<Point>& sweep) {
  std::vector<Branch> branches;
  for (std::size_t n = 0; n + 1 < sweep.size(); ++n) {
    const double step = sweep[n + 1].field - sweep[n].field;
    if (step == 0) continue;
    if (branches.empty() || step * direction_of(branches.back()) < 0)
      branches.push_back({sweep[n]});
    branches.back().push_back(sweep[n + 1]);
  }
  if (branches.size() > 2) branches.erase(branches.begin(), branches.end() - 2);
  return branches;
}

/// B at which a straight line between two points has the moment m.
double field_at(const Point& a, const Point& b, double m) {
  return a.field + (b.field - a.field) * (m - a.moment) / (b.moment - a.moment);
}

/// The field B at which the moment loses its initial sign.
Found zero_of_moment(const Branch& branch) {
  const Point* last = nullptr;
  for (const Point& point : branch) {
    if (point.moment == 0) continue;
    if (last != nullptr && point.moment * last->moment < 0) return field_at(*last, point, 0);
    last = &point;
  }
  return std::nullopt;
}

Found coercive_field(const Branch& branch) {
  const Found field = zero_of_moment(branch);
  return field ? Found(direction_of(branch) * *field) : std::nullopt;
}

/// Does m change between two points so much faster than in the adjacent steps that it may jump
/// anywhere between them?
bool may_jump(const Branch& branch, std::size_t n) {
  const auto slope = [&](std::size_t k) {
    const Point &a = branch[k], &b = branch[k + 1];
    return std::abs((b.moment - a.moment) / (b.field - a.field));
  };
  if (branch.size() < 3) return false;
  double steepest_neighbour = 0;
  if (n > 0) steepest_neighbour = slope(n - 1);
  if (n + 2 < branch.size()) steepest_neighbour = std::max(steepest_neighbour, slope(n + 1));
  const double largest = std::max(std::abs(branch[n].moment), std::abs(branch[n + 1].moment));
  return std::abs(branch[n + 1].moment - branch[n].moment) > FieldLoop::small * largest &&
         slope(n) > FieldLoop::steep * steepest_neighbour;
}

/// The remanence of a branch. A branch that begins at zero field has no previous state, so its
/// remanence is unknown.
Found remanence(const Branch& branch) {
  for (std::size_t n = 0; n + 1 < branch.size(); ++n) {
    const Point &one = branch[n], &other = branch[n + 1];
    if (one.field * other.field > 0 || (n == 0 && one.field == 0)) continue;
    if (one.field != 0 && other.field != 0 && may_jump(branch, n)) return std::nullopt;
    const double share = one.field / (one.field - other.field);
    return 0.0 - direction_of(branch) * (one.moment + share * (other.moment - one.moment));
  }
  return std::nullopt;
}

Found saturation_field(const Branch& branch, double largest) {
  const double s = direction_of(branch), enough = FieldLoop::saturated * largest;
  std::size_t first = branch.size();
  while (first > 0 && s * branch[first - 1].moment >= enough) --first;
  if (largest == 0 || first == 0 || first == branch.size()) return std::nullopt;
  const double field = s * field_at(branch[first - 1], branch[first], s * enough);
  if (field > FieldLoop::flat * s * branch.back().field) return std::nullopt;
  return field;
}

/// The largest - B (B + p m) between two points, where B and m are linear.
double largest_product(const Point& a, const Point& b, double p) {
  const double B = a.field, dB = b.field - B;
  const double flux = a.field + p * a.moment, d_flux = b.field + p * b.moment - flux;
  const auto product = [&](double t) { return -(B + t * dB) * (flux + t * d_flux); };
  double largest = std::max(product(0), product(1));
  const double curvature = dB * d_flux;
  if (curvature > 0) {
    const double top = -(B * d_flux + flux * dB) / (2 * curvature);
    if (top > 0 && top < 1) largest = std::max(largest, product(top));
  }
  return largest;
}

Found energy_product(const Branch& branch, double polarisation) {
  if (!remanence(branch)) return std::nullopt;
  double largest = 0;
  for (std::size_t n = 0; n + 1 < branch.size(); ++n)
    largest = std::max(largest, largest_product(branch[n], branch[n + 1], polarisation));
  return largest;
}

template <class OfBranch>
LoopQuantity mean_of(const std::vector<Branch>& branches, const OfBranch& of_branch) {
  double sum = 0, count = 0;
  for (const Branch& branch : branches)
    if (const Found found = of_branch(branch)) {
      sum += *found;
      ++count;
    }
  return count == 0 ? LoopQuantity{} : LoopQuantity{.value = sum / count};
}

/// The numbers of a curve, without errors.
FieldLoop values_of(const std::vector<double>& field, const std::vector<double>& moment,
                    double polarisation) {
  std::vector<Point> sweep;
  double largest = 0;
  for (std::size_t n = 0; n < field.size(); ++n) {
    sweep.push_back({field[n], moment[n]});
    largest = std::max(largest, std::abs(moment[n]));
  }
  const std::vector<Branch> branches = branches_of(sweep);
  const auto zero_on = [&](double direction) {
    return mean_of(branches, [&](const Branch& branch) {
      return direction_of(branch) == direction ? zero_of_moment(branch) : std::nullopt;
    });
  };
  return {mean_of(branches, coercive_field),
          zero_on(-1),
          zero_on(1),
          mean_of(branches, [&](const Branch& b) { return saturation_field(b, largest); }),
          mean_of(branches, remanence),
          mean_of(branches, [&](const Branch& b) { return energy_product(b, polarisation); })};
}

}  // namespace

FieldLoop field_loop(const std::vector<double>& field, const std::vector<double>& moment,
                     double polarisation) {
  if (field.empty()) return {};
  const std::size_t points = field.size(), replicas = moment.size() / points;
  std::vector<double> mean(points);
  for (std::size_t n = 0; n < points; ++n) {
    for (std::size_t r = 0; r < replicas; ++r) mean[n] += moment[n * replicas + r];
    mean[n] /= static_cast<double>(replicas);
  }
  FieldLoop loop = values_of(field, mean, polarisation);
  if (replicas < 2) return loop;

  // Pseudo-values of the jackknife, with the scatter of independent values.
  const auto R = static_cast<double>(replicas);
  std::array<std::vector<double>, loop_quantities.size()> pseudo;
  for (std::size_t r = 0; r < replicas; ++r) {
    std::vector<double> others(points);
    for (std::size_t n = 0; n < points; ++n)
      others[n] = (R * mean[n] - moment[n * replicas + r]) / (R - 1);
    const FieldLoop without = values_of(field, others, polarisation);
    for (std::size_t q = 0; q < pseudo.size(); ++q) {
      const auto quantity = loop_quantities[q].second;
      pseudo[q].push_back(R * (loop.*quantity).value - (R - 1) * (without.*quantity).value);
    }
  }
  for (std::size_t q = 0; q < pseudo.size(); ++q)
    (loop.*loop_quantities[q].second).error = estimate_independent(pseudo[q]).error;
  return loop;
}

}  // namespace larmor::study
