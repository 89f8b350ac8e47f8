#include "larmor/core/nccl_library.hpp"

#include <dlfcn.h>

#include <optional>

namespace larmor::cuda {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::optional<NcclLibrary> load() {
  void* library = nullptr;
  for (const char* name : {"libnccl.so.2", "/usr/local/cuda/lib64/libnccl.so.2"})
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  NcclLibrary nccl;
  const bool complete =
      find(library, "ncclGetVersion", nccl.version) &&
      find(library, "ncclGetUniqueId", nccl.make_id) &&
      find(library, "ncclCommInitRank", nccl.start) && find(library, "ncclCommDestroy", nccl.end) &&
      find(library, "ncclCommAbort", nccl.abort) &&
      find(library, "ncclCommGetAsyncError", nccl.error_beside) &&
      find(library, "ncclGroupStart", nccl.group_start) &&
      find(library, "ncclGroupEnd", nccl.group_end) && find(library, "ncclSend", nccl.send) &&
      find(library, "ncclRecv", nccl.receive) && find(library, "ncclBroadcast", nccl.broadcast) &&
      find(library, "ncclAllReduce", nccl.all_reduce) &&
      find(library, "ncclGetErrorString", nccl.words_of);
  if (!complete) return std::nullopt;
  return nccl;
}

}  // namespace

const NcclLibrary* nccl_library() {
  static const std::optional<NcclLibrary> library = load();
  return library ? &*library : nullptr;
}

}  // namespace larmor::cuda
