#pragma once
// How ranks reach one another's GPUs: by NCCL, or through the memory of the hosts where there is no
// NCCL or ranks have one GPU together. Compiled only where CUDA is found.

#include <memory>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/watched_wait.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/ranks/nccl_communicator.hpp"

struct CUevent_st;
struct CUstream_st;

namespace larmor::cuda {

class DeviceLink {
 public:
  /// All ranks at once, each with its own GPU. @throws MachineError when NCCL cannot start
  DeviceLink(const Communicator& world, const Device& device);
  /// On all ranks: after a failure that others do not know of it would wait for them.
  ~DeviceLink();
  DeviceLink(const DeviceLink&) = delete;
  DeviceLink& operator=(const DeviceLink&) = delete;

  /// By NCCL?
  bool is_direct() const { return nccl_ != nullptr; }
  /// Which way is taken, one line.
  std::string words() const;

  /// Between these two, everything is launched on `stream()`: behind what the GPU's own stream was
  /// given before the fork, beside what it is given until the join, which makes it wait. Through
  /// the hosts, that is the GPU's own stream, and calls wait for it.
  void fork();
  void join();
  CUstream_st* stream() const { return stream_; }

  // By NCCL these throw MachineError once other GPUs are lost, and so does every wait for this one.

  /// Messages in the memory of this GPU.
  void exchange(const std::vector<Message>& out, const std::vector<Message>& in);
  void sum(double* numbers, std::size_t count);
  /// Each part goes from its rank to all others, to the same place. By NCCL alone.
  void share(const std::vector<Message>& parts);

 private:
  void start();
  /// calls() are several of NCCL that begin together; it returns the first status that is no
  /// success.
  template <class Calls>
  void together(const char* what, const Calls& calls);

  const Communicator& world_;
  int ordinal_;
  std::unique_ptr<NcclCommunicator> nccl_;
  std::unique_ptr<WaitWatch> watch_;
  CUstream_st *stream_, *side_ = nullptr;
  CUevent_st *forked_ = nullptr, *joined_ = nullptr;
  std::vector<std::vector<char>> out_, in_;  ///< on the host
};

}  // namespace larmor::cuda
