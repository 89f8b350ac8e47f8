// The GPUs for which a build has kernels, from the list of architectures of its compilation.
// Rooms: core

#include "larmor/core/device/gpu_architecture.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/error.hpp"

namespace larmor {
namespace {

constexpr GpuArchitecture turing{7, 5}, a100{8, 0}, ampere{8, 6}, ada{8, 9}, hopper{9, 0},
    b200{10, 0}, b300{10, 3}, blackwell{12, 0};

/// Those compute capabilities of the list above that run kernels compiled for `list`.
std::vector<int> run_on(const char* list) {
  std::vector<int> numbers;
  for (const GpuArchitecture gpu : {turing, a100, ampere, ada, hopper, b200, b300, blackwell})
    if (runs_on(list, gpu)) numbers.push_back(gpu.number());
  return numbers;
}

TEST(GpuArchitecture, PtxRunsOnEveryLaterGpu) {
  EXPECT_EQ(run_on("75-virtual"), (std::vector<int>{75, 80, 86, 89, 90, 100, 103, 120}));
  EXPECT_EQ(run_on("86-virtual"), (std::vector<int>{86, 89, 90, 100, 103, 120}));
  EXPECT_EQ(run_on("90"), (std::vector<int>{90, 100, 103, 120}));
  EXPECT_EQ(run_on("75-virtual;80-virtual;90"),
            (std::vector<int>{75, 80, 86, 89, 90, 100, 103, 120}));
}

TEST(GpuArchitecture, MachineCodeRunsOnLaterGpusOfTheSameMajorNumber) {
  EXPECT_EQ(run_on("75-real"), (std::vector<int>{75}));
  EXPECT_EQ(run_on("80-real"), (std::vector<int>{80, 86, 89}));
  EXPECT_EQ(run_on("86-real"), (std::vector<int>{86, 89}));
  EXPECT_EQ(run_on("90-real"), (std::vector<int>{90}));
  EXPECT_EQ(run_on("100-real"), (std::vector<int>{100, 103}));
  EXPECT_EQ(run_on("75-real;90-real;120-real"), (std::vector<int>{75, 90, 120}));
}

TEST(GpuArchitecture, CodeOfOneGpuOrFamilyRunsThereAlone) {
  EXPECT_EQ(run_on("90a"), (std::vector<int>{90}));
  EXPECT_EQ(run_on("100a-real"), (std::vector<int>{100}));
  EXPECT_EQ(run_on("100f"), (std::vector<int>{100, 103}));
}

TEST(GpuArchitecture, NoListIsForNoGpu) { EXPECT_EQ(run_on(""), std::vector<int>{}); }

TEST(GpuArchitecture, ListsAreToldInCapabilities) {
  EXPECT_EQ(capabilities_text("90"), "9.0 and newer");
  EXPECT_EQ(capabilities_text("90-real;75-virtual;80-virtual"), "7.5 and newer");
  EXPECT_EQ(capabilities_text("90a"), "9.0 only");
  EXPECT_EQ(capabilities_text("80-real;90-real"), "8.x and 9.x only");
  EXPECT_EQ(capabilities_text("75-real;86-real;90-real"), "7.5 to 7.9, 8.6 to 8.9 and 9.x only");
  EXPECT_EQ(capabilities_text("75-real;90"), "7.5 to 7.9, 9.0 and newer");
}

TEST(GpuArchitecture, WhatIsMissingIsTold) {
  const std::string text = no_kernels_text("90a", ampere);
  EXPECT_EQ(text.rfind("this build has kernels for compute capability 9.0 only, and this GPU has "
                       "8.6; ",
                       0),
            0u)
      << text;
}

TEST(GpuArchitecture, RefusesWhatIsNone) {
  EXPECT_THROW(runs_on("native", hopper), InternalError);
  EXPECT_THROW(runs_on(";", hopper), InternalError);
}

TEST(GpuArchitecture, ThisBuildSaysForWhichItIs) {
  EXPECT_EQ(kernel_architectures().empty(), !built_with_cuda());
  EXPECT_NO_THROW(capabilities_text(kernel_architectures()));
}

TEST(GpuArchitecture, CompilersMakePtxForGpusThatTheyDoNotKnow) {
  const std::vector<int> cuda_12_4{50, 52, 60, 61, 70, 75, 80, 86, 89, 90},
      cuda_13{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
  EXPECT_EQ(code_to_make(cuda_13, turing), "sm_75");
  EXPECT_EQ(code_to_make(cuda_13, hopper), "sm_90");
  EXPECT_EQ(code_to_make(cuda_13, blackwell), "sm_120");
  EXPECT_EQ(code_to_make(cuda_12_4, b200), "compute_90");
  EXPECT_EQ(code_to_make(cuda_12_4, blackwell), "compute_90");
  EXPECT_EQ(code_to_make(cuda_13, {7, 0}), "");
  EXPECT_EQ(code_to_make({}, hopper), "");
}

}  // namespace
}  // namespace larmor
