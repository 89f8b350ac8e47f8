#pragma once
// An NCCL communicator of the ranks of a run. It is aborted at the first error. Kernels that wait
// for a lost GPU then end, and so do waits for this GPU.

#include <string>

#include "larmor/core/ranks/nccl_library.hpp"

namespace larmor::cuda {

/// @throws MachineError, which names the work `what`, for a status that is not a success
void check_nccl(const NcclLibrary& library, int status, const char* what);

class NcclCommunicator {
 public:
  /// Collective. @param id equal on all ranks @throws MachineError
  NcclCommunicator(const NcclLibrary& library, int ranks, const NcclId& id, int rank);
  ~NcclCommunicator();
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  const NcclLibrary& library() const { return library_; }
  /// @throws MachineError with the reason, if it was aborted
  NcclHandle handle() const;
  /// Aborts unless `status` is a success. @param status of a call of the library
  /// @throws MachineError as check_nccl
  void check(int status, const char* what);
  /// Checks for asynchronous errors, such as loss of other GPUs or the network.
  /// @throws MachineError, also at every later call
  void check_others();

 private:
  const NcclLibrary& library_;
  NcclHandle handle_ = nullptr;  ///< null if aborted
  std::string problem_;          ///< reason of the abort
};

}  // namespace larmor::cuda
