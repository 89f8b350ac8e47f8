#include "larmor/core/ranks/nccl_library.hpp"

#include <optional>

#include "larmor/core/error.hpp"
#include "larmor/core/gpu/cuda_library.hpp"

namespace larmor::cuda {
namespace {

NcclLibrary found() {
  const CudaLibrary library("NCCL", {"libnccl.so.2"});
  NcclLibrary nccl;
  library.find("ncclGetVersion", nccl.version);
  library.find("ncclGetUniqueId", nccl.make_id);
  library.find("ncclCommInitRank", nccl.start);
  library.find("ncclCommDestroy", nccl.end);
  library.find("ncclCommAbort", nccl.abort);
  library.find("ncclCommGetAsyncError", nccl.error_beside);
  library.find("ncclGroupStart", nccl.group_start);
  library.find("ncclGroupEnd", nccl.group_end);
  library.find("ncclSend", nccl.send);
  library.find("ncclRecv", nccl.receive);
  library.find("ncclBroadcast", nccl.broadcast);
  library.find("ncclAllReduce", nccl.all_reduce);
  library.find("ncclGetErrorString", nccl.words_of);
  return nccl;
}

std::optional<NcclLibrary> load() {
  try {
    return found();
  } catch (const MachineError&) {
    return std::nullopt;  // messages then pass through the host
  }
}

}  // namespace

const NcclLibrary* nccl_library() {
  static const std::optional<NcclLibrary> library = load();
  return library ? &*library : nullptr;
}

}  // namespace larmor::cuda
