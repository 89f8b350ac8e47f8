#include "larmor/core/ranks/nccl_communicator.hpp"

#include <optional>
#include <utility>

#include "larmor/core/error.hpp"
#include "larmor/core/gpu/cuda_libraries.hpp"

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
  library.find("ncclCommGetAsyncError", nccl.asynchronous_error);
  library.find("ncclGroupStart", nccl.group_start);
  library.find("ncclGroupEnd", nccl.group_end);
  library.find("ncclSend", nccl.send);
  library.find("ncclRecv", nccl.receive);
  library.find("ncclBroadcast", nccl.broadcast);
  library.find("ncclAllReduce", nccl.all_reduce);
  library.find("ncclGetErrorString", nccl.error_text);
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

namespace {

std::string nccl_error_text(const NcclLibrary& library, int status, const char* what) {
  return std::string("NCCL, ") + what + ": " + library.error_text(status) +
         "; set NCCL_DEBUG=WARN for details, or LARMOR_NCCL=never to run without NCCL";
}

}  // namespace

void check_nccl(const NcclLibrary& library, int status, const char* what) {
  if (status != 0) throw MachineError(nccl_error_text(library, status, what));
}

NcclCommunicator::NcclCommunicator(const NcclLibrary& library, int ranks, const NcclId& id,
                                   int rank)
    : library_(library) {
  check_nccl(library, library.start(&handle_, ranks, id, rank), "starting");
}

NcclCommunicator::~NcclCommunicator() {
  if (handle_ != nullptr) library_.end(handle_);
}

NcclHandle NcclCommunicator::handle() const {
  if (handle_ == nullptr) throw MachineError(problem_);
  return handle_;
}

void NcclCommunicator::check(int status, const char* what) {
  if (status == 0 || status == nccl_in_progress) return;
  problem_ = nccl_error_text(library_, status, what);
  if (handle_ != nullptr) library_.abort(std::exchange(handle_, nullptr));
  throw MachineError(problem_);
}

void NcclCommunicator::check_others() {
  int status = 0;
  check(library_.asynchronous_error(handle(), &status), "checking the other GPUs");
  check(status, "other GPUs, or the network between them, are lost");
}

}  // namespace larmor::cuda
