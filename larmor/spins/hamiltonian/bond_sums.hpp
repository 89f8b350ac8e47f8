#pragma once
// Sums over neighbours that are not part of the Hamiltonian, such as derivatives of a texture and
// currents.

#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/spins/hamiltonian/model.hpp"

namespace larmor::spins {

/// One end of a bond, as seen from a site.
struct BondEnd {
  std::int32_t site;           ///< canonical, at the other end; may be the site itself
  std::vector<double> values;  ///< one for each component of the bond class
};

/// A table of matrices A_ij in the format of the bonds of a model. The bilinear_field of its view
/// is sum_j A_ij e_j.
class BondSums {
 public:
  /// @param ends ends of bonds for every canonical site
  BondSums(const Device& device, const Model& model, BondClass bond_class,
           const std::vector<std::vector<BondEnd>>& ends);
  ModelView view(const SpinLayout& layout) const;

 private:
  BondClass bond_class_;
  Array<std::int32_t> neighbour_;
  RowStorage values_;
  int bonds_per_site_ = 0;
};

}  // namespace larmor::spins
