#include "larmor/study/kinds/spins/stages/field_loop.hpp"

#include <cmath>
#include <limits>
#include <optional>

namespace larmor::study {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Point {
  double field, moment, error;
};
using Branch = std::vector<Point>;

/// +1 where the field rises along the branch, -1 where it falls.
double direction_of(const Branch& branch) {
  return branch.back().field > branch.front().field ? 1 : -1;
}

std::vector<Branch> branches_of(const std::vector<Point>& sweep) {
  std::vector<Branch> branches;
  for (std::size_t n = 0; n + 1 < sweep.size(); ++n) {
    const double step = sweep[n + 1].field - sweep[n].field;
    const bool turns = branches.empty() || step * direction_of(branches.back()) < 0;
    if (step == 0) continue;
    if (turns && branches.size() == 2) break;
    if (turns) branches.push_back({sweep[n]});
    branches.back().push_back(sweep[n + 1]);
  }
  return branches;
}

/// s B where the moment has lost the sign that it began with.
std::optional<LoopQuantity> coercive_field(const Branch& branch) {
  const Point* last = nullptr;
  for (const Point& point : branch) {
    if (point.moment == 0) continue;
    if (last == nullptr || point.moment * last->moment > 0) {
      last = &point;
      continue;
    }
    const double slope = (point.moment - last->moment) / (point.field - last->field);
    const double share = last->moment / (last->moment - point.moment);
    const double error = (1 - share) * last->error + share * point.error;
    return LoopQuantity{direction_of(branch) * (last->field - last->moment / slope),
                        error / std::abs(slope)};
  }
  return std::nullopt;
}

/// - s m where the field vanishes; a branch that begins there has not come from anywhere.
std::optional<LoopQuantity> remanence(const Branch& branch) {
  for (std::size_t n = 0; n + 1 < branch.size(); ++n) {
    const Point& one = branch[n];
    const Point& other = branch[n + 1];
    if (one.field * other.field > 0 || (n == 0 && one.field == 0)) continue;
    const double share = one.field / (one.field - other.field);
    const double moment = one.moment + share * (other.moment - one.moment);
    return LoopQuantity{0.0 - direction_of(branch) * moment,
                        (1 - share) * one.error + share * other.error};
  }
  return std::nullopt;
}

LoopQuantity mean_of(const std::vector<Branch>& branches,
                     std::optional<LoopQuantity> (*of_branch)(const Branch&)) {
  double sum = 0, squares = 0, count = 0;
  for (const Branch& branch : branches)
    if (const std::optional<LoopQuantity> found = of_branch(branch)) {
      sum += found->value;
      squares += found->error * found->error;
      ++count;
    }
  if (count == 0) return {nan, nan};
  return {sum / count, std::sqrt(squares) / count};
}

}  // namespace

FieldLoop field_loop(const std::vector<double>& field, const std::vector<double>& moment,
                     const std::vector<double>& error) {
  std::vector<Point> sweep;
  for (std::size_t n = 0; n < field.size() && n < moment.size(); ++n)
    sweep.push_back({field[n], moment[n], n < error.size() ? error[n] : nan});
  const std::vector<Branch> branches = branches_of(sweep);
  return {mean_of(branches, coercive_field), mean_of(branches, remanence)};
}

}  // namespace larmor::study
