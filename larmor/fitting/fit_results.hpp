#pragma once
// FORMAT: the group /fit of a results file: coefficients, covariance, errors, predictions.

#include "larmor/fitting/fit.hpp"
#include "larmor/io/results/results_file.hpp"

namespace larmor::fitting {

void write_fit(io::ResultsFile& file, const Settings& settings, const Fit& fit);

}  // namespace larmor::fitting
