// The results store samples as they arrive, and give them back unchanged.
// Rooms: study

#include "larmor/study/measurements/stored_samples.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "larmor/core/error.hpp"

namespace {

using namespace larmor;
using namespace larmor::study;
namespace fs = std::filesystem;

constexpr Index replicas = 2;

class SamplesOfAStage : public testing::Test {
 protected:
  SamplesOfAStage() {
    std::string pattern = (fs::temp_directory_path() / "larmor-samples-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    file_.emplace(io::ResultsFile::create((folder_ / "run.h5").string(), io::IfExists::refuse));
    begin(samples_);
  }
  ~SamplesOfAStage() override { fs::remove_all(folder_); }

  void begin(StoredSamples& samples) const {
    samples.begin({{"number", "J"}, {"vector", "", 3}, {"ratio", "", 2, true}}, ranks_, "ps");
  }
  ResultsGroup results() { return {&*file_, "/stages/01-test"}; }

  /// Takes samples first, .., last and records them in `taken_`.
  void take(StoredSamples& samples, Index first, Index last) {
    for (Index n = first; n <= last; ++n) {
      samples.announce(static_cast<double>(n), 0.5 * static_cast<double>(n));
      for (std::size_t c = 0; c < width.size(); ++c) {
        std::vector<double> values;
        for (Index i = 0; i < replicas * width[c]; ++i)
          values.push_back(std::sin(static_cast<double>(100 * n + 10 * i) + 0.1 * double(c)));
        samples.add(c, values.data(), values.size());
        taken_[c].insert(taken_[c].end(), values.begin(), values.end());
      }
    }
  }
  void forget() { taken_.assign(width.size(), {}); }
  void expect_all(const StoredSamples& samples) {
    for (std::size_t c = 0; c < width.size(); ++c)
      EXPECT_EQ(samples.all(c, results()), taken_[c]) << c;
  }

  const std::vector<Index> width{1, 3, 2};
  Ranks ranks_{replicas};
  fs::path folder_;
  std::optional<io::ResultsFile> file_;
  StoredSamples samples_;
  std::vector<std::vector<double>> taken_{3};
};

TEST_F(SamplesOfAStage, AreAllThereWhetherMemoryHasThemOrNot) {
  ResultsGroup group = results();
  take(samples_, 1, 5);
  samples_.store(0, group);
  expect_all(samples_);
  samples_.free_stored();
  EXPECT_EQ(samples_.bytes(), 0);
  expect_all(samples_);
  take(samples_, 6, 8);
  samples_.store(0, group);
  samples_.store(0, group);
  expect_all(samples_);
}

TEST_F(SamplesOfAStage, OfAPointAreNotThoseOfThePointBefore) {
  ResultsGroup group = results();
  take(samples_, 1, 4);
  samples_.store(0, group);
  samples_.free_stored();
  samples_.clear();
  forget();
  take(samples_, 1, 2);
  samples_.store(1, group);
  samples_.free_stored();
  take(samples_, 3, 4);
  samples_.store(1, group);
  expect_all(samples_);
  EXPECT_EQ(group.rows("series/number/value"), 8);
  EXPECT_EQ(group.read_rows("series/number/point", 3, 3), (std::vector<double>{0, 1, 1}));
}

TEST_F(SamplesOfAStage, GoOnFromACheckpointOfBoundedSize) {
  ResultsGroup group = results();
  take(samples_, 1, 700);
  samples_.store(std::nullopt, group);
  StageMemory memory;
  samples_.save(memory);
  EXPECT_TRUE(memory.numbers.empty());
  EXPECT_EQ(memory.integers.at("stored"), std::vector<Index>{700});
  StoredSamples resumed;
  begin(resumed);
  resumed.load(memory);
  expect_all(resumed);
  take(resumed, 701, 702);
  resumed.store(std::nullopt, group);
  expect_all(resumed);
  EXPECT_EQ(group.rows("series/vector/time"), 702);
}

TEST_F(SamplesOfAStage, AreStoredBeforeTheyAreSaved) {
  take(samples_, 1, 1);
  StageMemory memory;
  EXPECT_THROW(samples_.save(memory), InternalError);
}

TEST_F(SamplesOfAStage, OfRatiosHaveTheirPartsBesideThem) {
  ResultsGroup group = results();
  take(samples_, 1, 3);
  samples_.store(0, group);
  const std::vector<double> parts = group.read_rows("series/ratio/parts", 0, 3);
  const std::vector<double> values = group.read_rows("series/ratio/value", 0, 3);
  ASSERT_EQ(std::ssize(values), 3 * replicas);
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ(values[i], parts[2 * i] / parts[2 * i + 1]);
}

TEST_F(SamplesOfAStage, AreCountedWithThoseThatAreToCome) {
  samples_.announce(1, 1);
  EXPECT_EQ(samples_.bytes(), 8 * (2 + replicas * (1 + 3 + 2)));
}

}  // namespace
