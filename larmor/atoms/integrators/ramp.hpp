#pragma once
// A target, such as a temperature, that may change linearly with the steps.

#include "larmor/core/types.hpp"

namespace larmor::atoms {

/// The target is `begin` up to step `first`, and `end` from step `first` + `steps` on. Between
/// these steps it changes linearly. The state counts the steps.
struct Ramp {
  double begin = 0, end = 0;
  Index first = 0, steps = 0;

  static constexpr Ramp constant(double value) { return {value, value, 0, 0}; }

  /// The target of a step that begins at `step`.
  LARMOR_HD constexpr double at(Index step) const {
    if (step < first) return begin;
    if (step >= first + steps) return end;
    return begin + (end - begin) * (static_cast<double>(step - first) / static_cast<double>(steps));
  }
};

}  // namespace larmor::atoms
