#pragma once
// The base of tests that run a whole study and read its results.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "larmor/io/results/results_reader.hpp"
#include "larmor/study/run/run.hpp"
#include "test_system.hpp"

namespace larmor::testing_support {

class StudyTest : public testing::Test {
 protected:
  StudyTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "larmor-study-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~StudyTest() override { std::filesystem::remove_all(folder_); }

  /// Writes a file that a study may name.
  void write_file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }

  /// Runs a study. @param keys keys of the study that precede its tables
  io::ResultsReader results_of(const std::string& keys, const std::string& tables) const {
    const std::string backend = environment("LARMOR_TEST_BACKEND") == "cuda" ? "cuda" : "cpu";
    const study::Study study = study::parse_study(
        keys + "[device]\nbackend='" + backend + "'\n" + tables, "study.toml", folder_.string());
    study::RunOptions options;
    options.output = (folder_ / "results.h5").string();
    options.force = true;
    study::run_study(study, options);
    return io::ResultsReader(options.output);
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace larmor::testing_support
