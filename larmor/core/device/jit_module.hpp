#pragma once
// Kernels compiled at run time, loaded on a GPU. Compiled only where CUDA is found.

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
/// Architecture that the kernels were compiled for which this GPU runs: 75 where the driver makes
/// them from PTX of 7.5, whatever the GPU. @throws MachineError where there are none
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

  /// @param name of an extern "C" kernel; @param functor that it runs, for profiles
  /// @throws InternalError when there is none
  Kernel kernel(const std::string& name, const std::string& functor);
  /// Starts a kernel. @param on a stream; null: the GPU's own. @param early may it begin while the
  /// kernel before it still runs? Then it must wait for that one itself (griddepcontrol.wait),
  /// for which it must be compiled for 9.0 or later: others begin afterwards.
  void launch(Kernel kernel, Index blocks, int threads, void** arguments, bool early,
              CUstream_st* on = nullptr) const;

 private:
  int ordinal_;
  bool waits_;  ///< was it compiled to wait for predecessors?
  CUlib_st* library_ = nullptr;
  std::deque<std::string> shown_;
};

/// Kernels that were launched once, to be launched again together.
class LaunchGraph {
 public:
  /// Everything that `launches` launches on the GPU's stream; it runs only later.
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
