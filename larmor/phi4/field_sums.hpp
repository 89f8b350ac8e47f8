#pragma once
// Action, moments and magnetisation of every replica.

#include "larmor/core/device/pending.hpp"
#include "larmor/phi4/field_state.hpp"

namespace larmor::phi4 {

/// Of one replica, per site.
struct FieldMeans {
  double action;
  double bond;  ///< phi_x.phi_{x+mu} a bond
  double phi2, phi4;
  std::vector<double> magnetisation;  ///< mean of phi [components]
};

class FieldSums {
 public:
  explicit FieldSums(const FieldModel& model);

  /// Begins to sum, without waiting for a GPU. (replica, 3 + components), see SiteNumbers.
  /// BITS: the same from any number of threads and from a GPU.
  Pending begin(FieldState& state);
  /// What the numbers mean. @param kappa [replicas] @param lambda of the replica
  FieldMeans means(const std::vector<double>& sums, Index replica, double kappa,
                   double lambda) const;
  /// -2 times the sum of bonds, which kappa multiplies in S. @param energy where kernels run
  /// [replicas]
  void store_bond_energies(FieldState& state, double* energy);

 private:
  void sum(FieldState& state);
  int numbers() const { return 3 + model_->components(); }

  const FieldModel* model_;
  Array<double> of_piece_, sums_;
};

}  // namespace larmor::phi4
