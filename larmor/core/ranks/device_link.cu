#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/fnv_hash.hpp"
#include "larmor/core/ranks/device_link.hpp"

namespace larmor::cuda {
namespace {

/// A number that is unique for each GPU, exact in a double.
double number_of_gpu(int ordinal) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, ordinal), "reading a GPU's properties");
  return short_hash(std::span<const char>(properties.uuid.bytes));
}

bool has_nccl() {
  const char* setting = std::getenv("LARMOR_NCCL");
  const std::string choice = setting == nullptr ? "" : setting;
  if (!choice.empty() && choice != "never")
    throw InputError("LARMOR_NCCL is \"" + choice + "\"",
                     "set LARMOR_NCCL to \"never\", or unset LARMOR_NCCL");
  return choice.empty() && nccl_library() != nullptr;
}

/// Does every rank have NCCL and its own GPU?
bool can_be_direct(const Communicator& world, int ordinal) {
  std::vector<double> gpu(static_cast<std::size_t>(world.size()));
  const auto own = static_cast<std::size_t>(world.rank());
  gpu[own] = number_of_gpu(ordinal);
  world.sum(gpu.data(), gpu.size());
  bool has_own_gpu = true;
  for (std::size_t r = 0; r < gpu.size(); ++r)
    has_own_gpu = has_own_gpu && (r == own || gpu[r] != gpu[own]);
  bool nccl = false;
  world.together([&] { nccl = has_nccl(); });
  return world.all(has_own_gpu && nccl);
}

}  // namespace

DeviceLink::DeviceLink(const Communicator& world, const Device& device)
    : world_(world), ordinal_(device.ordinal), stream_(cuda::stream(device.ordinal)) {
  if (!can_be_direct(world, ordinal_)) return;
  start();
  watch_ = std::make_unique<WaitWatch>([this] { nccl_->check_others(); });
  // High priority, because other ranks wait for this stream, and not for local work.
  int least = 0, greatest = 0;
  cuda::check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "making a stream");
  cuda::check(cudaStreamCreateWithPriority(&side_, cudaStreamNonBlocking, greatest),
              "making a stream");
  cuda::check(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming), "making an event");
  cuda::check(cudaEventCreateWithFlags(&joined_, cudaEventDisableTiming), "making an event");
}

DeviceLink::~DeviceLink() {
  drain(ordinal_);
  watch_.reset();
  nccl_.reset();
  if (side_ != nullptr) cudaStreamDestroy(side_);
  if (forked_ != nullptr) cudaEventDestroy(forked_);
  if (joined_ != nullptr) cudaEventDestroy(joined_);
}

void DeviceLink::start() {
  // Multicast over NVLink is off, whatever the environment says. It does not speed up these
  // messages, and it fails on some machines.
  setenv("NCCL_NVLS_ENABLE", "0", 1);
  NcclId id{};
  const NcclLibrary& nccl = *nccl_library();
  if (world_.is_root()) check_nccl(nccl, nccl.make_id(&id), "starting");
  std::vector<double> bytes(sizeof(id.bytes));
  for (std::size_t n = 0; n < bytes.size() && world_.is_root(); ++n)
    bytes[n] = static_cast<unsigned char>(id.bytes[n]);
  world_.sum(bytes.data(), bytes.size());
  for (std::size_t n = 0; n < bytes.size(); ++n)
    id.bytes[n] = static_cast<char>(static_cast<unsigned char>(bytes[n]));
  cuda::check(cudaSetDevice(ordinal_), "selecting a GPU");
  nccl_ = std::make_unique<NcclCommunicator>(nccl, world_.size(), id, world_.rank());
}

std::string DeviceLink::description() const {
  if (!is_direct()) return "MPI, through the memory of the host";
  int version = 0;
  nccl_library()->version(&version);
  return "NCCL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
         "." + std::to_string(version % 100);
}

template <class Calls>
void DeviceLink::together(const char* what, const Calls& calls) {
  nccl_->check(nccl_->library().group_start(), what);
  const int status = calls();
  const int ended = nccl_->library().group_end();
  nccl_->check(status != 0 ? status : ended, what);
}

void DeviceLink::fork() {
  cuda::check(cudaSetDevice(ordinal_), "selecting a GPU");
  stream_ = cuda::stream(ordinal_);
  // Profiles time only the GPU's own stream. So a profiled run uses no other stream.
  if (!is_direct() || is_profiling()) return;
  cuda::check(cudaEventRecord(forked_, stream_), "marking launches");
  cuda::check(cudaStreamWaitEvent(side_, forked_, 0), "waiting for launches");
  stream_ = side_;
}

void DeviceLink::join() {
  if (stream_ != side_ || side_ == nullptr) return;
  stream_ = cuda::stream(ordinal_);
  cuda::check(cudaEventRecord(joined_, side_), "marking launches");
  cuda::check(cudaStreamWaitEvent(stream_, joined_, 0), "waiting for other GPUs");
}

void DeviceLink::exchange(const std::vector<Message>& out, const std::vector<Message>& in) {
  if (is_direct()) {
    const NcclHandle ranks = nccl_->handle();
    return together("exchanging", [&] {
      const NcclLibrary& nccl = nccl_->library();
      int status = 0;
      for (const Message& m : out)
        if (status == 0) status = nccl.send(m.data, m.bytes, nccl_bytes, m.rank, ranks, stream_);
      for (const Message& m : in)
        if (status == 0) status = nccl.receive(m.data, m.bytes, nccl_bytes, m.rank, ranks, stream_);
      return status;
    });
  }
  const auto on_host = [](const std::vector<Message>& messages,
                          std::vector<std::vector<char>>& memory) {
    std::vector<Message> host = messages;
    memory.resize(std::max(memory.size(), messages.size()));
    for (std::size_t n = 0; n < messages.size(); ++n) {
      memory[n].resize(messages[n].bytes);
      host[n].data = memory[n].data();
    }
    return host;
  };
  const std::vector<Message> sent = on_host(out, out_), received = on_host(in, in_);
  for (std::size_t n = 0; n < out.size(); ++n)
    copy(ordinal_, sent[n].data, out[n].data, out[n].bytes);
  world_.exchange(sent, received);
  for (std::size_t n = 0; n < in.size(); ++n)
    copy(ordinal_, in[n].data, received[n].data, in[n].bytes);
}

void DeviceLink::sum(double* numbers, std::size_t count) {
  if (is_direct()) {
    const NcclHandle ranks = nccl_->handle();
    return nccl_->check(nccl_->library().all_reduce(numbers, numbers, count, nccl_doubles, nccl_sum,
                                                    ranks, stream_),
                        "adding up");
  }
  std::vector<double> host(count);
  copy(ordinal_, host.data(), numbers, count * sizeof(double));
  world_.sum(host.data(), count);
  copy(ordinal_, numbers, host.data(), count * sizeof(double));
}

void DeviceLink::broadcast(const std::vector<Message>& messages) {
  const NcclHandle ranks = nccl_->handle();
  together("sending to all", [&] {
    const NcclLibrary& nccl = nccl_->library();
    int status = 0;
    for (const Message& m : messages)
      if (status == 0)
        status = nccl.broadcast(m.data, m.data, m.bytes, nccl_bytes, m.rank, ranks, stream_);
    return status;
  });
}

}  // namespace larmor::cuda
