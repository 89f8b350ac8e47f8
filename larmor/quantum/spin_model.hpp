#pragma once
// Spins 1/2 on a graph, with Pauli matrices s:
//
//   H = - sum_b [ Jz_b sz_i sz_j + Jxy_b (sx_i sx_j + sy_i sy_j) ]
//       - sum_i [ hz_i sz_i + Gamma_i sx_i ] + constant
//
// Each bond counts once. J > 0 is ferromagnetic. A word is a state of all spins: bit i is set if
// spin i points up.

#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::quantum {

struct SpinBond {
  int i, j;
  double Jz, Jxy = 0;
};

struct SpinModel {
  int sites = 0;
  std::vector<SpinBond> bonds;     ///< several may join two sites; a site may join itself
  std::vector<double> hz = {};     ///< [sites]
  std::vector<double> Gamma = {};  ///< [sites]
  double constant = 0;

  bool conserves_magnetisation() const;
  /// Does H commute with the flip of all spins?
  bool is_even() const;
  /// An upper bound of the eigenvalues.
  double upper_bound() const;
  /// <word| H |word>.
  double energy(Index word) const;
};

/// The states on which H acts. Even and odd states have the eigenvalue 1 or -1 of the flip of all
/// spins, the product of all sx.
struct Sector {
  enum class Kind { all, even, odd, magnetisation };
  Kind kind = Kind::all;
  int up = 0;  ///< number of spins up, if the magnetisation is given

  friend bool operator==(const Sector&, const Sector&) = default;
};

/// The sectors whose levels make up the whole spectrum: those of the magnetisation if H conserves
/// it, else even and odd states, else all states.
std::vector<Sector> sectors_of(const SpinModel& model);

}  // namespace larmor::quantum
