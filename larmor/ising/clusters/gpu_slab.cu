#include <cuda_runtime.h>

#include <type_traits>

#include "larmor/clusters/gpu_parents.cuh"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/clusters/gpu_slab.hpp"

namespace larmor::ising {
namespace {

using clusters::FinishedParents;
using clusters::replica_label;

constexpr unsigned whole_warp = 0xffffffffu;

using Word = unsigned long long;

__global__ void label_first_plane(const __grid_constant__ ClusterView view, Index plane,
                                  std::uint32_t* parent, std::uint32_t* labels) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= plane) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const FinishedParents trees{parent + replica * view.sites};
    labels[replica * plane + i] =
        label_of_site(view, find_root(trees, static_cast<std::uint32_t>(i)));
  }
}

/// Writes pairs of labels at both ends of active bonds to the next rank. If adjacent bonds have
/// equal pairs of labels, a warp writes only the first pair. @param count number of pairs, added to
__global__ void pair_labels(const __grid_constant__ ClusterView view,
                            const __grid_constant__ ClusterKeys keys, Index plane,
                            const std::uint8_t* states, const std::uint8_t* states_behind,
                            std::uint32_t* parent, const std::uint32_t* labels_behind,
                            LabelPair* pairs, Word* count) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warp_size, lower = (1u << lane) - 1;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    LabelPair pair{};
    bool active = false;
    if (i < plane) {
      const Index site = view.sites - plane + i, behind = replica * plane + i;
      active = active_bond_to_next_rank(view, keys, replica, static_cast<std::uint64_t>(site),
                                        states[replica * view.sites + site], states_behind[behind]);
      if (active) {
        const FinishedParents trees{parent + replica * view.sites};
        const std::uint32_t root = find_root(trees, static_cast<std::uint32_t>(site));
        pair = {replica_label(replica, label_of_site(view, root)),
                replica_label(replica, labels_behind[behind])};
      }
    }
    const unsigned before = __ballot_sync(whole_warp, active) & lower;
    const int last = before == 0 ? static_cast<int>(lane) : 31 - __clz(static_cast<int>(before));
    const Word a = __shfl_sync(whole_warp, static_cast<Word>(pair.a), last);
    const Word b = __shfl_sync(whole_warp, static_cast<Word>(pair.b), last);
    const bool is_new = active && (before == 0 || a != pair.a || b != pair.b);
    const unsigned all_new = __ballot_sync(whole_warp, is_new);
    Word place = 0;
    if (lane == 0 && all_new != 0) place = atomicAdd(count, static_cast<Word>(__popc(all_new)));
    place = __shfl_sync(whole_warp, place, 0) + static_cast<Word>(__popc(all_new & lower));
    if (is_new) pairs[place] = pair;
  }
}

/// The index among the sites of all replicas at which the root with this label is.
__device__ Index place_of(const ClusterView& view, clusters::ReplicaLabel label) {
  return clusters::replica_of(label) * view.sites + site_of_label(view, clusters::site_of(label));
}

__global__ void move_sizes(const __grid_constant__ ClusterView view, const MergedLabel* merged,
                           Index count, std::uint32_t* size, std::uint32_t* merged_sizes) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const Index place = place_of(view, merged[n].before);
  merged_sizes[n] = size[place];
  size[place] = 0;
}

__global__ void relabel(const __grid_constant__ ClusterView view, const MergedLabel* merged,
                        Index count, std::uint32_t* parent) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count)
    parent[place_of(view, merged[n].before)] =
        site_of_label(view, clusters::site_of(merged[n].after));
}

__global__ void add_satisfied_bonds(const __grid_constant__ ClusterView view, Index plane,
                                    const std::uint8_t* states, const std::uint8_t* states_behind,
                                    Word* sums, Index stride) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    Word satisfied = 0;
    if (i < plane) {
      const Index site = view.sites - plane + i;
      const Index slot = (view.grid.axes - 1) * view.sites + site;
      const BondKind kind = bond_kind(view, replica, static_cast<std::uint64_t>(slot));
      if (is_satisfied(states[replica * view.sites + site], states_behind[replica * plane + i],
                       kind.antiferromagnetic))
        satisfied = static_cast<Word>(weight_of(view, replica, kind.number));
    }
    for (int offset = warp_size / 2; offset > 0; offset /= 2)
      satisfied += __shfl_xor_sync(whole_warp, satisfied, offset);
    if (threadIdx.x % warp_size == 0 && satisfied > 0)
      atomicAdd(sums + replica * stride, satisfied);
  }
}

