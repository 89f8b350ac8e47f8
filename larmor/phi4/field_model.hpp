#pragma once
// The lattice, components and couplings of phi^4 fields, and the order in which sites are updated.

#include <array>
#include <span>
#include <vector>

#include "larmor/core/device/numbers_async.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/phi4/field_view.hpp"

namespace larmor::phi4 {

/// Largest eigenvalue of the matrix of neighbours: S of lambda = 0 has a lower bound where |kappa|
/// times it is under 1.
double largest_eigenvalue(const clusters::RegularGrid& grid);

/// Sites colour by colour, none of which is a neighbour of another of its colour. Two colours where
/// every periodic axis is even, otherwise three.
struct SitesByColour {
  std::vector<Index> begin;  ///< of each colour, and the end
  std::vector<std::uint32_t> site;
};
SitesByColour sites_by_colour(const clusters::RegularGrid& grid);

class FieldModel {
 public:
  /// @param components N, 1 to most_components
  /// @throws InputError for other numbers, and for grids as clusters::checked_sites
  FieldModel(const clusters::RegularGrid& grid, int components, const ReplicaShare& replicas,
             const Device& device);

  /// @param kappa finite @param lambda not negative, may be infinite [replicas of the process]
  /// @throws InputError for what is none of these, or where S has no lower bound
  void set_couplings(std::span<const double> kappa, std::span<const double> lambda);
  const std::vector<double>& lambda() const { return lambda_on_host_; }
  /// Where kernels run, for those who change it there.
  double* kappa_on_device() { return kappa_.data(); }
  /// kappa of each replica as it is there. [replicas]
  Pending kappa_async() const { return numbers_async(kappa_); }

  const clusters::RegularGrid& grid() const { return grid_; }
  Index sites() const { return sites_; }
  Index bonds() const { return clusters::bonds_of(grid_); }
  int components() const { return components_; }
  const ReplicaShare& replicas() const { return replicas_; }
  const Device& device() const { return kappa_.device(); }

  int colours() const { return colours_of(clusters::grid_view(grid_)); }
  /// Of a GPU, which reads lists of sites; empty on a CPU.
  const std::vector<Index>& colour_begin() const { return colour_begin_; }
  const std::uint32_t* sites_by_colour() const { return sites_by_colour_.data(); }

  /// Without fields.
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

/// Bytes of a model where kernels run.
double model_bytes(const Device& device, double sites);

}  // namespace larmor::phi4
