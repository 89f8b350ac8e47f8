#pragma once
// Pieces of `larmor show`.

#include <string>

#include "larmor/core/types.hpp"
#include "larmor/io/results/results_reader.hpp"

namespace larmor::cli {

/// "1.9549(12)", the last digits uncertain by the number in brackets, or "1.2(3)e-5"; "1.95491"
/// where `error` is NaN, not known, and nine digits where it is less than one of the ninth.
std::string with_error(double value, double error);

/// The results of one point of a scan. @param point -1: the whole file
/// @throws InputError where there is no such point
io::ResultsReader results_of_point(const std::string& results, Index point);

/// What was scanned, and what each stage found at each point: of the last stage, unless `all`.
void show_scan(const io::ResultsReader& file, bool all);

/// Averages of reweighted samples, system by system: at some points, unless `all`.
void show_reweighted(const io::ResultsReader& file, bool all);

}  // namespace larmor::cli
