#include <cuda_runtime.h>

#include <algorithm>
#include <cstdlib>

#include "larmor/core/cuda_backend.hpp"
#include "larmor/core/device_link.hpp"
#include "larmor/core/nccl_library.hpp"
#include "larmor/core/profile.hpp"

namespace larmor::cuda {
namespace {

/// A number that no other GPU has, exact in a double.
double number_of_gpu(int ordinal) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, ordinal), "reading a GPU's properties");
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char byte : properties.uuid.bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return static_cast<double>(hash >> 12);
}

bool has_nccl() {
  const char* said = std::getenv("LARMOR_NCCL");
  const std::string choice = said == nullptr ? "" : said;
  if (!choice.empty() && choice != "never")
    throw InputError("LARMOR_NCCL is \"" + choice + "\"", "\"never\", or unset it");
  return choice.empty() && nccl_library() != nullptr;
}

/// Has every rank NCCL, and a GPU of its own?
bool can_be_direct(const Communicator& world, int ordinal) {
  std::vector<double> gpu(static_cast<std::size_t>(world.size()));
  const auto own = static_cast<std::size_t>(world.rank());
  gpu[own] = number_of_gpu(ordinal);
  world.sum(gpu.data(), gpu.size());
  bool alone = true;
  for (std::size_t r = 0; r < gpu.size(); ++r) alone = alone && (r == own || gpu[r] != gpu[own]);
  bool nccl = false;
  world.together([&] { nccl = has_nccl(); });
  return world.all(alone && nccl);
}

}  // namespace

DeviceLink::DeviceLink(const Communicator& world, const Device& device)
    : world_(world), ordinal_(device.ordinal), stream_(cuda::stream(device.ordinal)) {
  if (!can_be_direct(world, ordinal_)) return;
  start();
  // What others wait for goes before what does not leave this GPU.
  int least = 0, greatest = 0;
  cuda::check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "making a stream");
  cuda::check(cudaStreamCreateWithPriority(&side_, cudaStreamNonBlocking, greatest),
              "making a stream");
  cuda::check(cudaEventCreateWithFlags(&forked_, cudaEventDisableTiming), "making an event");
  cuda::check(cudaEventCreateWithFlags(&joined_, cudaEventDisableTiming), "making an event");
}

DeviceLink::~DeviceLink() {
  settle(ordinal_);
  if (communicator_ != nullptr) nccl_library()->end(communicator_);
  if (side_ != nullptr) cudaStreamDestroy(side_);
  if (forked_ != nullptr) cudaEventDestroy(forked_);
  if (joined_ != nullptr) cudaEventDestroy(joined_);
}

void DeviceLink::start() {
  // Multicast over NVLink gains nothing for these messages, and not every machine bears it.
  setenv("NCCL_NVLS_ENABLE", "0", 0);
  NcclId id{};
  if (world_.is_root()) check(nccl_library()->make_id(&id), "starting");
  std::vector<double> bytes(sizeof(id.bytes));
  for (std::size_t n = 0; n < bytes.size() && world_.is_root(); ++n)
    bytes[n] = static_cast<unsigned char>(id.bytes[n]);
  world_.sum(bytes.data(), bytes.size());
  for (std::size_t n = 0; n < bytes.size(); ++n)
    id.bytes[n] = static_cast<char>(static_cast<unsigned char>(bytes[n]));
  cuda::check(cudaSetDevice(ordinal_), "selecting a GPU");
  check(nccl_library()->start(&communicator_, world_.size(), id, world_.rank()), "starting");
}

std::string DeviceLink::words() const {
  if (!is_direct()) return "MPI, through the memory of the host";
  int version = 0;
  nccl_library()->version(&version);
  return "NCCL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) +
         "." + std::to_string(version % 100);
}

void DeviceLink::check(int status, const char* what) const {
  if (status == 0) return;
  throw MachineError(std::string("NCCL, ") + what + ": " + nccl_library()->words_of(status) +
                     "; NCCL_DEBUG=WARN makes it say more, LARMOR_NCCL=never does without it");
}

void DeviceLink::fork() {
  cuda::check(cudaSetDevice(ordinal_), "selecting a GPU");
  stream_ = cuda::stream(ordinal_);
  // Profiles time what the GPU's own stream does.
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
    const NcclLibrary& nccl = *nccl_library();
    check(nccl.group_start(), "sending");
    for (const Message& m : out)
      check(nccl.send(m.data, m.bytes, nccl_bytes, m.rank, communicator_, stream_), "sending");
    for (const Message& m : in)
      check(nccl.receive(m.data, m.bytes, nccl_bytes, m.rank, communicator_, stream_), "receiving");
    check(nccl.group_end(), "sending");
    return;
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
    check(nccl_library()->all_reduce(numbers, numbers, count, nccl_doubles, nccl_sum, communicator_,
                                     stream_),
          "adding up");
    return;
  }
  std::vector<double> host(count);
  copy(ordinal_, host.data(), numbers, count * sizeof(double));
  world_.sum(host.data(), count);
  copy(ordinal_, numbers, host.data(), count * sizeof(double));
}

void DeviceLink::share(const std::vector<Message>& parts) {
  const NcclLibrary& nccl = *nccl_library();
  check(nccl.group_start(), "sending to all");
  for (const Message& part : parts)
    check(nccl.broadcast(part.data, part.data, part.bytes, nccl_bytes, part.rank, communicator_,
                         stream_),
          "sending to all");
  check(nccl.group_end(), "sending to all");
}

}  // namespace larmor::cuda
