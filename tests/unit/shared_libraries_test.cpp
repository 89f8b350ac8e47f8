// Where libraries are found that are opened when first needed.
// Rooms: core

#include "larmor/core/shared_libraries.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "larmor/core/program_folder.hpp"

namespace larmor {
namespace {

namespace fs = std::filesystem;

class SharedLibraries : public ::testing::Test {
 protected:
  SharedLibraries()
      : root_(fs::temp_directory_path() / ("larmor-libraries-" + std::to_string(getpid()))) {}
  ~SharedLibraries() override { fs::remove_all(root_); }

  fs::path folder(const std::string& path) const {
    fs::create_directories(root_ / path);
    return root_ / path;
  }

  fs::path root_;
};

bool has(const std::vector<fs::path>& folders, const fs::path& folder) {
  return std::ranges::find(folders, folder) != folders.end();
}

TEST_F(SharedLibraries, CodeOfAProgramLiesInItsFolder) {
  EXPECT_EQ(code_folder(), program_folder());
}

TEST_F(SharedLibraries, OwnLibrariesLieInThePackageOrInAnInstallation) {
  EXPECT_TRUE(
      has(own_library_folders("/env/site-packages/larmor"), "/env/site-packages/larmor/_bin"));
  EXPECT_TRUE(
      has(own_library_folders("/env/site-packages/larmor/_bin"), "/env/site-packages/larmor/_bin"));
  EXPECT_TRUE(has(own_library_folders("/opt/larmor/bin"), "/opt/larmor/lib/larmor"));
}

TEST_F(SharedLibraries, CudaLiesInPackagesBesideThePythonPackage) {
  const fs::path of_cuda_13 = folder("nvidia/cu13/lib");
  const fs::path of_cuda_12 = folder("nvidia/cufft/lib");
  folder("nvidia/other");
  for (const fs::path& code : {folder("larmor"), folder("larmor/_bin")}) {
    const std::vector<fs::path> folders = cuda_folders(code);
    EXPECT_TRUE(has(folders, of_cuda_13)) << code;
    EXPECT_TRUE(has(folders, of_cuda_12)) << code;
    EXPECT_FALSE(has(folders, root_ / "nvidia/other/lib")) << code;
    EXPECT_EQ(folders.back(), "/usr/local/cuda/lib");
  }
}

TEST_F(SharedLibraries, ALibraryOfAPackageOpensBeforeThatOfTheSystem) {
  const std::vector<std::string> names{"libm.so.6"};
  EXPECT_NE(open_library(names, std::vector<fs::path>{folder("empty"), ""}), nullptr);
  EXPECT_EQ(open_library(names, std::vector<fs::path>{folder("empty")}), nullptr);
  // A damaged file does not hide the library of the system.
  std::ofstream(folder("damaged") / "libm.so.6") << "no library";
  EXPECT_EQ(open_library(names, std::vector<fs::path>{folder("damaged")}), nullptr);
  EXPECT_NE(open_library(names, std::vector<fs::path>{folder("damaged"), ""}), nullptr);
  EXPECT_EQ(open_library(std::vector<std::string>{""}, std::vector<fs::path>{""}), nullptr);
}

}  // namespace
}  // namespace larmor
