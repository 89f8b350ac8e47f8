#include "larmor/ising/measures/grid_sums.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/ising/measures/grid_sums_gpu.hpp"

namespace larmor::ising {
namespace {

/// Largest number of sites of a partial sum. It may be larger if each thread already has four
/// partial sums.
constexpr Index sites_of_partial_sum = 1 << 15;

/// Adds up sums over blocks of sites. @param count count(replica, first, last, sums) adds the sites
/// [first, last) to sums
template <class Count>
Pending summed(int threads, Index replicas, Index sites, Index numbers, const Count& count) {
  const Index most_blocks = (sites + sites_of_partial_sum - 1) / sites_of_partial_sum;
  // Four partial sums for each thread keep all threads busy.
  const Index blocks = std::min<Index>(most_blocks, 4 * threads);
  std::vector<Index> partial_sums(static_cast<std::size_t>(replicas * blocks * numbers));
  parallel_for(threads, replicas * blocks, [&](Index n) {
    const Index block = n % blocks;
    count(n / blocks, sites * block / blocks, sites * (block + 1) / blocks,
          partial_sums.data() + n * numbers);
  });
  std::vector<double> sums(static_cast<std::size_t>(replicas * numbers));
  for (Index r = 0; r < replicas; ++r)
    for (Index n = 0; n < numbers; ++n) {
      Index all = 0;
      for (Index block = 0; block < blocks; ++block)
        all += partial_sums[static_cast<std::size_t>((r * blocks + block) * numbers + n)];
      sums[static_cast<std::size_t>(r * numbers + n)] = static_cast<double>(all);
    }
  return Pending(std::move(sums));
}

}  // namespace

GridSums::GridSums(const Device& device, const std::vector<Index>& lengths,
                   const std::vector<bool>& periodic, const std::vector<Index>& distances,
                   int states, Index replicas)
    : device_(device), replicas_(replicas) {
  axes_.axes = static_cast<int>(lengths.size());
  if (lengths.empty() || axes_.axes > most_summed_axes || periodic.size() != lengths.size() ||
      distances.size() != lengths.size())
    throw InternalError("sums over a grid of " + std::to_string(lengths.size()) + " axes");
  axes_.states = states;
  axes_.sites = 1;
  for (std::size_t a = 0; a < lengths.size(); ++a) {
    axes_.length[a] = lengths[a];
    axes_.stride[a] = axes_.sites;
    axes_.periodic[a] = periodic[a];
    axes_.first_plane[a] = axes_.planes;
    axes_.distances[a] = std::min(distances[a], lengths[a]);
    axes_.first_distance[a] = axes_.all_distances;
    axes_.sites *= lengths[a];
    axes_.planes += lengths[a];
    axes_.all_distances += axes_.distances[a];
  }
}

GridSums GridSums::of_all_sites(const Device& device, Index sites, int states, Index replicas) {
  GridSums sums(device, {1}, {false}, {1}, states, replicas);
  sums.axes_.sites = sites;
  return sums;
}

Pending GridSums::planes(const Array<std::uint8_t>& states) const {
  const Region region("sums over planes");
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda)
    return planes_on_gpu(device_, axes_, states.data(), replicas_);
#endif
  require_cpu(device_);
  return summed(device_.threads, replicas_, axes_.sites, axes_.planes * axes_.states,
                [&](Index replica, Index first, Index last, Index* sums) {
                  const std::uint8_t* const own = states.data() + replica * axes_.sites;
                  for (int axis = 0; axis < axes_.axes; ++axis)
                    for (Index site = first; site < last; ++site)
                      ++sums[axes_.plane_number(axis, axes_.coordinate(site, axis), own[site])];
                });
}

Pending GridSums::equal_pairs(const Array<std::uint8_t>& states) const {
  const Region region("correlations along axes");
#if defined(LARMOR_HAS_CUDA)
  if (device_.backend == Backend::cuda)
    return equal_pairs_on_gpu(device_, axes_, states.data(), replicas_);
#endif
  require_cpu(device_);
  return summed(device_.threads, replicas_, axes_.sites, axes_.all_distances,
                [&](Index replica, Index first, Index last, Index* sums) {
                  const std::uint8_t* const own = states.data() + replica * axes_.sites;
                  for (int axis = 0; axis < axes_.axes; ++axis)
                    for (Index d = 0; d < axes_.distances[axis]; ++d) {
                      Index equal = 0;
                      for (Index site = first; site < last; ++site)
                        equal += is_equal_pair(axes_, own, site, axis, d) ? 1 : 0;
                      sums[axes_.first_distance[axis] + d] += equal;
                    }
                });
}

std::vector<double> GridSums::pairs() const {
  std::vector<double> all;
  for (int axis = 0; axis < axes_.axes; ++axis)
    for (Index d = 0; d < axes_.distances[axis]; ++d)
      all.push_back(static_cast<double>(axes_.sites / axes_.length[axis]) *
                    static_cast<double>(axes_.length[axis] - (axes_.periodic[axis] ? 0 : d)));
  return all;
}

namespace {

template <class Write>
void write_all(const Device& device, const Write& write, Index count, Index replicas) {
  const Region region("states of sites");
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return write_on_gpu(device, write, count, replicas);
#endif
  require_cpu(device);
  constexpr Index block_items = 1 << 12;
  const Index blocks = (count + block_items - 1) / block_items;
  parallel_for(device.threads, blocks * replicas, [&](Index n) {
    const Index first = n % blocks * block_items;
    for (Index i = first; i < std::min(count, first + block_items); ++i) write(i, n / blocks);
  });
}

}  // namespace

void write_site_states(PottsState& from, Array<std::uint8_t>& states) {
  const PottsModel& model = from.model();
  const StateOfPosition write{from.view(), model.sites(), states.data()};
  write_all(model.device(), write, model.positions(), model.replicas().count);
}

void write_site_states(const BitLattice& from, Array<std::uint8_t>& states) {
  const LatticeView view = from.view();
  if (view.grid.last - view.grid.first < view.grid.words)
    throw InternalError("states of all sites are requested, but a rank has only some of the sites");
  const StatesOfWord write{view, from.sites(), states.data()};
  write_all(from.device(), write, 2 * view.grid.words, from.replicas());
}

}  // namespace larmor::ising
