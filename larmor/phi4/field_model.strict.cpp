#include "larmor/phi4/field_model.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "larmor/lattice/lazy_sweeps.hpp"

namespace larmor::phi4 {
namespace {

int checked_components(int components) {
  if (components < 1 || components > most_components)
    throw InputError("a field has " + std::to_string(components) + " components",
                     "give 1 to " + std::to_string(most_components));
  return components;
}

}  // namespace

double largest_eigenvalue(const clusters::RegularGrid& grid) {
  double sum = 0;
  for (std::size_t axis = 0; axis < grid.lengths.size(); ++axis) {
    const Index length = grid.lengths[axis];
    if (length == 1) continue;
    sum += grid.periodic[axis] ? 2
                               : 2 * std::cos(std::numbers::pi / (static_cast<double>(length) + 1));
  }
  return sum;
}

SitesByColour sites_by_colour(const clusters::RegularGrid& grid) {
  const clusters::GridView view = clusters::grid_view(grid);
  const Index sites = checked_sites(grid);
  std::vector<std::vector<std::uint32_t>> of_colour(static_cast<std::size_t>(colours_of(view)));
  for (Index site = 0; site < sites; ++site) {
    const auto s = static_cast<std::uint64_t>(site);
    int colour = 0;
    for (int axis = 0; axis < view.axes; ++axis)
      colour += colour_along(view, axis, coordinate(view, s, axis));
    of_colour[static_cast<std::size_t>(colour) % of_colour.size()].push_back(
        static_cast<std::uint32_t>(site));
  }
  SitesByColour all;
  all.begin = {0};
  all.site.reserve(static_cast<std::size_t>(sites));
  for (const std::vector<std::uint32_t>& own : of_colour) {
    all.site.insert(all.site.end(), own.begin(), own.end());
    all.begin.push_back(std::ssize(all.site));
  }
  return all;
}

FieldModel::FieldModel(const clusters::RegularGrid& grid, int components,
                       const ReplicaShare& replicas, const Device& device)
    : grid_(grid),
      sites_(checked_sites(grid)),
      components_(checked_components(components)),
      replicas_(replicas),
      kappa_(device, replicas.count),
      lambda_(device, replicas.count),
      lambda_on_host_(static_cast<std::size_t>(replicas.count)) {
  if (device.backend != Backend::cuda) return;
  SitesByColour ordered = phi4::sites_by_colour(grid);
  colour_begin_ = std::move(ordered.begin);
  sites_by_colour_ = Array<std::uint32_t>(device, ordered.site);
}

void FieldModel::set_couplings(std::span<const double> kappa, std::span<const double> lambda) {
  if (std::ssize(kappa) != replicas_.count || std::ssize(lambda) != replicas_.count)
    throw InputError("kappa has " + std::to_string(kappa.size()) + " values, and lambda has " +
                         std::to_string(lambda.size()),
                     "give one kappa and one lambda for each of " +
                         std::to_string(replicas_.count) + " replicas");
  const double bound = largest_eigenvalue(grid_);
  for (std::size_t r = 0; r < kappa.size(); ++r) {
    if (!std::isfinite(kappa[r]))
      throw InputError("kappa is " + std::to_string(kappa[r]), "give a finite number");
    if (!(lambda[r] >= 0))
      throw InputError("lambda is " + std::to_string(lambda[r]), "give 0 or more, or infinity");
    if (lambda[r] == 0 && std::abs(kappa[r]) * bound >= 1)
      throw InputError("at lambda = 0 and kappa = " + std::to_string(kappa[r]) +
                           " the action has no lower bound",
                       "give lambda > 0, or |kappa| under " + std::to_string(1 / bound));
  }
  kappa_.copy_from(kappa);
  lambda_.copy_from(lambda);
  lambda_on_host_.assign(lambda.begin(), lambda.end());
}

FieldView FieldModel::view() const {
  Index most_bonds = 0;
  for (const Index length : grid_.lengths) most_bonds += length > 1 ? 2 : 0;
  FieldView view{};
  view.grid = clusters::grid_view(grid_);
  view.sites = sites_;
  view.replicas = replicas_.count;
  view.components = components_;
  view.kappa = kappa_.data();
  view.lambda = lambda_.data();
  view.has_lazy_sweeps = lattice::needs_lazy_sweeps(sites_, most_bonds);
  return view;
}

double model_bytes(const Device& device, double sites) {
  return device.backend == Backend::cuda ? sizeof(std::uint32_t) * sites : 0;
}

}  // namespace larmor::phi4
