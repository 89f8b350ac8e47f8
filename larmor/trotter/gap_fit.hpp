#pragma once
// The gap above the ground state, from the decay of a correlation in imaginary time. For low
// temperatures, and times after which only the lowest excited state counts,
//
//   G(tau) = A cosh( gap (beta / 2 - tau) ).
//
// For correlations with a constant part, subtract it first. Values at several times come from the
// same spins. So the error of the fit is a lower bound; take the error from a jackknife over
// replicas or samples.

#include <cstddef>
#include <span>

#include "larmor/core/types.hpp"

namespace larmor::trotter {

struct CorrelationValue {
  double tau;
  double value, error;
};

/// The gap at which two values have their ratio; NaN if none does, as for values that grow.
/// @param earlier, later times in [0, beta / 2], earlier < later
double effective_gap(double beta, const CorrelationValue& earlier, const CorrelationValue& later);

/// Why a fit has no gap.
enum class GapOutcome { found, no_decay, no_convergence };
inline constexpr std::size_t gap_outcomes = 3;

struct GapFit {
  double gap, error;  ///< NaN unless found, as all further numbers
  double amplitude;
  double chi2;
  Index freedom;
  GapOutcome outcome;
};

/// Weighted least squares over values with tau in [first, beta / 2]; gap and amplitude are free.
/// Late values may be noise about 0: the fit starts from those that are clearly above 0.
/// The fit has no gap if the values do not decay, or if steps towards the least chi^2 do not end.
/// @throws InputError if fewer than three values lie there
GapFit fit_gap(double beta, std::span<const CorrelationValue> values, double first);

}  // namespace larmor::trotter
