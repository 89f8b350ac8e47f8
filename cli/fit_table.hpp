#pragma once
// The tables of a fitted potential on the terminal, from its results.

#include "larmor/io/results/results_reader.hpp"

namespace larmor::cli {

/// Prints size, condition and errors by group of the group /fit.
void print_fit(const io::ResultsReader& file);

}  // namespace larmor::cli
