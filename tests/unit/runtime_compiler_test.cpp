#include "larmor/core/device/runtime_compiler.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "larmor/core/error.hpp"

namespace larmor {
namespace {

class KernelCache : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() /
                 ("larmor-kernel-cache-" + std::to_string(getpid()));
    std::filesystem::remove_all(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string get(const std::string& key) {
    return cached(directory_, key, [&] {
      ++made_;
      return "code of " + key + std::string("\0\n", 2);
    });
  }
  std::filesystem::path only_file() const {
    return std::filesystem::directory_iterator(directory_)->path();
  }

  std::filesystem::path directory_;
  int made_ = 0;
};

TEST_F(KernelCache, MakesEachKeyOnce) {
  EXPECT_EQ(get("a"), "code of a" + std::string("\0\n", 2));
  EXPECT_EQ(get("a"), "code of a" + std::string("\0\n", 2));
  EXPECT_EQ(made_, 1);
  get("b");
  EXPECT_EQ(made_, 2);
}

TEST_F(KernelCache, MakesDamagedFilesAnew) {
  get("a");
  const auto path = only_file();
  const auto size = std::filesystem::file_size(path);
  std::filesystem::resize_file(path, size - 1);
  EXPECT_EQ(get("a"), "code of a" + std::string("\0\n", 2));
  EXPECT_EQ(made_, 2);
  std::ofstream(path) << "something else";
  get("a");
  EXPECT_EQ(made_, 3);
  get("a");
  EXPECT_EQ(made_, 3);
}

TEST_F(KernelCache, TellsKeysOfOneFileApart) {
  get("a");
  const auto path = only_file();
  get("b");
  for (const auto& entry : std::filesystem::directory_iterator(directory_))
    if (entry.path() != path)
      std::filesystem::copy_file(path, entry.path(),
                                 std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(get("b"), "code of b" + std::string("\0\n", 2));
  EXPECT_EQ(made_, 3);
}

TEST_F(KernelCache, DoesWithoutADirectory) {
  std::ofstream(directory_.string()) << "a file where the directory should be";
  EXPECT_EQ(get("a"), "code of a" + std::string("\0\n", 2));
  EXPECT_EQ(get("a"), "code of a" + std::string("\0\n", 2));
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(cached(std::nullopt, "a", [] { return std::string("x"); }), "x");
}

TEST(RuntimeCompiler, SaysWhatDoesNotCompile) {
  if (runtime_compiler_missing()) GTEST_SKIP() << "no NVRTC here";
  try {
    compile_for_gpu("__global__ void broken() { this is no statement; }", {9, 0});
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("kernel.cu(1)"), std::string::npos) << error.what();
  }
}

constexpr const char* some_kernel = "extern \"C\" __global__ void one(float* x) { *x = 1; }";

TEST(RuntimeCompiler, MakesMachineCodeForGpusThatItKnowsAndPtxForLaterOnes) {
  if (runtime_compiler_missing()) GTEST_SKIP() << "no NVRTC here";
  for (const GpuArchitecture gpu : {GpuArchitecture{7, 5}, {8, 0}, {8, 6}, {9, 0}}) {
    EXPECT_EQ(runtime_code(gpu), "sm_" + std::to_string(gpu.number()));
    EXPECT_EQ(compile_for_gpu(some_kernel, gpu).substr(1, 3), "ELF");
  }
  const GpuArchitecture later{99, 0};
  EXPECT_FALSE(runtime_compiler_missing(later));
  EXPECT_EQ(runtime_code(later).rfind("compute_", 0), 0u) << runtime_code(later);
  const std::string ptx = compile_for_gpu(some_kernel, later);
  EXPECT_NE(ptx.find(".entry one"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.back(), '\0') << "the driver reads to the end of the text";
}

TEST(RuntimeCompiler, SaysThatItKnowsNoGpuSoOld) {
  if (runtime_compiler_missing()) GTEST_SKIP() << "no NVRTC here";
  const GpuArchitecture old{2, 0};
  ASSERT_TRUE(runtime_compiler_missing(old));
  EXPECT_NE(runtime_compiler_missing(old)->find("compute capability 2.0"), std::string::npos);
  EXPECT_THROW(compile_for_gpu(some_kernel, old), MachineError);
}

}  // namespace
}  // namespace larmor
