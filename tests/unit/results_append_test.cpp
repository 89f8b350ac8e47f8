// Appends to large results files. An append copies no data, and changes none of the contents that
// readers see.
// Rooms: io

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "larmor/core/error.hpp"
#include "larmor/io/results/results_file.hpp"

namespace {

using namespace larmor;
using namespace larmor::io;
namespace fs = std::filesystem;
using Doubles = std::vector<double>;

constexpr Index row_length = 1 << 18;  ///< 2 MiB per row
constexpr std::uint64_t row_bytes = row_length * sizeof(double);

/// Row n of the large series. Each number of the series occurs only once.
Doubles row(Index n) {
  Doubles values(row_length);
  for (Index i = 0; i < row_length; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<double>(n) + static_cast<double>(i) * 1e-6;
  return values;
}

void append_row(ResultsFile& file, Index n) {
  file.append("/stage/trajectory", DataArray(row(n), {1, row_length}), {{"unit", "none"}});
  file.append("/stage/step", Doubles{static_cast<double>(n)});
}

std::uint64_t bytes_written() {
  std::ifstream counters("/proc/self/io");
  std::string key;
  for (std::uint64_t value = 0; counters >> key >> value;)
    if (key == "wchar:") return value;
  return 0;
}

ino_t inode_of(const std::string& path) {
  struct stat status {};
  ::stat(path.c_str(), &status);
  return status.st_ino;
}

class AppendedResults : public testing::Test {
 protected:
  AppendedResults() {
    std::string pattern = (fs::temp_directory_path() / "larmor-append-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = (folder_ / "run.h5").string();
  }
  ~AppendedResults() override { fs::remove_all(folder_); }

  /// A file with `rows` rows and small data of every kind, after one commit.
  ResultsFile large_file(Index rows) const {
    ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
    file.write("/model/positions", DataArray(row(-1), {row_length / 2, 2}), {{"unit", "cells"}});
    file.write("/study/text", "title = \"µ\"");
    file.write("/stage/axis", Doubles{0, 1, 2});
    file.write("/stage/map", DataArray(Doubles{1, 2, 3}, {3}), {{"unit", "K"}});
    file.attach_scale("/stage/map", 0, "/stage/axis");
    file.set_attribute("/stage", "kind", "dynamics");
    for (Index n = 0; n < rows; ++n) append_row(file, n);
    file.commit();
    return file;
  }

  void expect_contents(const ResultsReader& reader, Index rows) const {
    EXPECT_EQ(reader.shape("/stage/trajectory"), (Shape{rows, row_length}));
    for (Index n = 0; n < rows; ++n)
      ASSERT_EQ(reader.read_rows<double>("/stage/trajectory", n, 1), row(n)) << "row " << n;
    Doubles steps;
    for (Index n = 0; n < rows; ++n) steps.push_back(static_cast<double>(n));
    EXPECT_EQ(reader.read<double>("/stage/step"), steps);
    EXPECT_EQ(reader.read<double>("/model/positions"), row(-1));
    EXPECT_EQ(reader.attributes("/model/positions").at("unit").text(), "cells");
    EXPECT_EQ(reader.attributes("/stage/trajectory").at("unit").text(), "none");
    EXPECT_EQ(reader.attributes("/stage").at("kind").text(), "dynamics");
    EXPECT_EQ(reader.attributes("/stage/map").at("unit").text(), "K");
    EXPECT_EQ(reader.read("/study/text").text(), "title = \"µ\"");
    EXPECT_EQ(Hdf5File(path_, Hdf5File::Mode::read).scale("/stage/map", 0), "/stage/axis");
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(AppendedResults, ACommitWritesWhatIsNewAndLittleElse) {
  ResultsFile file = large_file(20);
  const ino_t inode = inode_of(path_);
  const std::uint64_t before = bytes_written();
  for (Index n = 20; n < 30; ++n) {
    append_row(file, n);
    file.commit();
  }
  EXPECT_LT(static_cast<double>(bytes_written() - before), 1.1 * 10 * row_bytes);
  EXPECT_EQ(inode_of(path_), inode);
  expect_contents(ResultsReader(path_), 30);
}

TEST_F(AppendedResults, WhoReadsMeanwhileSeesTheFileAsItWas) {
  ResultsFile file = large_file(12);
  const ResultsReader early(path_);
  for (Index n = 12; n < 15; ++n) {
    append_row(file, n);
    file.commit();
  }
  expect_contents(early, 12);
  expect_contents(ResultsReader(path_), 15);
}

TEST_F(AppendedResults, EveryKindOfChangeIsMade) {
  ResultsFile file = large_file(12);
  file.write("/stage/map", DataArray(Doubles{4, 5, 6}, {3}));
  file.write("/stage/new", Doubles{7});
  file.write("/model/positions", DataArray(row(-2), {row_length / 2, 2}));
  file.remove("/stage/axis");
  file.set_attribute("/stage", "kind", "anneal");
  append_row(file, 12);
  file.commit();
  const ResultsReader reader(path_);
  EXPECT_EQ(reader.read<double>("/stage/map"), (Doubles{4, 5, 6}));
  EXPECT_EQ(reader.attributes("/stage/map").at("unit").text(), "K");
  EXPECT_EQ(reader.read<double>("/stage/new"), (Doubles{7}));
  EXPECT_EQ(reader.read<double>("/model/positions"), row(-2));
  EXPECT_FALSE(reader.exists("/stage/axis"));
  EXPECT_EQ(reader.attributes("/stage").at("kind").text(), "anneal");
  EXPECT_EQ(reader.read_rows<double>("/stage/trajectory", 12, 1), row(12));
}

TEST_F(AppendedResults, SeriesThatAreCutGoOnFromThere) {
  static_cast<void>(large_file(14));
  ResultsFile file = ResultsFile::open(path_);
  file.restore_lengths({{"/stage/trajectory", 11}, {"/stage/step", 11}});
  append_row(file, 11);
  file.commit();
  append_row(file, 12);
  file.commit();
  expect_contents(ResultsReader(path_), 13);
}

TEST_F(AppendedResults, SharedObjectsStayOneObject) {
  ResultsFile file = large_file(12);
  file.commit();
  const std::string point = (folder_ / "point.h5").string();
  {
    ResultsFile small = ResultsFile::create(point, IfExists::refuse);
    small.write("/model/x", Doubles{1});
    small.write("/stages", Doubles{2});
    small.commit();
  }
  file.copy_in(point, "/points/0");
  file.copy_in(point, "/points/1", {{"model", "/points/0/model"}});
  file.commit();
  append_row(file, 12);
  file.commit();
  const Hdf5File stored(path_, Hdf5File::Mode::read);
  ASSERT_TRUE(stored.shared_object("/points/0/model"));
  EXPECT_EQ(stored.shared_object("/points/0/model"), stored.shared_object("/points/1/model"));
  EXPECT_EQ(stored.read("/points/1/model/x").as<double>(), (Doubles{1}));
}

TEST_F(AppendedResults, WhatAppendingLeavesBehindIsClearedAway) {
  ResultsFile file = large_file(12);
  Doubles noise(100000);
  for (int n = 0; n < 40; ++n) {
    noise[static_cast<std::size_t>(n)] = n;
    file.write("/stage/small", noise);
    file.commit();
  }
  EXPECT_LT(fs::file_size(path_), 1.4 * 13 * row_bytes);
  expect_contents(ResultsReader(path_), 12);
  EXPECT_EQ(ResultsReader(path_).read<double>("/stage/small"), noise);
}

TEST_F(AppendedResults, TwoWhoAppendNeverMix) {
  ResultsFile one = large_file(12);
  ResultsFile other = ResultsFile::open(path_);
  append_row(other, 12);
  other.commit();
  append_row(one, 12);
  EXPECT_THROW(one.commit(), MachineError);
  append_row(other, 13);
  other.commit();
  expect_contents(ResultsReader(path_), 14);
}

TEST_F(AppendedResults, AFullDiskLeavesTheFileAsItWas) {
  ResultsFile file = large_file(12);
  const std::uint64_t size = fs::file_size(path_);
  append_row(file, 12);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit limit{size + row_bytes / 2, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_THROW(file.commit(), MachineError);
  ::setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_EQ(fs::file_size(path_), size);
  expect_contents(ResultsReader(path_), 12);
  file.commit();
  expect_contents(ResultsReader(path_), 13);
}

TEST_F(AppendedResults, KilledAtAnyMomentTheFileIsWhole) {
  static_cast<void>(large_file(10));
  std::mt19937 random(1);
  Index rows = 10;
  // On a busy machine a child may be killed before its first row.
  for (int kill = 0; kill < 12 || (rows <= 12 && kill < 300); ++kill) {
    const pid_t child = ::fork();
    if (child == 0) {
      ResultsFile file = ResultsFile::open(path_);
      for (Index n = rows;; ++n) {
        append_row(file, n);
        file.commit();
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(20000 + random() % 60000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child gave up";
    const ResultsReader reader(path_);
    const Index now = reader.shape("/stage/step").front();
    ASSERT_GE(now, rows);
    ASSERT_EQ(reader.shape("/stage/trajectory").front(), now);
    for (Index n = rows; n < now; ++n)
      ASSERT_EQ(reader.read_rows<double>("/stage/trajectory", n, 1), row(n)) << "row " << n;
    rows = now;
  }
  EXPECT_GT(rows, 12);
}

}  // namespace
