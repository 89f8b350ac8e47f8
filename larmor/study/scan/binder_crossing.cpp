#include "larmor/study/scan/binder_crossing.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/core/maths/normal.hpp"

namespace larmor::study {
namespace {

/// Temperatures on either side of the crossing that the polynomial uses.
constexpr std::size_t most_at_a_side = 3;
constexpr int draws = 1000;
/// Least mean difference on either side, in standard errors; a smaller one could be chance.
constexpr double clearly = 2;
/// Temperatures with a smaller relative difference are equal.
constexpr double same_temperature = 1e-9;

/// The difference of two curves at a temperature.
struct Difference {
  double temperature, value, error;
};

bool has_error(const BinderCurve& curve, std::size_t n) {
  return std::isfinite(curve.value[n]) && std::isfinite(curve.error[n]);
}

/// The differences in the order of temperature.
std::vector<Difference> differences(const BinderCurve& smaller, const BinderCurve& larger) {
  std::vector<Difference> found;
  for (std::size_t a = 0; a < smaller.temperature.size(); ++a)
    for (std::size_t b = 0; b < larger.temperature.size(); ++b) {
      const double T = smaller.temperature[a];
      if (std::abs(larger.temperature[b] - T) > same_temperature * std::abs(T)) continue;
      if (has_error(smaller, a) && has_error(larger, b))
        found.push_back(
            {T, larger.value[b] - smaller.value[a], std::hypot(smaller.error[a], larger.error[b])});
      break;
    }
  std::sort(found.begin(), found.end(), [](const Difference& one, const Difference& other) {
    return one.temperature < other.temperature;
  });
  // Values without any scatter count like values with a very small error.
  double largest = 0;
  for (const Difference& d : found) largest = std::max(largest, std::abs(d.value));
  for (Difference& d : found) d.error = std::max(d.error, 1e-9 * largest);
  return found;
}

/// The mean divided by its standard error, of differences weighted by their errors.
double significance(const Difference* begin, const Difference* end) {
  double sum = 0, weights = 0;
  for (const Difference* d = begin; d != end; ++d) {
    const double weight = 1 / (d->error * d->error);
    sum += weight * d->value;
    weights += weight;
  }
  return sum / std::sqrt(weights);
}

/// The number of temperatures below the crossing: the place that best separates positive from
/// negative differences. 0: no crossing among them.
std::size_t temperatures_below(const std::vector<Difference>& all) {
  std::size_t best = 0;
  double most = 0, parted = 0;
  for (const Difference& d : all) parted -= d.value / d.error;
  for (std::size_t below = 1; below < all.size(); ++below) {
    parted += 2 * all[below - 1].value / all[below - 1].error;
    if (best > 0 && parted <= most) continue;
    most = parted;
    best = below;
  }
  if (best == 0 || significance(all.data(), all.data() + best) < clearly ||
      significance(all.data() + best, all.data() + all.size()) > -clearly)
    return 0;
  return best;
}

/// A polynomial of least squares through differences at temperatures scaled to [-1, 1].
class Interpolation {
 public:
  Interpolation(const Difference* begin, const Difference* end)
      : centre_((begin->temperature + (end - 1)->temperature) / 2),
        scale_(((end - 1)->temperature - begin->temperature) / 2) {
    const auto points = static_cast<Eigen::Index>(end - begin);
    const Eigen::Index terms = std::min<Eigen::Index>(3, points / 2) + 1;
    Eigen::MatrixXd powers(points, terms);
    weight_.resize(points);
    for (Eigen::Index p = 0; p < points; ++p) {
      const double x = (begin[p].temperature - centre_) / scale_;
      weight_(p) = 1 / begin[p].error;
      for (Eigen::Index t = 0; t < terms; ++t)
        powers(p, t) = weight_(p) * std::pow(x, static_cast<double>(t));
    }
    coefficients_of_ = pseudo_inverse(powers);
  }

  /// The root where the polynomial through `values` falls through zero; nothing if there is none.
  std::optional<double> root(const Eigen::VectorXd& values) const {
    const Eigen::VectorXd c = coefficients_of_ * weight_.cwiseProduct(values);
    const auto at = [&](double x) {
      double sum = 0;
      for (Eigen::Index t = c.size(); t-- > 0;) sum = sum * x + c(t);
      return sum;
    };
    double low = -1, high = 1;
    if (!(at(low) > 0 && at(high) < 0)) return std::nullopt;
    for (int halving = 0; halving < 52; ++halving) {
      const double middle = (low + high) / 2;
      (at(middle) > 0 ? low : high) = middle;
    }
    return centre_ + scale_ * (low + high) / 2;
  }

 private:
  double centre_, scale_;
  Eigen::VectorXd weight_;
  Eigen::MatrixXd coefficients_of_;  ///< (terms, points)
};

/// A key of its own, so that the bootstrap shares no random numbers with the simulation.
constexpr RandomKey bootstrap_key{0x62696e646572, 0, Stream::perturbation};

double normal_deviate(std::size_t point, int draw) {
  return normal_vector<double>(philox(bootstrap_key, static_cast<std::uint64_t>(point),
                                      static_cast<std::uint64_t>(draw)))
      .x;
}

}  // namespace

std::optional<BinderCrossing> binder_crossing(const BinderCurve& smaller,
                                              const BinderCurve& larger) {
  const std::vector<Difference> all = differences(smaller, larger);
  const std::size_t below = temperatures_below(all);
  if (below == 0) return std::nullopt;
  const std::size_t side = std::min({most_at_a_side, below, all.size() - below});
  const Difference* const begin = all.data() + below - side;
  const Difference* const end = all.data() + below + side;
  const Interpolation interpolation(begin, end);
  Eigen::VectorXd values(end - begin);
  for (Eigen::Index p = 0; p < values.size(); ++p) values(p) = begin[p].value;
  const std::optional<double> root = interpolation.root(values);
  if (!root) return std::nullopt;
  double squares = 0;
  int crossed = 0;
  Eigen::VectorXd drawn(values.size());
  for (int draw = 0; draw < draws; ++draw) {
    for (Eigen::Index p = 0; p < values.size(); ++p)
      drawn(p) = values(p) + begin[p].error * normal_deviate(static_cast<std::size_t>(p), draw);
    if (const std::optional<double> other = interpolation.root(drawn)) {
      squares += (*other - *root) * (*other - *root);
      ++crossed;
    }
  }
  // If many draws have no crossing nearby, the scatter of the remaining draws is too small an
  // error.
  if (crossed < 0.95 * draws) return std::nullopt;
  return BinderCrossing{*root, std::sqrt(squares / crossed)};
}

}  // namespace larmor::study
