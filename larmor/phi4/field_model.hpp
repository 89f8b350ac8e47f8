#pragma once
// Lattice, components and couplings of phi^4 fields, and the order in which sites are updated.

#include <array>
#include <span>
#include <vector>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/phi4/field_view.hpp"

namespace larmor::phi4 {

/// Largest eigenvalue of the matrix of neighbours. At lambda = 0, S has a lower bound if |kappa|
/// times this eigenvalue is less than 1.
double largest_eigenvalue(const clusters::RegularGrid& grid);

/// The sites in order of colour. Neighbours have different colours. There are two colours if every
/// periodic axis has even length, and otherwise three.
struct SitesByColour {
  std::vector<Index> begin;  ///< where each colour begins; then the end of the last one
  std::vector<std::uint32_t> site;
};
SitesByColour sites_by_colour(const clusters::RegularGrid& grid);

class FieldModel {
 public:
  /// @param components N, 1 to most_components
  /// @throws InputError for another number of components, or a grid that clusters::checked_sites
  /// refuses
  FieldModel(const clusters::RegularGrid& grid, int components, const ReplicaShare& replicas,
             const Device& device);

  /// @param kappa finite @param lambda not negative, may be infinite [replicas of the process]
  /// @throws InputError for values that are not allowed, or if S has no lower bound
  void set_couplings(std::span<const double> kappa, std::span<const double> lambda);
  const std::vector<double>& lambda() const { return lambda_on_host_; }
  /// The array of kappa on the device, for code that changes it there.
  double* kappa_on_device() { return kappa_.data(); }
  /// kappa of each replica, as the device has it now. [replicas]
  Pending kappa_async() const { return numbers_async(kappa_); }

  const clusters::RegularGrid& grid() const { return grid_; }
  Index sites() const { return sites_; }
  Index bonds() const { return clusters::bonds_of(grid_); }
  int components() const { return components_; }
  const ReplicaShare& replicas() const { return replicas_; }
  const Device& device() const { return kappa_.device(); }

  int colours() const { return colours_of(clusters::grid_view(grid_)); }
  /// Where each colour begins in the list of sites on a GPU; empty on a CPU.
  const std::vector<Index>& colour_begin() const { return colour_begin_; }
  const std::uint32_t* sites_by_colour() const { return sites_by_colour_.data(); }

  /// A view without fields.
  FieldView view() const;

 private:
  clusters::RegularGrid grid_;
  Index sites_;
  int components_;
  ReplicaShare replicas_;
  Array<double> kappa_, lambda_;
  std::vector<double> lambda_on_host_;
  std::vector<Index> colour_begin_;
  Array<std::uint32_t> sites_by_colour_;
};

/// Bytes of a model on the device.
double model_bytes(const Device& device, double sites);

}  // namespace larmor::phi4
