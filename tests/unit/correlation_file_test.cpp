// The file that `larmor bench correlations` writes.
// Rooms: correlations

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "bench/correlations.hpp"
#include "larmor/core/error.hpp"

namespace larmor::bench {
namespace {

/// The text without white space.
std::string written(const CorrelationsMeasured& measured) {
  const std::string path = testing::TempDir() + "larmor-correlation-file-test.json";
  write_correlations(measured, path);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  std::string line;
  for (std::string word; text >> word;) line += (line.empty() ? "" : " ") + word;
  return line;
}

TEST(CorrelationFile, HoldsAmplitudesAndWhyWaysWereLeftOut) {
  LatticeOfPairs lattice;
  lattice.length = 100;
  lattice.step_seconds = 0.5;
  lattice.methods.push_back({"fused", 0.25, 1e-15, {{"GEMM", 0.125}, {"inner product", 0.0625}}});
  lattice.left_out.emplace_back("baseline", "no room for \"C\"");
  lattice.equal_times.push_back({"double", 0.125, 1e-15, {}});
  lattice.factorised.push_back({300, 2, 64});
  lattice.amplitudes.push_back({"square 100^2 x 1", {{1, 0.25, 0.5, false}, {300, 4, 0.5, true}}});
  lattice.amplitudes.push_back({"sc 22^3 x 50", {{1, 8, 16, false}}});
  lattice.of_ranks[1] = 0.25;
  EXPECT_EQ(
      written({"a \"GPU\"", 50, 6e13, 4e12, {lattice}}),
      R"({"format": "larmor-bench-correlations", "device": "a \"GPU\"", "configurations": 50, )"
      R"("gemm_rate": 60000000000000, "copy_bandwidth": 4000000000000, )"
      R"("lattices": [{"length": 100, "step_seconds": 0.5, "gemm_seconds": 0, )"
      R"("ways": [{"name": "fused", "seconds": 0.25, "error": 1e-15, )"
      R"("parts": {"GEMM": 0.125, "inner product": 0.0625}}], )"
      R"("left_out": [{"name": "baseline", "reason": "no room for \"C\""}], )"
      R"("precisions": [], )"
      R"("equal_times": [{"name": "double", "seconds": 0.125, "error": 1e-15, "parts": {}}], )"
      R"("factorised": [{"wave_vectors": 300, "seconds": 2, "bytes": 64}], )"
      R"("amplitudes": [{"lattice": "square 100^2 x 1", )"
      R"("measured": [{"wave_vectors": 1, "factorised": 0.25, "fft": 0.5, )"
      R"("auto": "factorised"}, )"
      R"({"wave_vectors": 300, "factorised": 4, "fft": 0.5, "auto": "fft"}]}, )"
      R"({"lattice": "sc 22^3 x 50", )"
      R"("measured": [{"wave_vectors": 1, "factorised": 8, "fft": 16, "auto": "factorised"}]}], )"
      R"("of_ranks": {"1": 0.25}}]})");
}

TEST(CorrelationFile, ThatCannotBeWrittenIsTold) {
  EXPECT_THROW(write_correlations({}, testing::TempDir() + "no such folder/file.json"), InputError);
}

}  // namespace
}  // namespace larmor::bench
