// Rooms: io
#include "larmor/io/results/checkpoint.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "larmor/core/error.hpp"

namespace {

using namespace larmor;
using namespace larmor::io;
namespace fs = std::filesystem;

constexpr std::uint64_t own_run = 9;
constexpr std::uint64_t other_run = 10;

class CheckpointTest : public testing::Test {
 protected:
  CheckpointTest() {
    std::string pattern = (fs::temp_directory_path() / "larmor-checkpoint-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = (folder_ / "run.h5.ckpt").string();
  }
  ~CheckpointTest() override { fs::remove_all(folder_); }

  void write(double value, std::size_t count = 3) const {
    CheckpointWriter writer(path_, {"0.1.0", 42, checksum("study"), "", own_run, 0});
    writer.add("spins", std::vector<double>(count, value));
    writer.commit();
  }
  /// Never returns; an error ends the process.
  void write_without_end() const noexcept {
    for (double n = 1;; ++n) write(n, 20000);
  }
  double read() const { return CheckpointReader(path_).doubles("spins").at(0); }
  std::size_t file_count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
  std::string path_;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void set_contents(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The bytes with a matching checksum in place of the last eight.
std::string with_checksum(std::string bytes) {
  const std::uint64_t sum = checksum(std::string_view(bytes).substr(0, bytes.size() - 8));
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
  return bytes;
}

TEST(Checksum, HasThePublishedCheckValueHoweverCut) {
  const std::string digits = "123456789";
  EXPECT_EQ(checksum(digits), 0x995DC9BBDF1939FAull);
  for (std::size_t cut = 0; cut <= digits.size(); ++cut) {
    Checksum sum;
    sum.add(std::as_bytes(std::span(digits)).first(cut));
    sum.add(std::as_bytes(std::span(digits)).subspan(cut));
    EXPECT_EQ(sum.value(), 0x995DC9BBDF1939FAull);
  }
}

TEST(CheckpointPath, LiesBesideTheResults) {
  EXPECT_EQ(checkpoint_path("results.h5"), "results.h5.ckpt");
  EXPECT_EQ(checkpoint_path("/a.h5/run.hdf5"), "/a.h5/run.hdf5.ckpt");
  EXPECT_EQ(checkpoint_path("run.v2"), "run.v2.ckpt");
}

TEST_F(CheckpointTest, LiesBesideTheFileThatALinkNames) {
  const fs::path file = folder_ / "real.h5", link = folder_ / "link.h5";
  std::ofstream(file) << "results";
  fs::create_symlink("real.h5", link);
  EXPECT_EQ(checkpoint_path(link.string()), fs::canonical(file).string() + ".ckpt");
}

TEST_F(CheckpointTest, EveryTypeComesBackBitForBit) {
  const std::vector<double> numbers{0.1, -0.0, 1e-310, HUGE_VAL};
  const std::vector<std::byte> bytes{std::byte{0}, std::byte{255}};
  const std::vector<std::string> texts{"", "/stages/01-anneal/series/energy/value", "Γ"};
  std::vector<double> large(300000);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = 1.0 / static_cast<double>(i + 1);
  {
    CheckpointWriter writer(path_, {"0.1.0", ~0ull, 7, "abc123", ~1ull, 5});
    writer.add("numbers", numbers);
    writer.add("integers", std::vector<std::int64_t>{-1, 1ll << 62});
    writer.add("steps", std::vector<std::uint64_t>{~0ull});
    writer.add("bytes", bytes);
    writer.add("text", std::string("a\0b", 3));
    writer.add("texts", texts);
    writer.add("large", large);
    writer.add("none", std::vector<double>{});
    EXPECT_THROW(writer.add("none", std::vector<double>{}), InternalError);
    writer.commit();
  }
  const CheckpointReader reader(path_);
  EXPECT_EQ(reader.header().version, "0.1.0");
  EXPECT_EQ(reader.header().seed, ~0ull);
  EXPECT_EQ(reader.header().study_hash, 7u);
  EXPECT_EQ(reader.header().commit, "abc123");
  EXPECT_EQ(reader.header().run, ~1ull);
  EXPECT_EQ(reader.header().layout, 5u);
  EXPECT_EQ(reader.newest_problem(), "");
  const std::vector<double> back = reader.doubles("numbers");
  ASSERT_EQ(back.size(), numbers.size());
  EXPECT_EQ(std::memcmp(back.data(), numbers.data(), numbers.size() * sizeof(double)), 0);
  EXPECT_EQ(reader.integers("integers"), (std::vector<std::int64_t>{-1, 1ll << 62}));
  EXPECT_EQ(reader.unsigned_integers("steps"), (std::vector<std::uint64_t>{~0ull}));
  EXPECT_EQ(reader.bytes("bytes"), bytes);
  EXPECT_EQ(reader.text("text"), std::string("a\0b", 3));
  EXPECT_EQ(reader.texts("texts"), texts);
  EXPECT_EQ(reader.doubles("large"), large);
  EXPECT_TRUE(reader.doubles("none").empty());
  std::vector<double> memory(large.size());
  reader.read_into("large", memory);
  EXPECT_EQ(memory, large);
  EXPECT_THROW(reader.read_into("numbers", memory), MachineError);
  EXPECT_THROW(reader.doubles("steps"), MachineError);
  EXPECT_THROW(reader.doubles("absent"), MachineError);
  EXPECT_FALSE(reader.contains("absent"));
  EXPECT_EQ(reader.names().size(), 8u);
}

TEST_F(CheckpointTest, WithoutCommitNothingHappens) {
  {
    CheckpointWriter writer(path_, {"0.1.0", 1, 2, "", own_run, 0});
    writer.add("spins", std::vector<double>{1});
  }
  EXPECT_EQ(file_count(), 0u);
  EXPECT_THROW(CheckpointReader reader(path_), InputError);
}

TEST_F(CheckpointTest, ThePreviousOneIsKept) {
  write(1);
  write(2);
  write(3);
  EXPECT_EQ(read(), 3);
  EXPECT_EQ(file_count(), 2u);
  fs::remove(path_);  // the state of a process that is killed between its two renames
  const CheckpointReader reader(path_);
  EXPECT_EQ(reader.doubles("spins").at(0), 2);
  EXPECT_NE(reader.newest_problem(), "");
  remove_checkpoints(path_, own_run);
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(CheckpointTest, AnyFlippedByteOrLostEndFallsBackToThePrevious) {
  write(1);
  write(2);
  const std::string whole = contents(path_);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string broken = whole;
    broken[i] = static_cast<char>(broken[i] ^ 0x10);
    set_contents(path_, broken);
    ASSERT_EQ(read(), 1) << "byte " << i;
    set_contents(path_, whole.substr(0, i));
    ASSERT_EQ(read(), 1) << "length " << i;
  }
  set_contents(path_ + ".prev", "short");
  try {
    CheckpointReader reader(path_);
    ADD_FAILURE() << "damage not noticed";
  } catch (const MachineError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(path_ + "'"), std::string::npos);
    EXPECT_NE(message.find(path_ + ".prev'"), std::string::npos);
  }
}

TEST_F(CheckpointTest, ADamagedNewestDoesNotPushOutThePrevious) {
  write(1);
  write(2);
  set_contents(path_, contents(path_).substr(0, 40));
  write(3);
  EXPECT_EQ(read(), 3);
  fs::remove(path_);
  EXPECT_EQ(read(), 1);
}

TEST_F(CheckpointTest, OneThatIsBlankIsOfTheRunThatWroteTheOneBefore) {
  for (const std::string& blank : {std::string(), std::string(3000000, '\0')}) {
    write(1);
    write(2);
    set_contents(path_, blank);
    EXPECT_NO_THROW(require_checkpoints_of(path_, own_run));
    EXPECT_THROW(require_checkpoints_of(path_, other_run), InputError);
    EXPECT_EQ(read(), 1);
    remove_checkpoints(path_, own_run);
    EXPECT_EQ(file_count(), 0u);
    set_contents(path_, blank);
    EXPECT_THROW(require_checkpoints_of(path_, own_run), InputError);
    fs::remove(path_);
  }
}

TEST_F(CheckpointTest, OneOfAnotherFormatIsReadToSaySo) {
  write(1);
  std::string other = contents(path_);
  other[8] = 2;
  set_contents(path_, other);
  EXPECT_NO_THROW(require_checkpoints_of(path_, own_run));
  EXPECT_THROW(CheckpointReader{path_}, MachineError);  // the checksum is also wrong
}

TEST_F(CheckpointTest, FilesThatAnotherHasWrittenStay) {
  for (const std::string& place : {path_, path_ + ".prev"}) {
    write(1);
    write(2);
    set_contents(place, "my neural network");
    EXPECT_FALSE(is_checkpoint(place));
    EXPECT_THROW(write(3), MachineError);
    EXPECT_THROW(require_no_checkpoints(path_, own_run), InputError);
    EXPECT_THROW(require_checkpoints_of(path_, own_run), InputError);
    remove_checkpoints(path_, own_run);
    EXPECT_EQ(contents(place), "my neural network");
    EXPECT_EQ(file_count(), 1u);
    fs::remove(place);
  }
  // Neither a link nor a folder counts as a checkpoint, whatever the link points to.
  write(1);
  fs::rename(path_, folder_ / "elsewhere");
  fs::create_symlink("elsewhere", path_);
  fs::create_directory(path_ + ".prev");
  EXPECT_THROW(write(2), MachineError);
  EXPECT_THROW(require_no_checkpoints(path_, own_run), InputError);
  remove_checkpoints(path_, own_run);
  EXPECT_EQ(file_count(), 3u);
}

TEST_F(CheckpointTest, OneOfAnotherRunStaysUnlessItIsToBeReplaced) {
  {
    CheckpointWriter writer(path_, {"0.1.0", 42, checksum("study"), "", other_run, 0});
    writer.commit();
  }
  EXPECT_THROW(write(1), MachineError);
  EXPECT_THROW(require_checkpoints_of(path_, own_run), InputError);
  EXPECT_NO_THROW(require_checkpoints_of(path_, other_run));
  EXPECT_THROW(require_no_checkpoints(path_, std::nullopt), InputError);
  EXPECT_THROW(require_no_checkpoints(path_, own_run), InputError);
  EXPECT_NO_THROW(require_no_checkpoints(path_, other_run));
  remove_checkpoints(path_, own_run);
  EXPECT_TRUE(is_checkpoint(path_));
  remove_checkpoints(path_, other_run);
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(CheckpointTest, WrongSizesUnderARightChecksumAreErrorsNotCrashes) {
  write(1);
  const std::string whole = contents(path_);
  for (std::size_t at = 8; at + 16 <= whole.size(); ++at) {
    for (const std::uint64_t size : {~0ull, 1ull << 62, 1ull << 40, 0ull, 5ull}) {
      std::string hostile = whole;
      std::memcpy(hostile.data() + at, &size, sizeof(size));
      set_contents(path_, with_checksum(hostile));
      try {
        const CheckpointReader reader(path_);
        for (const auto& name : reader.names()) reader.contains(name);
        if (reader.contains("spins")) reader.doubles("spins");
      } catch (const Error&) {
        SUCCEED();
      }
    }
  }
  std::string newer = whole;
  ++newer[8];
  set_contents(path_, with_checksum(newer));
  EXPECT_THROW(CheckpointReader reader(path_), InputError);
}

TEST_F(CheckpointTest, AFullDiskLeavesTheOldOnes) {
  write(1);
  write(2);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  for (const rlim_t limit : {rlim_t{10}, rlim_t{100000}, rlim_t{4000000}}) {
    const rlimit full_disk{limit, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &full_disk);
    std::string message;
    try {
      write(3, 500000);
    } catch (const MachineError& error) {
      message = error.what();
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_NE(message.find(path_ + "'"), std::string::npos) << message;
    EXPECT_NE(message.find("needed"), std::string::npos) << message;
    EXPECT_EQ(read(), 2);
    EXPECT_EQ(file_count(), 2u);
  }
  ::signal(SIGXFSZ, handler);
}

TEST_F(CheckpointTest, AKilledWriterLeavesAWholeCheckpoint) {
  for (int round = 0; round < 5; ++round) {
    const pid_t child = ::fork();
    if (child == 0) write_without_end();
    for (int wait = 0; wait < 50000 && !fs::exists(path_); ++wait) ::usleep(200);
    ::usleep(static_cast<useconds_t>(1000 + 700 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_GE(read(), 1);
    write(1000);
    EXPECT_EQ(read(), 1000);
    EXPECT_LE(file_count(), 2u);  // the temporary file of the killed process is gone
  }
}

}  // namespace
