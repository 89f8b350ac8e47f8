#include "larmor/core/ranks/plane_slabs.hpp"

#include "larmor/core/error.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/ranks/device_link.hpp"
#else
namespace larmor::cuda {
class DeviceLink {};
}  // namespace larmor::cuda
#endif

namespace larmor {

PlaneSlabs::PlaneSlabs(const Communicator& world, Index planes, bool periodic,
                       [[maybe_unused]] const Device& device)
    : world_(world), planes_(planes) {
  const int ranks = world.size(), rank = world.rank();
  if (planes < ranks)
    throw InputError(std::to_string(ranks) + " ranks cannot share a grid of " +
                         std::to_string(planes) + " planes across its last axis",
                     "start at most " + std::to_string(planes) + " ranks");
  before_ = rank > 0 ? rank - 1 : periodic ? ranks - 1 : -1;
  behind_ = rank + 1 < ranks ? rank + 1 : periodic ? 0 : -1;
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) link_ = std::make_unique<cuda::DeviceLink>(world, device);
#endif
}

PlaneSlabs::~PlaneSlabs() = default;

void PlaneSlabs::exchange(const std::vector<Border>& fields) {
  // If there are two ranks, each is both neighbours of the other. Messages between them are
  // received in the order in which they are sent.
  std::vector<Message> out, in;
  for (const Border& field : fields) {
    if (field.last != nullptr) {
      if (behind_ >= 0) out.push_back({behind_, field.last, field.bytes});
      if (before_ >= 0) in.push_back({before_, field.before, field.bytes});
    }
    if (field.first != nullptr) {
      if (before_ >= 0) out.push_back({before_, field.first, field.bytes});
      if (behind_ >= 0) in.push_back({behind_, field.behind, field.bytes});
    }
  }
#if defined(LARMOR_HAS_CUDA)
  if (link_) return link_->exchange(out, in);
#endif
  world_.exchange(out, in);
}

CUstream_st* PlaneSlabs::fork() {
#if defined(LARMOR_HAS_CUDA)
  if (link_) {
    link_->fork();
    return link_->stream();
  }
#endif
  return nullptr;
}

void PlaneSlabs::join() {
#if defined(LARMOR_HAS_CUDA)
  if (link_) link_->join();
#endif
}

void PlaneSlabs::complete(void* field, std::size_t bytes) const {
  // One rank after the other, so that messages hold only one slab at a time.
  for (int from = 0; from < world_.size(); ++from) {
    const Index first = first_of(from), count = first_of(from + 1) - first;
    Message message{from, static_cast<char*>(field) + static_cast<std::size_t>(first) * bytes,
                    static_cast<std::size_t>(count) * bytes};
    if (from != world_.rank()) {
      world_.exchange({}, {message});
      continue;
    }
    std::vector<Message> out;
    for (int to = 0; to < world_.size(); ++to) {
      message.rank = to;
      if (to != from) out.push_back(message);
    }
    world_.exchange(out, {});
  }
}

std::string PlaneSlabs::description() const {
#if defined(LARMOR_HAS_CUDA)
  if (link_) return link_->description();
#endif
  return "MPI";
}

}  // namespace larmor
