#pragma once
// Problems for tests, and their energies H by definition.

#include <cmath>
#include <cstdint>

#include "larmor/ground_states/quadratic_problem.hpp"

namespace larmor::ground_states_support {

/// Reproducible pseudo-random numbers.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed * 2654435761U + 1) {}
  double uniform() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 11U) / 9007199254740992.0;
  }
  double whole(int most) { return std::floor(uniform() * (2 * most + 1)) - most; }

 private:
  std::uint64_t state_;
};

/// H by direct summation of its definition.
inline double plain_value(const ground_states::QuadraticProblem& problem,
                          const ground_states::State& state) {
  const auto v = [&](std::int32_t i) -> double {
    const int s = state[static_cast<std::size_t>(i)];
    return problem.variables == ground_states::Variables::spins ? s : (s > 0 ? 1 : 0);
  };
  double sum = problem.offset;
  for (std::int32_t i = 0; i < problem.size(); ++i)
    sum += problem.linear[static_cast<std::size_t>(i)] * v(i);
  for (const ground_states::Coupling& coupling : problem.couplings)
    sum += coupling.value * v(coupling.i) * v(coupling.j);
  return sum;
}

}  // namespace larmor::ground_states_support
