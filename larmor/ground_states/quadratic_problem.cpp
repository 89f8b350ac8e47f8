#include "larmor/ground_states/quadratic_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace larmor::ground_states {
namespace {

/// Sums of whole numbers are exact in double if they do not exceed this number.
constexpr double exact_up_to = 4503599627370496.0;  // 2^52
/// Decimals with more digits after the point count as real numbers.
constexpr int most_digits = 9;
/// The tolerance of problems with real numbers, relative to the largest possible energy.
constexpr double relative_tolerance = 1e-11;

/// Compensated sum (A. Neumaier, Z. Angew. Math. Mech. 54, 39 (1974)).
class CarefulSum {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

template <class Body>
bool every_number(const QuadraticProblem& problem, const Body& body) {
  return body(problem.offset) && std::ranges::all_of(problem.linear, body) &&
         std::ranges::all_of(problem.couplings,
                             [&](const Coupling& coupling) { return body(coupling.value); });
}

/// Returns 10^d if all numbers are decimals with at most d digits after the point, and if their sum
/// is exact. Otherwise returns nothing.
std::optional<double> decimal_divisor(const QuadraticProblem& problem) {
  double power = 1;
  for (int digits = 0; digits <= most_digits; ++digits, power *= 10) {
    // The spin form of a problem of bits has numbers four times as large.
    double sum = 0;
    const bool fits = every_number(problem, [&](double x) {
      const double whole = std::nearbyint(x * power);
      sum += 4 * std::abs(whole);
      return sum < exact_up_to && whole / power == x;
    });
    if (fits) return power;
  }
  return std::nullopt;
}

/// Multiplies a problem by `power`, which is the result of `decimal_divisor`. All numbers are then
/// whole.
QuadraticProblem times(QuadraticProblem problem, double power) {
  const auto scaled = [power](double x) { return std::nearbyint(x * power); };
  problem.offset = scaled(problem.offset);
  for (double& a : problem.linear) a = scaled(a);
  for (Coupling& coupling : problem.couplings) coupling.value = scaled(coupling.value);
  return problem;
}

/// Writes four times a function of bits as a function of spins. If all numbers are whole, the
/// result is exact.
SpinForm four_times_of_bits(const QuadraticProblem& problem) {
  SpinForm form;
  form.couplings = problem.couplings;
  CarefulSum offset;
  offset.add(4 * problem.offset);
  std::vector<CarefulSum> field(problem.linear.size());
  for (std::size_t i = 0; i < problem.linear.size(); ++i) {
    offset.add(2 * problem.linear[i]);
    field[i].add(2 * problem.linear[i]);
  }
  for (const Coupling& coupling : problem.couplings) {
    offset.add(coupling.value);
    field[static_cast<std::size_t>(coupling.i)].add(coupling.value);
    field[static_cast<std::size_t>(coupling.j)].add(coupling.value);
  }
  for (const CarefulSum& sum : field) form.field.push_back(sum.value());
  form.offset = offset.value();
  form.divisor = 4;
  return form;
}

/// The largest whole number that divides all h and J; 1 if all are 0.
double common_factor(const SpinForm& form) {
  std::int64_t factor = 0;
  for (const double h : form.field) factor = std::gcd(factor, static_cast<std::int64_t>(h));
  for (const Coupling& coupling : form.couplings)
    factor = std::gcd(factor, static_cast<std::int64_t>(coupling.value));
  return factor == 0 ? 1 : static_cast<double>(factor);
}

/// The largest power of 2 that is not above the largest |h| or |J|. Division by it keeps squares
/// and sums from overflow.
double magnitude(const SpinForm& form) {
  double largest = 0;
  for (const double h : form.field) largest = std::max(largest, std::abs(h));
  for (const Coupling& coupling : form.couplings)
    largest = std::max(largest, std::abs(coupling.value));
  return largest > 0 ? std::exp2(std::floor(std::log2(largest))) : 1;
}

}  // namespace

double value_of(const QuadraticProblem& problem, const State& state) {
  const auto variable = [&](std::int64_t i) -> double {
    const std::int8_t s = state[static_cast<std::size_t>(i)];
    return problem.variables == Variables::spins ? s : (s + 1) / 2;
  };
  CarefulSum sum;
  sum.add(problem.offset);
  for (Index i = 0; i < problem.size(); ++i)
    sum.add(problem.linear[static_cast<std::size_t>(i)] * variable(i));
  for (const Coupling& coupling : problem.couplings)
    sum.add(coupling.value * variable(coupling.i) * variable(coupling.j));
  return sum.value();
}

SpinForm spin_form(const QuadraticProblem& problem) {
  const std::optional<double> power = decimal_divisor(problem);
  const QuadraticProblem scaled = power ? times(problem, *power) : problem;
  SpinForm form;
  if (problem.variables == Variables::bits)
    form = four_times_of_bits(scaled);
  else
    form = {scaled.linear, scaled.couplings, scaled.offset};
  form.whole = power.has_value();
  form.divisor *= power.value_or(1);
  form.factor = form.whole ? common_factor(form) : magnitude(form);
  for (double& h : form.field) h /= form.factor;
  for (Coupling& coupling : form.couplings) coupling.value /= form.factor;
  return form;
}

double energy_of(const SpinForm& form, const State& state) {
  CarefulSum sum;
  for (std::size_t i = 0; i < form.field.size(); ++i) sum.add(form.field[i] * state[i]);
  for (const Coupling& coupling : form.couplings)
    sum.add(coupling.value * state[static_cast<std::size_t>(coupling.i)] *
            state[static_cast<std::size_t>(coupling.j)]);
  return sum.value();
}

double bound_of(const SpinForm& form) {
  double sum = 0;
  for (const double h : form.field) sum += std::abs(h);
  for (const Coupling& coupling : form.couplings) sum += std::abs(coupling.value);
  return sum;
}

double tolerance_of(const SpinForm& form) {
  return form.whole ? 0 : relative_tolerance * bound_of(form);
}

double margin_of(const SpinForm& form) { return form.whole ? 0.5 : tolerance_of(form); }

}  // namespace larmor::ground_states
