#include "larmor/clusters/regular_grid.hpp"

#include <string>

#include "larmor/core/error.hpp"

namespace larmor::clusters {

Index checked_sites(const RegularGrid& grid) {
  const std::size_t axes = grid.lengths.size();
  if (axes < 1 || axes > RegularGrid::most_axes || grid.periodic.size() != axes)
    throw InputError("a grid has " + std::to_string(axes) + " lengths, and " +
                         std::to_string(grid.periodic.size()) + " flags for periodic axes",
                     "give a length and a flag for each of one to four axes");
  Index sites = 1;
  for (const Index length : grid.lengths) {
    if (length < 1 || length > most_sites)
      throw InputError("an axis of a grid has " + std::to_string(length) + " sites",
                       "give 1 to 2^32");
    sites *= length;
    if (sites > most_sites)
      throw InputError("a grid has " + std::to_string(sites) + " sites or more", "give 1 to 2^32");
  }
  return sites;
}

Index bonds_of(const RegularGrid& grid) {
  Index sites = 1, bonds = 0;
  for (const Index length : grid.lengths) sites *= length;
  for (std::size_t axis = 0; axis < grid.lengths.size(); ++axis) {
    const Index length = grid.lengths[axis];
    const Index along = length == 1 ? 0 : length - (grid.periodic[axis] ? 0 : 1);
    bonds += sites / length * along;
  }
  return bonds;
}

GridView grid_view(const RegularGrid& grid) {
  GridView view{};
  view.axes = static_cast<int>(grid.lengths.size());
  view.words_shift = view.axes == 1 ? 0 : view.axes == 2 ? 1 : 2;
  std::uint64_t stride = 1;
  for (int axis = 0; axis < RegularGrid::most_axes; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    view.length[axis] = axis < view.axes ? static_cast<std::uint64_t>(grid.lengths[a]) : 1;
    view.periodic[axis] = axis < view.axes && grid.periodic[a];
    view.stride[axis] = stride;
    stride *= view.length[axis];
  }
  return view;
}

}  // namespace larmor::clusters
