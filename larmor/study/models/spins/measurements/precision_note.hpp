#pragma once
// The error of sums over pairs that a GPU computes from split numbers.

#include <string>

#include "larmor/core/types.hpp"

namespace larmor::study {

/// A note that compares it with the scatter of replicas.
/// @param label name of the results @param error relative error of S(q)
std::string precision_note(const std::string& label, double error, Index replicas);

}  // namespace larmor::study
