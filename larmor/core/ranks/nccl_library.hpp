#pragma once
// NCCL, loaded when first needed. So a build with CUDA also starts if it is missing. Functions and
// numbers are those of nccl.h; every function except `words_of` returns 0 or an error.

#include <cstddef>

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
  int (*error_beside)(NcclHandle communicator, int* status);
  int (*group_start)();
  int (*group_end)();
  int (*send)(const void* data, std::size_t count, int kind, int to, NcclHandle, CUstream_st*);
  int (*receive)(void* data, std::size_t count, int kind, int from, NcclHandle, CUstream_st*);
  int (*broadcast)(const void* from, void* to, std::size_t count, int kind, int root, NcclHandle,
                   CUstream_st*);
  int (*all_reduce)(const void* from, void* to, std::size_t count, int kind, int operation,
                    NcclHandle, CUstream_st*);
  const char* (*words_of)(int status);
};

/// Null if this machine has no NCCL.
const NcclLibrary* nccl_library();

}  // namespace larmor::cuda
