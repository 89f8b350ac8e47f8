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

  std::string path_of(const std::string& name) const { return (folder_ / name).string(); }

  /// @param keys keys of the study that precede its tables
  study::Study study_of(const std::string& keys, const std::string& tables) const {
    const std::string backend = environment("LARMOR_TEST_BACKEND") == "cuda" ? "cuda" : "cpu";
    return study::parse_study(keys + "[device]\nbackend='" + backend + "'\n" + tables, "study.toml",
                              folder_.string());
  }

  /// Runs a study.
  io::ResultsReader results_of(const study::Study& study) const {
    study::RunOptions options;
    options.output = path_of("results.h5");
    options.force = true;
    study::run_study(study, options);
    return io::ResultsReader(options.output);
  }
  io::ResultsReader results_of(const std::string& keys, const std::string& tables) const {
    return results_of(study_of(keys, tables));
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace larmor::testing_support
