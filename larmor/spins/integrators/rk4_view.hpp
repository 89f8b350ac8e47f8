#pragma once
// What a Runge-Kutta step works on.

#include "larmor/spins/forms.hpp"

namespace larmor::spins {

/// Arrays of one integration, all in the layout of the spins.
struct Rk4View {
  ModelView model;
  double* spins = nullptr;
  double* sum = nullptr;
  double* stage_a = nullptr;
  double* stage_b = nullptr;
  RowTable precession;  ///< gamma / mu, width 1
  double timestep = 0;
};

}  // namespace larmor::spins
