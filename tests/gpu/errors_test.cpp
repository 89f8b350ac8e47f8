// Errors of a GPU: their messages, exhausted memory, and a kernel that fails during a study. The
// tests of messages need no GPU. All other tests skip without a GPU.
// Rooms: core, study

#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <thread>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/io/results/checkpoint.hpp"
#include "larmor/spins/hamiltonian/energy_kernels.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"
#include "larmor/study/run/memory_forecast.hpp"
#include "larmor/study/run/plan.hpp"
#include "larmor/study/run/run.hpp"

namespace larmor::gpu_errors_tests {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The text of the MachineError that work() throws.
template <class Work>
std::string failure_of(const Work& work) {
  try {
    work();
  } catch (const MachineError& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

TEST(WordsOfGpuErrors, SayWhatIsWrongAndWhatToDo) {
  const std::pair<cudaError_t, const char*> cases[] = {
      {cudaErrorInsufficientDriver, cuda_versions().driver.empty() ? "no driver" : "newer driver"},
      {cudaErrorUnsupportedPtxVersion, "newer driver"},
      {cudaErrorSystemDriverMismatch, "do not fit each other"},
      {cudaErrorInitializationError, "nvidia-smi"},
      {cudaErrorNoDevice, "CUDA_VISIBLE_DEVICES"},
      {cudaErrorInvalidDevice, "larmor devices"},
      {cudaErrorDevicesUnavailable, "compute mode"},
      {cudaErrorMpsServerNotReady, "Multi-Process Service"},
      {cudaErrorECCUncorrectable, "another GPU"},
      {cudaErrorNvlinkUncorrectable, "another GPU"},
      {cudaErrorDeviceUninitialized, "lost"},
      {cudaErrorUnknown, "Xid"},
      {cudaErrorLaunchTimeout, "display"},
      {cudaErrorMemoryAllocation, "fewer replicas"},
      {cudaErrorNoKernelImageForDevice, "kernels for compute capability"},
      {cudaErrorLaunchFailure, "a kernel failed"},
      {cudaErrorIllegalAddress, "a kernel failed"},
      {cudaErrorAssert, "a kernel failed"},
      {cudaErrorInvalidValue, "does not answer as it should"}};
  for (const auto& [error, words] : cases) {
    const std::string said = cuda::error_text(error);
    EXPECT_TRUE(contains(said, words)) << said;
    EXPECT_FALSE(contains(said, "\n")) << said;
  }
}

class GpuErrors : public testing::Test {
 protected:
  void SetUp() override {
    if (first_usable_gpu() < 0) GTEST_SKIP() << "no GPU here";
    folder_ = fs::temp_directory_path() / ("larmor-gpu-errors-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

/// Allocates the memory of a GPU except for the given rest, as other programs would do.
class Occupied {
 public:
  explicit Occupied(std::size_t left) {
    std::size_t free_bytes = 0, total = 0;
    cuda::check(cudaSetDevice(0), "selecting a GPU");
    cuda::check(cudaMemGetInfo(&free_bytes, &total), "reading a GPU's memory");
    if (free_bytes > left) cuda::check(cudaMalloc(&data_, free_bytes - left), "taking memory");
  }
  ~Occupied() { cudaFree(data_); }
  Occupied(const Occupied&) = delete;
  Occupied& operator=(const Occupied&) = delete;

 private:
  void* data_ = nullptr;
};

constexpr std::size_t GiB = std::size_t{1} << 30;

TEST_F(GpuErrors, MemoryThatIsNotThereIsRefusedWithWhatIsFree) {
  const Device device = Device::cuda(0);
  const std::string said = failure_of([&] { Array<double> much(device, Index{1} << 45); });
  EXPECT_TRUE(contains(said, "256 TiB")) << said;
  EXPECT_TRUE(contains(said, "GiB are free")) << said;
  EXPECT_TRUE(contains(said, "fewer replicas")) << said;
  // After the error, the GPU remains usable.
  const Array<double> little(device, 1000);
  EXPECT_EQ(little.to_host(), std::vector<double>(1000));
}

TEST_F(GpuErrors, MemoryToAddUpInIsRefusedLikewise) {
  const std::string said = failure_of([&] { const cuda::Scratch much(0, std::size_t{1} << 48); });
  EXPECT_TRUE(contains(said, "256 TiB")) << said;
  EXPECT_TRUE(contains(said, "are free")) << said;
  synchronise(Device::cuda(0));
}

TEST_F(GpuErrors, AStudyTooLargeForWhatOthersLeaveIsRefusedBeforeAnythingIsWritten) {
  const study::Study study = study::parse_study(
      "replicas = 64\n[device]\nbackend = 'cuda'\n[lattice]\ntype = 'sc'\nsize = [128, 128, 128]\n"
      "[[exchange]]\nshell = 1\nJ = 1\n"
      "[[stage]]\nkind = 'dynamics'\ntimestep = 0.01\nsteps = 10\n"
      "measure = [{ what = 'spin-temperature', every = 10 }]\n",
      "large.toml", folder_.string());
  study::RunOptions options;
  options.output = (folder_ / "large.h5").string();
  const Occupied others(6 * GiB);
  const auto is_clear = [](const std::string& said) {
    return contains(said, "the study needs 12.1 GiB on GPU 0") &&
           contains(said, "3.0 GiB for the spins, 9.0 GiB to work in") &&
           contains(said, "GiB are free") && contains(said, "precision = \"single\"");
  };
  const std::string run = failure_of([&] { study::run_study(study, options); });
  EXPECT_TRUE(is_clear(run)) << run;
  const std::string check = failure_of([&] { study::plan_study(study); });
  EXPECT_TRUE(is_clear(check)) << check;
  EXPECT_TRUE(fs::is_empty(folder_));
}

constexpr const char* long_study =
    "replicas = 8\nseed = 3\n[device]\nbackend = 'cuda'\n[lattice]\ntype = 'square'\n"
    "size = [16, 16]\n[[exchange]]\nshell = 1\nJ = 1\n"
    "[[stage]]\nkind = 'dynamics'\ntimestep = 0.02\nsteps = 60000\ndamping = 0.1\n"
    "temperature = 0.5\nmeasure = [{ what = 'energy', every = 25 }]\n";

/// Starts a kernel that writes to an invalid address.
void fail() {
  const study::SpinSystem system(
      study::parse_system("[lattice]\ntype = 'chain'\nsize = [8]\n[[exchange]]\nshell = 1\nJ = 1\n",
                          "failing"),
      Device::cuda(0));
  Reals nowhere;
  nowhere.wide = reinterpret_cast<double*>(0x100);
  spins::energy_kernels(system.device)
      .effective_field(system.device, system.model.view(1), system.state.reals(), nowhere);
  synchronise(system.device);
}

/// Runs the study in this process. Once a checkpoint exists, a kernel fails on the GPU.
[[noreturn]] void run_until_the_gpu_fails(const std::string& output) {
  const study::Study study = study::parse_study(long_study, "long.toml", ".");
  study::RunOptions options;
  options.output = output;
  options.checkpoint_every = 0.1;
  std::thread saboteur([&] {
    while (!fs::exists(study::checkpoint_path(output)))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    try {
      fail();
    } catch (const MachineError&) {
    }
  });
  int code = 0;
  try {
    study::run_study(study, options);
  } catch (const Error& error) {
    std::cerr << error.what() << std::endl;
    code = error.exit_code();
  }
  saboteur.join();
  std::exit(code);
}

TEST_F(GpuErrors, AFailedKernelEndsTheRunWithOneMessageAndTheCheckpointIsGood) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  // The parent and the child process use this path, and the child starts from the beginning.
  const std::string output = (fs::temp_directory_path() / "larmor-gpu-fails.h5").string();
  const std::string checkpoint = study::checkpoint_path(output);
  const auto remove = [&] {
    for (const std::string& file : {output, checkpoint, checkpoint + ".prev"}) fs::remove(file);
  };
  remove();
  EXPECT_EXIT(run_until_the_gpu_fails(output), testing::ExitedWithCode(3),
              "a kernel failed.*\n.*larmor resume");
  EXPECT_EQ(io::CheckpointReader(checkpoint).newest_problem(), "");
  study::RunOptions options;
  options.output = output;
  EXPECT_TRUE(study::resume_study(options).completed);
  remove();
}

TEST_F(GpuErrors, AProfileHasEveryKernelOnce) {
  const study::Study study = study::parse_study(
      "replicas = 8\n[device]\nbackend = 'cuda'\n[lattice]\ntype = 'square'\nsize = [32, 32]\n"
      "[[exchange]]\nshell = 1\nJ = 1\n"
      "[[stage]]\nkind = 'dynamics'\ntimestep = 0.02\nsteps = 100\ndamping = 0.1\n"
      "temperature = 0.5\nmeasure = [{ what = 'energy', every = 10 }]\n",
      "profiled.toml", folder_.string());
  study::RunOptions options;
  options.output = (folder_ / "profiled.h5").string();
  start_profile();
  study::run_study(study, options);
  const Profile profile = end_profile();
  std::map<std::string, Index> calls;
  double busy = 0;
  for (const ProfileRow& row : profile.launches) {
    calls[row.name] += row.calls;
    busy += row.seconds;
  }
  // Kernels that read tables and JIT kernels take equal numbers of steps and measurements.
  EXPECT_EQ(calls["DepondtPredictor"] + calls["DepondtPredictor (jit)"] +
                calls["DepondtPredictor, measuring (jit)"],
            100);
  EXPECT_EQ(calls["DepondtCorrector"] + calls["DepondtCorrector (jit)"], 100);
  EXPECT_EQ(calls["EnergyShare"] + calls["energy and magnetisation (jit)"] +
                calls["DepondtPredictor, measuring (jit)"],
            11);
  EXPECT_GT(busy, 0);
  EXPECT_LT(busy, profile.seconds);
}

}  // namespace larmor::gpu_errors_tests
