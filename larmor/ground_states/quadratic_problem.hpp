#pragma once
// A quadratic function of variables with two values, whose least value is sought:
//     H(v) = offset + sum_i a_i v_i + sum_(i<j) b_ij v_i v_j,
// of spins v = -1, 1 (an Ising problem) or of bits v = 0, 1 (QUBO, quadratic unconstrained binary
// optimisation). Each pair counts once. The signs are those of the files that such problems come
// in: b_ij > 0 of two spins is antiferromagnetic, where the H = - J s s of lattice models has J <
// 0.

#include <cstdint>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::ground_states {

enum class Variables { spins, bits };

struct Coupling {
  std::int32_t i, j;
  double value;

  friend bool operator==(const Coupling&, const Coupling&) = default;
};

/// No pair is listed twice, no variable is coupled to itself, all numbers are finite.
struct QuadraticProblem {
  Variables variables = Variables::spins;
  std::vector<double> linear;
  std::vector<Coupling> couplings;
  double offset = 0;

  Index size() const { return static_cast<Index>(linear.size()); }
};

/// Of each variable -1 or 1; the bit 0 is -1.
using State = std::vector<std::int8_t>;

/// H of a state, rounded once or nearly so.
double value_of(const QuadraticProblem& problem, const State& state);

/// The same function of spins in a unit of its own, without its constant:
///     H = (offset + factor E) / divisor,   E = sum_i h_i s_i + sum_(i<j) J_ij s_i s_j.
/// Where all numbers of a problem are decimals of a few digits, as 0.25 or -3, all h and J are
/// whole numbers without a common factor, and E is exact however it is summed. Of other numbers the
/// largest is between 1 and 2. Bits become spins by v = (1 + s) / 2.
struct SpinForm {
  std::vector<double> field;        ///< h
  std::vector<Coupling> couplings;  ///< J
  double offset = 0, factor = 1, divisor = 1;
  bool whole = false;  ///< are h and J whole numbers?

  Index size() const { return static_cast<Index>(field.size()); }
  double value(double energy) const { return (offset + factor * energy) / divisor; }
  double energy(double value) const { return (value * divisor - offset) / factor; }
};

SpinForm spin_form(const QuadraticProblem& problem);

/// E of a state.
double energy_of(const SpinForm& form, const State& state);

/// sum_i |h_i| + sum_(i<j) |J_ij|: no energy is further from 0.
double bound_of(const SpinForm& form);

/// Energies of a problem that are this close count as equal; 0 of whole numbers.
double tolerance_of(const SpinForm& form);

/// The same for energies that come from a file or a user, rounded: half a unit of whole numbers.
double margin_of(const SpinForm& form);

}  // namespace larmor::ground_states
