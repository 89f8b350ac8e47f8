#pragma once
// Rates and lifetimes of both ends of a minimum-energy path, by harmonic transition-state theory.

#include "larmor/paths/escape.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/model_kind/results_group.hpp"

namespace larmor::study {

/// The escapes from both ends over the saddle.
struct EscapesOfPath {
  paths::Escape forward, backward;
  double dynamical_factor;  ///< kappa, 1/time
};

/// Writes the group `lifetime` with the curves over temperature of both ends.
/// @return the reason why rates do not hold at the highest temperature; empty: they hold
std::string write_escapes(const EscapesOfPath& escapes, const std::vector<double>& temperature,
                          const ReadContext& context, ResultsGroup& results);

/// The lifetimes of either end. If there are several temperatures, names contain the temperature.
std::vector<StageNumber> lifetimes_of_ends(const io::ResultsReader& results,
                                           const std::string& path);

}  // namespace larmor::study
