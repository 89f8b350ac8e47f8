#pragma once
// NCCL, opened when it is first needed: a build with CUDA also starts where the library is not.
// These are its own functions and numbers (nccl.h); every function but two returns 0 or an error.

#include <cstddef>

struct CUstream_st;

namespace larmor::cuda {

struct NcclId {
  char bytes[128];
};
using NcclCommunicator = void*;
inline constexpr int nccl_bytes = 0, nccl_doubles = 8;  ///< kinds of numbers
inline constexpr int nccl_sum = 0;

struct NcclLibrary {
  int (*version)(int* version);
  int (*make_id)(NcclId* id);
  int (*start)(NcclCommunicator* communicator, int ranks, NcclId id, int rank);
  int (*end)(NcclCommunicator communicator);
  int (*group_start)();
  int (*group_end)();
  int (*send)(const void* data, std::size_t count, int kind, int to, NcclCommunicator,
              CUstream_st*);
  int (*receive)(void* data, std::size_t count, int kind, int from, NcclCommunicator, CUstream_st*);
  int (*broadcast)(const void* from, void* to, std::size_t count, int kind, int root,
                   NcclCommunicator, CUstream_st*);
  int (*all_reduce)(const void* from, void* to, std::size_t count, int kind, int operation,
                    NcclCommunicator, CUstream_st*);
  const char* (*words_of)(int status);
};

/// Null: there is none on this machine.
const NcclLibrary* nccl_library();

}  // namespace larmor::cuda
