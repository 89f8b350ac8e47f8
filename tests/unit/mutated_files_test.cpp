// Readers of files with mutated files. `make fuzz` does the same for longer, guided by coverage.
// Rooms: io, fitting

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/mutations.hpp"
#include "tests/fuzz/readers.hpp"

namespace larmor::fuzzing {
namespace {

constexpr std::size_t most_bytes = 20000;

struct Seed {
  std::string name, text;
  /// Names of files that a reader must refuse begin so.
  bool is_wrong() const { return name.starts_with("wrong"); }
};

std::vector<Seed> seeds_of(const Reader& reader) {
  std::vector<Seed> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(corpus_of(reader))) {
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    seeds.push_back({entry.path().filename().string(), text.str()});
  }
  std::ranges::sort(seeds, {}, &Seed::name);
  return seeds;
}

std::string test_name(const testing::TestParamInfo<Reader>& tested) {
  std::string name = tested.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

class MutatedFiles : public testing::TestWithParam<Reader> {};

TEST_P(MutatedFiles, SeedsAreAcceptedAndWrongFilesRefused) {
  const Trial trial(GetParam());
  const std::vector<Seed> seeds = seeds_of(GetParam());
  EXPECT_FALSE(seeds.empty() || seeds.front().is_wrong());
  for (const Seed& seed : seeds) {
    const Trial::Outcome outcome = trial.of(seed.text);
    const Trial::End wanted = seed.is_wrong() ? Trial::End::refused : Trial::End::accepted;
    EXPECT_EQ(outcome.end, wanted) << seed.name << ": " << outcome.words;
  }
}

TEST_P(MutatedFiles, AreAcceptedOrRefusedWithPlaceAndRemedy) {
  constexpr std::uint64_t mutations = 100;
  const Trial trial(GetParam());
  std::uint64_t refused = 0, tried = 0;
  for (const Seed& seed : seeds_of(GetParam()))
    for (std::uint64_t n = 0; n < mutations; ++n, ++tried) {
      const std::string text = mutated(seed.text, n, most_bytes);
      const Trial::Outcome outcome = trial.of(text);
      ASSERT_NE(outcome.end, Trial::End::defect)
          << seed.name << ", mutation " << n << ": " << outcome.words << "\n"
          << text;
      if (outcome.end == Trial::End::refused) ++refused;
    }
  // Mutations that change nothing, or are all refused at once, would test little.
  EXPECT_GT(refused, tried / 20);
  EXPECT_LT(refused, tried);
}

INSTANTIATE_TEST_SUITE_P(Readers, MutatedFiles, testing::ValuesIn(readers()), test_name);

TEST(Mutations, FollowFromTheirSeed) {
  const std::string text = "a = 1 # one\n[b]\nc = \"2 meV\"\n";
  std::size_t changed = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string once = mutated(text, seed, 200);
    EXPECT_EQ(once, mutated(text, seed, 200));
    EXPECT_LE(once.size(), 200U);
    if (once != text) ++changed;
  }
  EXPECT_GT(changed, 900U);
  EXPECT_EQ(mutated("", 5, 10), mutated("", 5, 10));
}

}  // namespace
}  // namespace larmor::fuzzing
