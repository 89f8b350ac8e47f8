#pragma once
// Functions of `larmor show`.

#include <string>

#include "larmor/core/types.hpp"
#include "larmor/io/results/results_reader.hpp"

namespace larmor::cli {

/// "1.9549(12)", with the uncertainty of the last digits in brackets, or "1.2(3)e-5". "1.95491" if
/// `error` is NaN (unknown), and nine digits if it is below one unit of the ninth digit.
std::string with_error(double value, double error);

/// The results of one point of a scan. @param point -1: the whole file
/// @throws InputError if there is no such point
io::ResultsReader results_of_point(const std::string& results, Index point);

/// Prints the scanned keys and the averages at each point: for the last stage, or for `all`.
void show_scan(const io::ResultsReader& file, bool all);

/// Prints averages of reweighted samples for each system: at some points, unless `all`.
void show_reweighted(const io::ResultsReader& file, bool all);

}  // namespace larmor::cli
