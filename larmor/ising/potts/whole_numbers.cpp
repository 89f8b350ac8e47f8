#include "larmor/ising/potts/whole_numbers.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::ising {
namespace {

constexpr double rounding = 1e-12;

bool are_multiples(const std::vector<double>& numbers, double quantum) {
  return std::all_of(numbers.begin(), numbers.end(), [quantum](double x) {
    const double multiple = std::abs(x / quantum);
    return multiple <= most_multiple &&
           std::abs(multiple - std::round(multiple)) <= rounding * multiple;
  });
}

}  // namespace

double quantum_of(const std::vector<double>& numbers) {
  double least = 0, most = 0;
  for (const double x : numbers) {
    if (x == 0) continue;
    least = least == 0 ? std::abs(x) : std::min(least, std::abs(x));
    most = std::max(most, std::abs(x));
  }
  if (most == 0) return 1;
  for (const int part : {1, 2, 3, 4, 5, 6, 10, 12, 20, 30, 60})
    if (are_multiples(numbers, least / part)) return least / part;
  return quantum_of_largest(most);
}

double quantum_of_largest(double largest) { return largest / 1073741824.0; }

std::int32_t in_quanta(double number, double quantum) {
  return static_cast<std::int32_t>(std::llround(number / quantum));
}

}  // namespace larmor::ising
