#pragma once
// The group /model of the results.

#include "larmor/io/results.hpp"
#include "larmor/study/kinds/spins/system/spin_system.hpp"

namespace larmor::study {

/// Larger perfect lattices are written as their basis, not site by site.
inline constexpr Index most_listed_sites = 10'000'000;

void write_model(const Study& study, const SpinSystem& system, io::ResultsFile& results);

}  // namespace larmor::study
