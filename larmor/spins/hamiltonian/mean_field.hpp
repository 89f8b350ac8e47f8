#pragma once
// The mean-field ordering temperature of bonds on a lattice. On cooling, the molecular fields
// h_i = sum_j A_ij m_j and the response m_i = h_i / (3 k_B T) of a free unit vector first allow
// m != 0 at
//
//     k_B T_c = (1/3) max_q lambda(q),   J_ia,jb(q) = sum_R (c_i c_j)^1/2 A_ab(R) exp(2 pi i q.R),
//
// Here lambda(q) is the largest eigenvalue of J(q), with rows for atoms i and spin components a.
// A(R) is the bond from atom i to atom j of the cell R. A fraction c_i of the sites of atom i has
// spins.
// Source: J. S. Smart, Effective Field Theories of Magnetism, Saunders (1966). Energies refer to
// unit vectors, so A includes the moments. Fields, on-site anisotropies, biquadratic bonds and
// long-range interactions are left out.

#include <vector>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/hamiltonian/coupling_matrix.hpp"
#include "larmor/spins/hamiltonian/lowered_term.hpp"

namespace larmor::spins {

struct MeanFieldTemperature {
  double value = 0;             ///< k_B T_c
  bool is_lower_bound = false;  ///< the search ended before it reached a maximum
};

class MeanField {
 public:
  /// A search with this number of operations takes about one second on one thread.
  static constexpr double usual_operations = 2e9;

  MeanField() = default;
  MeanField(const lattice::Geometry& geometry, const std::vector<LoweredTerm>& terms);

  /// Do all bonds repeat from cell to cell of a lattice? If not, no J(q) exists.
  bool is_known() const { return known_; }
  /// The temperature from the maximum of lambda(q). First lambda is computed on a grid of the
  /// Brillouin zone that contains the usual ordering vectors. Then a search starts from the highest
  /// points of the grid. The result is 0 if `is_known` is false.
  /// @param most_operations floating-point operations after which the search ends
  MeanFieldTemperature temperature(double most_operations = usual_operations) const;

 private:
  bool known_ = false;
  CouplingMatrix matrix_;
};

}  // namespace larmor::spins
