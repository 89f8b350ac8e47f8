#pragma once
// Action, moments and magnetisation of every replica.

#include "larmor/core/device/pending.hpp"
#include "larmor/phi4/field_state.hpp"

namespace larmor::phi4 {

/// Means over the sites of one replica.
struct FieldMeans {
  double action;
  double bond;  ///< phi_x.phi_{x+mu} per bond
  double phi2, phi4;
  std::vector<double> magnetisation;  ///< mean of phi [components]
};

class FieldSums {
 public:
  explicit FieldSums(const FieldModel& model);

  /// Starts the sums without waiting for a GPU. Returns (replica, 3 + components), see SiteNumbers.
  /// BITS: equal for any number of threads, and on a GPU.
  Pending begin(FieldState& state);
  /// Means of a replica from the sums. @param kappa [replicas] @param lambda of the replica
  FieldMeans means(const std::vector<double>& sums, Index replica, double kappa,
                   double lambda) const;
  /// Stores -2 times the sum over bonds. S contains the product of this number and kappa. @param
  /// energy on the device [replicas]
  void store_bond_energies(FieldState& state, double* energy);

 private:
  void sum(FieldState& state);
  int numbers() const { return 3 + model_->components(); }

  const FieldModel* model_;
  Array<double> partial_sums_, sums_;
};

}  // namespace larmor::phi4
