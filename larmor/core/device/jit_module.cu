#include <cuda_runtime.h>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/error.hpp"

namespace larmor::cuda {
namespace {

int attribute(int ordinal, cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, ordinal), "reading a GPU's properties");
  return value;
}

/// The number 90 of "sm_90" or "compute_90".
int number_of(const std::string& code) { return std::stoi(code.substr(code.find('_') + 1)); }

}  // namespace

GpuArchitecture architecture(int ordinal) {
  return {attribute(ordinal, cudaDevAttrComputeCapabilityMajor),
          attribute(ordinal, cudaDevAttrComputeCapabilityMinor)};
}

int multiprocessors(int ordinal) { return attribute(ordinal, cudaDevAttrMultiProcessorCount); }

JitModule::JitModule(int ordinal, const std::string& text)
    : ordinal_(ordinal), waits_(number_of(runtime_code(architecture(ordinal))) >= 90) {
  const Region region("JIT kernels");
  const std::string code = compile_for_gpu(text, architecture(ordinal));
  check(cudaSetDevice(ordinal), "selecting a GPU");
  check(cudaLibraryLoadData(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "loading a kernel compiled at run time");
}

JitModule::~JitModule() {
  // Pending launches may still use the code of this module.
  drain(ordinal_);
  cudaLibraryUnload(library_);
}

JitModule::Kernel JitModule::kernel(const std::string& name, const std::string& functor) {
  Kernel kernel;
  if (cudaLibraryGetKernel(&kernel.code, library_, name.c_str()) != cudaSuccess)
    throw InternalError("a module compiled at run time has no kernel " + name);
  shown_.push_back(short_type_name(functor) + " (jit)");
  kernel.shown = &shown_.back();
  return kernel;
}

void JitModule::launch(Kernel kernel, Index blocks, int threads, void** arguments, bool early,
                       CUstream_st* given_stream) const {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.stream = given_stream == nullptr ? stream(ordinal_) : given_stream;
  config.attrs = &attribute;
  config.numAttrs = early && waits_ ? 1 : 0;
  const LaunchRegion region(ordinal_, kernel.code, *kernel.shown);
  check(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel.code), arguments),
        "starting a kernel compiled at run time");
}

LaunchGraph::LaunchGraph(int ordinal, const std::function<void()>& launches) : ordinal_(ordinal) {
  const cudaStream_t recorded = stream(ordinal);
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(recorded, cudaStreamCaptureModeThreadLocal), "recording launches");
  try {
    launches();
  } catch (...) {
    cudaStreamEndCapture(recorded, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    throw;
  }
  check(cudaStreamEndCapture(recorded, &graph), "recording launches");
  const cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
  cudaGraphDestroy(graph);
  check(status, "recording launches");
}

LaunchGraph::~LaunchGraph() {
  drain(ordinal_);
  cudaGraphExecDestroy(graph_);
}

void LaunchGraph::launch() const {
  check(cudaGraphLaunch(graph_, stream(ordinal_)), "starting recorded launches");
}

}  // namespace larmor::cuda
