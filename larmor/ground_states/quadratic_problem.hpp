#pragma once
// A quadratic function of variables with two values, of which a search finds the minimum:
//     H(v) = offset + sum_i a_i v_i + sum_(i<j) b_ij v_i v_j.
// The variables are spins, v = -1 or 1 (an Ising problem), or bits, v = 0 or 1 (QUBO, quadratic
// unconstrained binary optimisation). Each pair counts once. The signs are those of the usual files
// of such problems: b_ij > 0 between spins is antiferromagnetic. In the H = - J s s of lattice
// models, J < 0 is antiferromagnetic.

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

/// A problem lists each pair at most once, couples no variable to itself, and has only finite
/// numbers.
struct QuadraticProblem {
  Variables variables = Variables::spins;
  std::vector<double> linear;
  std::vector<Coupling> couplings;
  double offset = 0;

  Index size() const { return static_cast<Index>(linear.size()); }
};

/// -1 or 1 for each variable. If the variables are bits, -1 stands for 0.
using State = std::vector<std::int8_t>;

/// H of a state, with an error of about one rounding.
double value_of(const QuadraticProblem& problem, const State& state);

/// The problem as an energy E of spins, in a unit of its own and without the constant:
///     H = (offset + factor E) / divisor,   E = sum_i h_i s_i + sum_(i<j) J_ij s_i s_j.
/// If all numbers of a problem are decimals of a few digits, such as 0.25 or -3, all h and J are
/// whole numbers without a common factor. E is then exact in any order of summation. Otherwise the
/// largest h or J is between 1 and 2. Bits become spins by v = (1 + s) / 2.
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

/// sum_i |h_i| + sum_(i<j) |J_ij|, an upper bound of |E|.
double bound_of(const SpinForm& form);

/// Energies count as equal if they differ by no more than this. It is 0 if h and J are whole
/// numbers.
double tolerance_of(const SpinForm& form);

/// The tolerance for rounded energies from a file or a user: half a unit if E is a whole number.
double margin_of(const SpinForm& form);

}  // namespace larmor::ground_states