/// Starts a kernel, unless the shape has no blocks. The profile lists its time in the row `name`.
template <class... Parameters>
void launch(const Device& device, const char* name, const cuda::LaunchShape& shape,
            void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... arguments) {
  if (shape.blocks.x == 0) return;
  const cuda::LaunchRegion region(device.ordinal, name);
  cuda::launch(device.ordinal, shape, kernel, arguments...);
}

}  // namespace

void GpuSlab::exchange_states(const ClusterView& view, const std::uint8_t* states) {
  const Index plane = slab_.sites_of_plane();
  if (states_behind_.size() != view.replicas * plane)
    states_behind_ = Array<std::uint8_t>(device_, view.replicas * plane);
  std::vector<PlaneSlabs::Border> borders;
  for (Index replica = 0; replica < view.replicas; ++replica)
    borders.push_back({const_cast<std::uint8_t*>(states) + replica * view.sites, nullptr, nullptr,
                       states_behind_.data() + replica * plane, static_cast<std::size_t>(plane)});
  slab_.planes().fork();
  slab_.planes().exchange(borders);
  slab_.planes().join();
}

std::vector<LabelPair> GpuSlab::pairs(const ClusterView& view, const ClusterKeys& keys,
                                      const std::uint8_t* states, std::uint32_t* parent) {
  const Index plane = slab_.sites_of_plane(), numbers = view.replicas * plane;
  if (labels_first_.size() != numbers) {
    labels_first_ = Array<std::uint32_t>(device_, numbers);
    labels_behind_ = Array<std::uint32_t>(device_, numbers);
    pairs_ = Array<LabelPair>(device_, numbers);
    count_ = Array<Word>(device_, 1);
    // There are entries for all sites of the first and of the last plane.
    merged_ = Array<MergedLabel>(device_, 2 * numbers);
    merged_sizes_ = Array<std::uint32_t>(device_, 2 * numbers);
  }
  const cuda::LaunchShape shape = cuda::shape_of(plane, view.replicas);
  launch(device_, "labels of borders", shape, label_first_plane, view, plane, parent,
         labels_first_.data());
  // The exchange has one field, and every rank sends all of it.
  slab_.planes().fork();
  slab_.planes().exchange({{labels_first_.data(), nullptr, nullptr, labels_behind_.data(),
                            static_cast<std::size_t>(numbers) * sizeof(std::uint32_t)}});
  slab_.planes().join();
  exchange_states(view, states);
  if (!slab_.has_border()) return {};
  cuda::check(cudaMemsetAsync(count_.data(), 0, sizeof(Word), cuda::stream(device_.ordinal)),
              "clearing a counter");
  launch(device_, "pairs of labels", shape, pair_labels, view, keys, plane, states,
         states_behind_.data(), parent, labels_behind_.data(), pairs_.data(), count_.data());
  std::vector<LabelPair> found(count_.to_host()[0]);
  pairs_.copy_range_to(found, 0);
  return found;
}

void GpuSlab::merge(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
                    std::uint32_t* parent, std::uint32_t* size, bool in_histogram) {
  const std::vector<MergedLabel> merged = slab_.merge(pairs(view, keys, states, parent));
  const auto count = std::ssize(merged);
  merged_.copy_range_from(merged, 0);
  if (size != nullptr) {
    launch(device_, "sizes at borders", cuda::shape_of(count), move_sizes, view, merged_.data(),
           count, size, merged_sizes_.data());
    std::vector<std::uint32_t> sizes(merged.size());
    merged_sizes_.copy_range_to(sizes, 0);
    sums_ = slab_.merged_sums(merged, sizes, view.replicas, in_histogram);
  }
  launch(device_, "labels of others", cuda::shape_of(count), relabel, view, merged_.data(), count,
         parent);
}

void GpuSlab::add_satisfied(const ClusterView& view, const std::uint8_t* states, Word* sums,
                            Index stride) {
  exchange_states(view, states);
  if (!slab_.has_border()) return;
  const Index plane = slab_.sites_of_plane();
  launch(device_, "energy at borders", cuda::shape_of(plane, view.replicas), add_satisfied_bonds,
         view, plane, states, states_behind_.data(), sums, stride);
}

}  // namespace larmor::ising
