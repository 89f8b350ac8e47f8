#include "larmor/transfer/vector_space.hpp"

#include <algorithm>
#include <bit>

#include "larmor/core/error.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/ranks/device_link.hpp"
#else
namespace larmor::cuda {
class DeviceLink {};
}  // namespace larmor::cuda
#endif

namespace larmor::transfer {
namespace {

constexpr Index most_parts = Index{1} << part_bits;

/// Parts that are whole blocks of the sums.
Index parts_of(Index size) {
  return size % (most_parts * sites_of_sum_block) == 0 ? most_parts : 1;
}

}  // namespace

VectorSpace::VectorSpace(const Device& device, Index size)
    : device_(device), size_(size), parts_(parts_of(size)) {}

VectorSpace::VectorSpace(const Device& device, Index size, const Communicator& world)
    : VectorSpace(device, size) {
  if (!can_share(size, world.size())) throw InternalError("ranks cannot share these states");
  if (world.size() == 1) return;
  world_ = &world;
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) link_ = std::make_unique<cuda::DeviceLink>(world, device);
#endif
}

VectorSpace::~VectorSpace() = default;

bool VectorSpace::can_share(Index size, int ranks) {
  const auto count = static_cast<unsigned>(ranks);
  return ranks == 1 || (std::has_single_bit(count) && ranks <= parts_of(size) &&
                        std::has_single_bit(static_cast<std::uint64_t>(size)));
}

std::vector<double> VectorSpace::totals(const std::vector<double>& own) const {
  const auto parts = static_cast<std::size_t>(parts_);
  const auto own_parts = static_cast<std::size_t>(this->own_parts());
  const std::size_t sums = own.size() / own_parts;
  const std::vector<double> all = world_ != nullptr ? all_gathered(*world_, own) : own;
  std::vector<double> totals;
  for (std::size_t sum = 0; sum < sums; ++sum) {
    std::vector<double> values(parts);
    for (std::size_t part = 0; part < parts; ++part)
      values[part] = all[(part / own_parts * sums + sum) * own_parts + part % own_parts];
    for (std::size_t width = 1; width < parts; width *= 2)
      for (std::size_t part = 0; part < parts; part += 2 * width)
        values[part] += values[part + width];
    totals.push_back(values.front());
  }
  return totals;
}

void VectorSpace::exchange(const Vector& own, Vector& received, int with) const {
  if (with == rank())
    return copy_bytes(device_, received.data(), device_, own.data(),
                      static_cast<std::size_t>(own.size()) * sizeof(double));
  // Without NCCL, pieces of a vector pass through the memory of the host.
  constexpr Index most = Index{1} << 25;
  for (Index first = 0; first < own.size(); first += most) {
    const auto bytes =
        static_cast<std::size_t>(std::min(most, own.size() - first)) * sizeof(double);
    // NCCL and MPI do not change the memory of `out`.
    const Message out{with, const_cast<double*>(own.data()) + first, bytes};
    const Message in{with, received.data() + first, bytes};
#if defined(LARMOR_HAS_CUDA)
    if (link_) {
      link_->exchange({out}, {in});
      continue;
    }
#endif
    world_->exchange({out}, {in});
  }
}

}  // namespace larmor::transfer
