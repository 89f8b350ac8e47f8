#pragma once
// How far sums over pairs are off that a GPU makes of split numbers.

#include <string>

#include "larmor/core/types.hpp"

namespace larmor::study {

/// Beside what the replicas scatter, for people. @param label of the results @param error relative,
/// of S(q)
std::string precision_note(const std::string& label, double error, Index replicas);

}  // namespace larmor::study
