#pragma once
// A SNAP potential: A. P. Thompson, L. P. Swiler, C. R. Trott, S. M. Foiles, G. J. Tucker, J.
// Comput. Phys. 285, 316 (2015); quadratic: M. A. Wood, A. P. Thompson, J. Chem. Phys. 148, 241721
// (2018); explicit for several elements: M. A. Cusentino, M. A. Wood, A. P. Thompson, J. Phys.
// Chem. A 124, 5456 (2020). Conventions are those of LAMMPS; lengths in Angstrom, energies in eV.
//
// An atom i has the density of its neighbours on the sphere S^3,
//
//   U_j = sum_k w_k f(r_ik) u_j(r_ik),   j = 0..2J,   with u_j Wigner's matrices,
//
// and the bispectrum components B = <U_j, Z_j1j2j>. Z_j1j2j is the product of U_j1 and U_j2 that
// Clebsch-Gordan coefficients couple to j. The energy is beta_0 + beta.B + B.A.B / 2, where A = 0
// for a linear potential. With `chemflag` every element is a channel with its own density, and each
// component belongs to three channels.

#include <string>
#include <vector>

namespace larmor::atoms::snap {

inline constexpr int most_twojmax = 14;

/// The contents of a .snapparam file; the names are its keys.
struct SnapParameters {
  double rcutfac = 0;
  int twojmax = 0;
  double rfac0 = 0.99363;
  double rmin0 = 0;
  bool switchflag = true;              ///< f(r) goes to 0 at the cutoff
  bool bzeroflag = true;               ///< B of an atom without neighbours is subtracted
  bool quadraticflag = false;          ///< A is not 0
  bool chemflag = false;               ///< a channel for every element
  bool bnormflag = false;              ///< Z is divided by j + 1
  bool wselfallflag = false;           ///< an atom counts itself in the channels of all elements
  bool switchinnerflag = false;        ///< f(r) also goes to 0 at small distances
  std::vector<double> sinner, dinner;  ///< middle and half width of this inner switch [elements]
};

/// The contents of a .snapcoeff file for an element.
struct SnapElement {
  std::string name;
  double radius = 0;  ///< R_i; the cutoff of a pair is rcutfac (R_i + R_j)
  double weight = 0;  ///< w of its atoms as neighbours
  /// beta_0, beta, and, if quadratic, the upper triangle of A row by row
  std::vector<double> coefficients;
};

struct SnapPotential {
  SnapParameters parameters;
  std::vector<SnapElement> elements;  ///< BITS: their order is that of the channels

  int channels() const { return parameters.chemflag ? static_cast<int>(elements.size()) : 1; }
  int channel(int element) const { return parameters.chemflag ? element : 0; }
  double cutoff(int element, int other) const;
  double largest_cutoff() const;
};

/// Components of one channel: triples j >= j1 >= j2.
int component_count(int twojmax);
/// Components of all channels. @param elements number of elements of the potential
int component_count(const SnapParameters& parameters, int elements);
/// Numbers of an element in a .snapcoeff file, including beta_0.
long coefficient_count(const SnapParameters& parameters, int elements);

}  // namespace larmor::atoms::snap
