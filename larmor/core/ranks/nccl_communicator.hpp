#pragma once
// The ranks of a run as NCCL knows them. At the first error they are given up: kernels that wait
// for a lost GPU then end, and with them whoever waits for this one.

#include <string>

#include "larmor/core/ranks/nccl_library.hpp"

namespace larmor::cuda {

/// @throws MachineError for a status that is no success, saying `what` was being done
void check_nccl(const NcclLibrary& library, int status, const char* what);

class NcclCommunicator {
 public:
  /// All ranks at once. @param id the same on all of them @throws MachineError
  NcclCommunicator(const NcclLibrary& library, int ranks, const NcclId& id, int rank);
  ~NcclCommunicator();
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;

  const NcclLibrary& library() const { return library_; }
  /// @throws MachineError why it was given up
  NcclHandle handle() const;
  /// @param status of a call of the library; gives up unless that is success
  /// @throws MachineError as check_nccl
  void check(int status, const char* what);
  /// The same of what goes wrong beside the calls: other GPUs or the network may be lost.
  /// @throws MachineError also whenever it is asked again
  void check_others();

 private:
  const NcclLibrary& library_;
  NcclHandle handle_ = nullptr;  ///< null: given up
  std::string problem_;          ///< why
};

}  // namespace larmor::cuda
