#pragma once
// NCCL, loaded when first needed, and a communicator of the ranks of a run. Functions and numbers
// are those of nccl.h; every function except `error_text` returns 0 or an error.

#include <cstddef>
#include <string>

struct CUstream_st;

namespace larmor::cuda {

struct NcclId {
  char bytes[128];
};
using NcclHandle = void*;                               ///< an NCCL communicator
inline constexpr int nccl_bytes = 0, nccl_doubles = 8;  ///< types of numbers
inline constexpr int nccl_sum = 0;
inline constexpr int nccl_in_progress = 7;  ///< a status that is not an error

struct NcclLibrary {
  int (*version)(int* version);
  int (*make_id)(NcclId* id);
  int (*start)(NcclHandle* communicator, int ranks, NcclId id, int rank);
  int (*end)(NcclHandle communicator);
  /// Ends all pending work, also on this GPU.
  int (*abort)(NcclHandle communicator);
  /// Status of asynchronous errors.
  int (*asynchronous_error)(NcclHandle communicator, int* status);
  int (*group_start)();
  int (*group_end)();
  int (*send)(const void* data, std::size_t count, int kind, int to, NcclHandle, CUstream_st*);
  int (*receive)(void* data, std::size_t count, int kind, int from, NcclHandle, CUstream_st*);
  int (*broadcast)(const void* from, void* to, std::size_t count, int kind, int root, NcclHandle,
                   CUstream_st*);
  int (*all_reduce)(const void* from, void* to, std::size_t count, int kind, int operation,
                    NcclHandle, CUstream_st*);
  const char* (*error_text)(int status);
};

/// Null if this machine has no NCCL.
const NcclLibrary* nccl_library();

/// @throws MachineError, which names the work `what`, for a status that is not a success
void check_nccl(const NcclLibrary& library, int status, const char* what);

/// A communicator of NCCL, aborted at the first error. The abort ends kernels that wait for a lost
/// GPU, and so it ends waits for this GPU.
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
