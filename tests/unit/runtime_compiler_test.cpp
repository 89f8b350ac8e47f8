// Rooms: core
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "larmor/core/device/jit_compiler.hpp"
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

TEST_F(KernelCache, IsForTheUserAlone) {
  const mode_t before = umask(0);
  get("a");
  umask(before);
  struct stat found = {};
  ASSERT_EQ(stat(directory_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777u, 0700u);
  ASSERT_EQ(stat(only_file().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777u, 0600u);
}

TEST_F(KernelCache, ReadsNoFileThatOthersCanWrite) {
  get("a");
  for (const mode_t mode : {0620u, 0602u}) {
    ASSERT_EQ(chmod(only_file().c_str(), mode), 0);
    made_ = 0;
    get("a");
    EXPECT_EQ(made_, 1) << std::oct << mode;
    get("a");
    EXPECT_EQ(made_, 1) << "the file made anew is read";
  }
}

TEST_F(KernelCache, ReadsNothingInAFolderThatOthersCanWrite) {
  get("a");
  const auto path = only_file();
  const auto written = std::filesystem::last_write_time(path);
  for (const mode_t mode : {0720u, 0702u}) {
    ASSERT_EQ(chmod(directory_.c_str(), mode), 0);
    made_ = 0;
    get("a");
    get("b");
    EXPECT_EQ(made_, 2) << std::oct << mode;
    EXPECT_EQ(only_file(), path) << "nothing is kept there";
    EXPECT_EQ(std::filesystem::last_write_time(path), written);
  }
  ASSERT_EQ(chmod(directory_.c_str(), 0700), 0);
}

TEST_F(KernelCache, FollowsNoLinks) {
  get("a");
  const auto path = only_file();
  const std::filesystem::path elsewhere = directory_.string() + "-elsewhere";
  std::filesystem::rename(path, elsewhere);
  std::filesystem::create_symlink(elsewhere, path);
  const auto size = std::filesystem::file_size(elsewhere);
  get("a");
  EXPECT_EQ(made_, 2);
  EXPECT_TRUE(std::filesystem::is_symlink(path)) << "the cache keeps files of others";
  EXPECT_EQ(std::filesystem::file_size(elsewhere), size);
  std::filesystem::remove(path);
  std::filesystem::rename(elsewhere, path);
  std::filesystem::rename(directory_, elsewhere);
  std::filesystem::create_directory_symlink(elsewhere, directory_);
  get("a");
  EXPECT_EQ(made_, 3);
  std::filesystem::remove(directory_);
  std::filesystem::remove_all(elsewhere);
}

TEST_F(KernelCache, TakesPipesAndFoldersForNoFiles) {
  get("a");
  const auto path = only_file();
  std::filesystem::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  get("a");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  get("a");
  EXPECT_TRUE(std::filesystem::is_directory(path));
  EXPECT_EQ(made_, 3);
}

TEST_F(KernelCache, LeavesFilesOfOthersAlone) {
  if (geteuid() != 0) GTEST_SKIP() << "only root makes files of others";
  constexpr uid_t other = 65534;
  get("a");
  const auto path = only_file();
  ASSERT_EQ(chown(path.c_str(), other, other), 0);
  get("a");
  get("a");
  EXPECT_EQ(made_, 3);
  struct stat found = {};
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_uid, other);
  ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
  ASSERT_EQ(chown(directory_.c_str(), other, other), 0);
  get("a");
  EXPECT_EQ(made_, 4);
}

TEST_F(KernelCache, IsMadeWithTheFoldersAboveIt) {
  const std::optional<std::filesystem::path> deep = directory_ / "cache" / "larmor";
  const auto make = [&] { return ++made_, std::string("x"); };
  cached(deep, "a", make);
  cached(deep, "a", make);
  EXPECT_EQ(made_, 1);
}

TEST_F(KernelCache, GoesOnAfterAProcessThatDidNotFinish) {
  get("a");
  const auto path = only_file();
  std::filesystem::rename(path, path.string() + "." + std::to_string(getpid()));
  get("a");
  get("a");
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(only_file(), path);
}

TEST(RuntimeCompiler, SaysWhatDoesNotCompile) {
  if (runtime_compiler_missing()) GTEST_SKIP() << "no NVRTC here";
  try {
    compile_for_gpu("__global__ void broken() { this is not a statement; }", {9, 0});
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
