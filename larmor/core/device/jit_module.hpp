#pragma once
// Kernels compiled at run time, loaded on a GPU. Compiled only if CUDA is found.

#include <deque>
#include <functional>
#include <string>

#include "larmor/core/device/jit_compiler.hpp"
#include "larmor/core/types.hpp"

struct CUgraphExec_st;
struct CUlib_st;
struct CUkern_st;
struct CUstream_st;

namespace larmor::cuda {

GpuArchitecture architecture(int ordinal);
/// Architecture of the kernel code that this GPU runs. If the driver compiles PTX of 7.5, it is 75
/// on any GPU.
/// @throws MachineError if there is no code for this GPU
int code_architecture(int ordinal);
int multiprocessors(int ordinal);

class JitModule {
 public:
  struct Kernel {
    CUkern_st* code = nullptr;
    const std::string* shown = nullptr;  ///< its name in profiles
  };

  /// @throws MachineError, InternalError as compile_for_gpu does
  JitModule(int ordinal, const std::string& text);
  JitModule(const JitModule&) = delete;
  JitModule& operator=(const JitModule&) = delete;
  ~JitModule();

  /// @param name name of an extern "C" kernel @param functor the functor that it runs, for profiles
  /// @throws InternalError if there is no such kernel
  Kernel kernel(const std::string& name, const std::string& functor);
  /// Starts a kernel.
  /// @param early may it begin while the preceding kernel still runs? If so, its code must wait for
  /// the preceding kernel (griddepcontrol.wait). This needs code for 9.0 or later. A kernel with
  /// older code begins after the preceding kernel.
  /// @param given_stream null for the GPU's own stream
  void launch(Kernel kernel, Index blocks, int threads, void** arguments, bool early,
              CUstream_st* given_stream = nullptr) const;

 private:
  int ordinal_;
  bool waits_;  ///< has the code instructions that wait for predecessors?
  CUlib_st* library_ = nullptr;
  std::deque<std::string> shown_;
};

/// Launches that are recorded once and can be repeated together.
class LaunchGraph {
 public:
  /// Records all launches of `launches` on the GPU's stream, without running them.
  LaunchGraph(int ordinal, const std::function<void()>& launches);
  LaunchGraph(const LaunchGraph&) = delete;
  LaunchGraph& operator=(const LaunchGraph&) = delete;
  ~LaunchGraph();
  void launch() const;

 private:
  int ordinal_;
  CUgraphExec_st* graph_ = nullptr;
};

}  // namespace larmor::cuda
