#pragma once
// Detailed balance of a quantum system, S(q,-w) = exp(-beta hbar w) S(q,w): absorbing energy is
// more likely than emitting energy. A classical trajectory lacks it. The factor of a harmonic
// oscillator
//
//     S(q,w) = beta hbar w / (1 - exp(-beta hbar w)) S_cl(q,w),
//
// has this property if S_cl is symmetric in w. It turns k_B T of a classical mode into
// hbar w (n + 1) and hbar w n of bosons at plus and minus its frequency. Berens, Mackay, White and
// Wilson, J. Chem. Phys. 79 (1983) 2375; for neutrons and spins: Huberman, Tennant, Cowley,
// Coldea and Frost, J. Stat. Mech. (2008) P05017.

#include "larmor/correlations/spectra/correlator.hpp"

namespace larmor::correlations {

/// x / (1 - exp(-x)) for x = beta hbar w; 1 at x = 0.
double detailed_balance_factor(double x);

/// Multiplies intensity, error and components; S(q,t) remains classical.
/// @param hbar_over_kT time
void apply_detailed_balance(StructureFactorResult& result, double hbar_over_kT);

}  // namespace larmor::correlations
