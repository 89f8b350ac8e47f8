#pragma once
// Communication between GPUs of different ranks, by NCCL. Without NCCL, or if ranks share a GPU, it
// goes through the memory of the hosts. Compiled only if CUDA is found.

#include <memory>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/gpu_waits.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/ranks/nccl_communicator.hpp"

struct CUevent_st;
struct CUstream_st;

namespace larmor::cuda {

class DeviceLink {
 public:
  /// Collective. Each rank has its own GPU. @throws MachineError if NCCL cannot start
  DeviceLink(const Communicator& world, const Device& device);
  /// Collective. After a failure of which other ranks do not know, the destructor would wait for
  /// them.
  ~DeviceLink();
  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;

  /// Is NCCL used?
  bool is_direct() const { return nccl_ != nullptr; }
  /// The method of communication, one line.
  std::string description() const;

  /// Between `fork` and `join`, calls launch on `stream()`. Their work begins after the earlier
  /// launches on the GPU's own stream, and runs concurrently with later launches there. `join`
  /// makes the GPU's own stream wait for this work. Without NCCL, `stream()` is the GPU's own
  /// stream, and calls wait for it.
  void fork();
  void join();
  CUstream_st* stream() const { return stream_; }

  // With NCCL, these calls and every wait for this GPU throw MachineError if other GPUs are lost.

  /// Sends and receives all messages, which are in the memory of this GPU.
  void exchange(const std::vector<Message>& out, const std::vector<Message>& in);
  void sum(double* numbers, std::size_t count);
  /// Sends each message from its rank to all others, at equal places in their memory. Only with
  /// NCCL.
  void broadcast(const std::vector<Message>& messages);

 private:
  void start();
  /// calls() makes several calls of NCCL that begin together, and returns the first status that is
  /// not a success.
  template <class Calls>
  void together(const char* what, const Calls& calls);

  const Communicator& world_;
  int ordinal_;
  std::unique_ptr<NcclCommunicator> nccl_;
  std::unique_ptr<WaitWatch> watch_;
  CUstream_st *stream_, *side_ = nullptr;
  CUevent_st *forked_ = nullptr, *joined_ = nullptr;
  std::vector<std::vector<char>> out_, in_;  ///< buffers on the host
};

}  // namespace larmor::cuda
