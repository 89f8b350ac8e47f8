#pragma once
// Clebsch-Gordan coefficients with the phases of Condon and Shortley. D. A. Varshalovich, A. N.
// Moskalev, V. K. Khersonskii, Quantum Theory of Angular Momentum (World Scientific, 1988), 8.2.1.
//
// All files of SNAP use whole numbers: j is twice the angular momentum, and m = 0..j is its
// projection plus j/2.

namespace larmor::atoms::snap {

/// The coefficient that couples (j1, m1) and (j2, m2) to (j, m), where m1 + m2 - m is half of
/// j1 + j2 - j. It is 0 if m is out of range. Accurate to about 1e-15 for j up to 14.
double clebsch_gordan(int j1, int m1, int j2, int m2, int j);

}  // namespace larmor::atoms::snap
