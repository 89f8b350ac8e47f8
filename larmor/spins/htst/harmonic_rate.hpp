#pragma once
// Rates of thermal escape of spins from a minimum over a saddle (paths/escape.hpp). Without zero
// modes, their volume V is 1 and their number P is 0. The dynamical factor kappa is the growth rate
// of the unstable mode. There are two forms:
//
//   without a heat bath (Bessarab, Uzdin, Jonsson, Phys. Rev. B 85, 184409 (2012)): the flux
//   through the plane orthogonal to the unstable mode u of eigenvalue lambda < 0,
//     kappa = sqrt(|lambda| w^T H_s w),   w_i = gamma / mu_i e_i x u_i;
//   Langer's (Ann. Phys. 54, 258 (1969); Braun, J. Appl. Phys. 76, 6310 (1994)): the growing
//   solution of the linearised Landau-Lifshitz-Gilbert equation at the saddle, damping alpha,
//     (H_s + kappa (mu / gamma) (alpha + J)) v = 0,   J v = e x v.
//
// Langer's kappa is the smaller one, and requires damping that is not weak: the energy lost on the
// way over the saddle must be larger than k_B T. Host code.

#include <optional>

#include "larmor/paths/escape.hpp"
#include "larmor/spins/htst/stationary_state.hpp"

namespace larmor::spins {

/// mu_i / gamma of every spin, an energy times a time. [spins]
/// @param gyromagnetic_ratio as in IntegratorSettings
std::vector<double> spin_inertia(const Model& model, double gyromagnetic_ratio);

/// kappa without a heat bath. It is 0 if the saddle has an axis of symmetry, so that spins do not
/// precess over it.
/// @param saddle with one unstable mode
/// @param inertia result of spin_inertia
double transition_state_factor(const StationaryState& saddle, const std::vector<double>& inertia);

/// Langer's kappa.
/// @throws UnphysicalError if the iteration does not converge
double langer_factor(const StationaryState& saddle, const std::vector<double>& inertia,
                     double damping);

/// @param equivalent_saddles n
struct Escape : paths::Escape {
  Escape(const StationaryState& minimum, const StationaryState& saddle, double equivalent_saddles);
};

}  // namespace larmor::spins
