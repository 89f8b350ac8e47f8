// Rooms: io
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <numeric>

#include "larmor/core/error.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/io/results/results_file.hpp"

namespace {

using namespace larmor;
using namespace larmor::io;
namespace fs = std::filesystem;
using Doubles = std::vector<double>;

class ResultsTest : public testing::Test {
 protected:
  ResultsTest() {
    std::string pattern = (fs::temp_directory_path() / "larmor-results-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = (folder_ / "run.h5").string();
  }
  ~ResultsTest() override { fs::remove_all(folder_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  void write_old_file() const {
    ResultsFile old = ResultsFile::create(path_, IfExists::refuse);
    old.write("/old", 1.0);
    old.commit();
  }
  /// Commits one row at a time, and writes to `pipe` after the fourth row. An error ends the
  /// process.
  void write_without_end(int pipe) const noexcept {
    ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
    for (double n = 0;; ++n) {
      file.append("/s", Doubles{n});
      file.commit();
      if (n == 3 && ::write(pipe, "x", 1) != 1) ::_exit(1);
    }
  }
  void expect_one_file() const { EXPECT_EQ(files(), std::vector<std::string>{"run.h5"}); }

  fs::path folder_;
  std::string path_;
};

/// The message of the error of type Kind that `action` throws.
template <class Kind>
std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Kind& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another error: ") + error.what();
  }
  return "no error";
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(ResultsTest, EveryTypeComesBackWithShapeAndAttributes) {
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  file.write("/a/double", DataArray(Doubles{1, 2, 3, 4, 5, 6}, {2, 3}),
             {{"unit", "meV"}, {"count", 7}, {"axis", Doubles{0, 0, 1}}, {"done", true}});
  file.write("/a/float", std::vector<float>{0.5f});
  file.write("/a/int64", std::vector<std::int64_t>{-(1ll << 62)});
  file.write("/a/int32", std::vector<std::int32_t>{-5});
  file.write("/a/uint64", std::vector<std::uint64_t>{~0ull});
  file.write("/a/bool", std::vector<bool>{true, false, true});
  file.write("/a/text", std::vector<std::string>{"Γ", "", "a longer label"});
  file.write("/a/scalar", "title = \"µ\"\n");
  file.write("/a/empty", DataArray(Doubles{}, {0, 3}));
  file.commit();

  const ResultsReader reader(path_);
  EXPECT_EQ(reader.shape("/a/double"), (Shape{2, 3}));
  EXPECT_EQ(reader.read<double>("/a/double"), (Doubles{1, 2, 3, 4, 5, 6}));
  const Attributes attributes = reader.attributes("/a/double");
  EXPECT_EQ(attributes.at("unit").text(), "meV");
  EXPECT_EQ(attributes.at("count").integer(), 7);
  EXPECT_EQ(attributes.at("axis").as<double>(), (Doubles{0, 0, 1}));
  EXPECT_EQ(attributes.at("done").integer(), 1);
  EXPECT_EQ(reader.read("/a/float").as<float>().at(0), 0.5f);
  EXPECT_EQ(reader.read("/a/int64").as<std::int64_t>().at(0), -(1ll << 62));
  EXPECT_EQ(reader.read("/a/int32").as<std::int32_t>().at(0), -5);
  EXPECT_EQ(reader.read("/a/uint64").as<std::uint64_t>().at(0), ~0ull);
  EXPECT_EQ(reader.read<double>("/a/bool"), (Doubles{1, 0, 1}));
  EXPECT_EQ(reader.read<std::string>("/a/text"),
            (std::vector<std::string>{"Γ", "", "a longer label"}));
  EXPECT_TRUE(reader.read("/a/scalar").is_scalar());
  EXPECT_EQ(reader.read("/a/scalar").text(), "title = \"µ\"\n");
  EXPECT_EQ(reader.shape("/a/empty"), (Shape{0, 3}));
  EXPECT_EQ(reader.list("/a").size(), 9u);
  EXPECT_EQ(reader.attributes("/").at("format").text(), "larmor-results");
  EXPECT_TRUE(has(error_of<MachineError>([&] { reader.read<double>("/a/text"); }), "/a/text"));
  EXPECT_TRUE(has(error_of<MachineError>([&] { reader.read("/a/none"); }), "/a/none"));
}

TEST_F(ResultsTest, SeriesGrowOverCommitsAndReopening) {
  {
    ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
    for (int n = 0; n < 3; ++n) {
      file.append("/s/value", DataArray(Doubles{n + 0.0, n + 0.5}, {1, 2}), {{"unit", "K"}});
    }
    file.commit();
    file.append("/s/value", DataArray(Doubles{3.0, 3.5, 4.0, 4.5}, {2, 2}));
    file.commit();
    EXPECT_EQ(file.series_lengths().at("/s/value"), 5);
  }
  ResultsFile file = ResultsFile::open(path_);
  EXPECT_EQ(file.series_lengths(), (SeriesLengths{{"/s/value", 5}}));
  file.append("/s/value", DataArray(Doubles{5.0, 5.5}, {1, 2}));
  file.commit();
  const ResultsReader reader(path_);
  EXPECT_EQ(reader.shape("/s/value"), (Shape{6, 2}));
  EXPECT_EQ(reader.read<double>("/s/value"),
            (Doubles{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5}));
  EXPECT_EQ(reader.read_rows<double>("/s/value", 4, 1), (Doubles{4, 4.5}));
  EXPECT_THROW(reader.read_rows("/s/value", 4, 3), MachineError);
  EXPECT_EQ(reader.attributes("/s/value").at("unit").text(), "K");
}

TEST_F(ResultsTest, WhatAFileHasOtherwiseThanIsAskedForIsItsFault) {
  {
    ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
    file.write("/a/two", Doubles{1, 2});
    file.set_attribute("/a", "word", "text");
    file.append("/a/series", DataArray(Doubles{1, 2}, {1, 2}));
    file.commit();
  }
  const ResultsReader reader(path_);
  const Attributes attributes = reader.attributes("/a");
  const auto two = reader.read<double>("/a/two");
  const auto text_of = [&](const auto& work) { return error_of<MachineError>(work); };
  const std::string number = text_of([&] { attributes.at("word").number(); });
  EXPECT_TRUE(has(number, "the attribute 'word' of '/a' of '" + path_ + "' is not one number"));
  EXPECT_TRUE(has(text_of([&] { attributes.at("none"); }), "no attribute 'none'"));
  EXPECT_TRUE(has(text_of([&] { reader.read("/a/two").integer(); }), "/a/two"));
  EXPECT_EQ(two[1], 2);
  EXPECT_TRUE(has(text_of([&] { two[2]; }), "'/a/two' of '" + path_ + "' has 2 of 3"));
  EXPECT_THROW(two.require(3), MachineError);
  EXPECT_THROW(reader.shape("/a/two")[1], MachineError);
  EXPECT_THROW(number_of_group("first", reader.place("/stages/first")), MachineError);
  ResultsFile file = ResultsFile::open(path_);
  EXPECT_THROW(file.append("/a/series", DataArray(Doubles{1, 2, 3}, {1, 3})), MachineError);
}

TEST_F(ResultsTest, RowsOfAnotherShapeOrTypeAreRefusedAtOnce) {
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  file.append("/s", DataArray(Doubles{1, 2}, {1, 2}));
  EXPECT_THROW(file.append("/s", DataArray(Doubles{1, 2, 3}, {1, 3})), InternalError);
  EXPECT_THROW(file.append("/s", DataArray(std::vector<float>{1, 2}, {1, 2})), InternalError);
  EXPECT_THROW(file.append("/t", 1.0), InternalError);
  EXPECT_THROW(DataArray(Doubles{1, 2}, {3}), InternalError);
}

TEST_F(ResultsTest, OrderOfChangesIsKept) {
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  file.append("/s", Doubles{1, 2, 3});
  file.truncate("/s", 1);
  file.append("/s", Doubles{9});
  file.append("/gone", Doubles{1});
  file.remove("/gone");
  file.append("/again", Doubles{1, 2});
  file.remove("/again");
  file.append("/again", DataArray(Doubles{3, 4}, {1, 2}));
  file.write("/fixed", Doubles{1, 2});
  file.write("/fixed", Doubles{3, 4, 5});
  file.commit();
  const ResultsReader reader(path_);
  EXPECT_EQ(reader.read<double>("/s"), (Doubles{1, 9}));
  EXPECT_FALSE(reader.exists("/gone"));
  EXPECT_EQ(reader.shape("/again"), (Shape{1, 2}));
  EXPECT_EQ(reader.read<double>("/fixed"), (Doubles{3, 4, 5}));
}

TEST_F(ResultsTest, RestoringLengthsUndoesWhatCameLater) {
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  file.append("/a", Doubles{1, 2});
  file.commit();
  const SeriesLengths then = file.series_lengths();
  file.append("/a", Doubles{3, 4, 5});
  file.append("/later/b", Doubles{6});
  file.commit();

  ResultsFile resumed = ResultsFile::open(path_);
  resumed.restore_lengths(then);
  resumed.append("/a", Doubles{30});
  resumed.commit();
  const ResultsReader reader(path_);
  EXPECT_EQ(reader.read<double>("/a"), (Doubles{1, 2, 30}));
  EXPECT_FALSE(reader.exists("/later/b"));
  EXPECT_THROW(resumed.restore_lengths({{"/a", 4}}), InputError);
  EXPECT_THROW(resumed.restore_lengths({{"/other", 1}}), InputError);
}

TEST_F(ResultsTest, NothingIsOnDiskBeforeTheFirstCommit) {
  {
    ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
    EXPECT_TRUE(files().empty());
    const std::size_t before = file.buffered_bytes();
    file.append("/s", Doubles(1000, 1.0));
    file.append("/s", Doubles(1000, 1.0));
    EXPECT_GE(file.buffered_bytes(), before + 16000);
    EXPECT_LT(file.buffered_bytes(), before + 20000);
    EXPECT_TRUE(files().empty());
    file.commit();
    EXPECT_EQ(file.buffered_bytes(), 0u);
  }
  expect_one_file();
}

TEST_F(ResultsTest, ExistingOutputIsRefused) {
  write_old_file();
  const std::string message =
      error_of<InputError>([&] { ResultsFile::create(path_, IfExists::refuse); });
  EXPECT_TRUE(has(message, path_));
  EXPECT_TRUE(has(message, "--force"));
  EXPECT_TRUE(has(message, "larmor resume"));
}

TEST_F(ResultsTest, ForcedOutputStaysUntilTheFirstCommit) {
  write_old_file();
  ResultsFile file = ResultsFile::create(path_, IfExists::replace);
  file.write("/new", 2.0);
  EXPECT_TRUE(ResultsReader(path_).exists("/old"));
  file.commit();
  const ResultsReader reader(path_);
  EXPECT_FALSE(reader.exists("/old"));
  EXPECT_EQ(reader.read("/new").number(), 2.0);
}

TEST_F(ResultsTest, OutputThatAppearsMeanwhileIsNotOverwritten) {
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  write_old_file();
  EXPECT_THROW(file.commit(), InputError);
  EXPECT_TRUE(ResultsReader(path_).exists("/old"));
  expect_one_file();
}

TEST_F(ResultsTest, WrongPathsAreInputErrors) {
  const auto create = [](const fs::path& path) {
    return error_of<InputError>([&] { ResultsFile::create(path.string(), IfExists::replace); });
  };
  EXPECT_TRUE(has(create(folder_ / "none" / "run.h5"), "there is no folder"));
  EXPECT_TRUE(has(create(folder_), "is a folder"));
  EXPECT_TRUE(has(create("/dev/null"), "not a regular file"));
  std::ofstream(path_) << "text that is not HDF5";
  EXPECT_TRUE(has(create(fs::path(path_) / "run.h5"), "is not a folder"));
  const auto open = [](const fs::path& path) {
    return error_of<InputError>([&] { ResultsFile::open(path.string()); });
  };
  EXPECT_TRUE(has(open(path_), "not an HDF5 file"));
  EXPECT_TRUE(has(open(folder_ / "none.h5"), "there is no results file"));
  EXPECT_TRUE(has(open(folder_), "not a regular file"));
}

TEST_F(ResultsTest, ForeignNewerAndDamagedFilesAreToldApart) {
  { Hdf5File(path_, Hdf5File::Mode::create).close(); }
  EXPECT_TRUE(has(error_of<InputError>([&] { ResultsReader reader(path_); }), "not a results"));
  {
    Hdf5File file(path_, Hdf5File::Mode::create);
    file.set_attribute("/", "format", results_format);
    file.set_attribute("/", "format_version", results_format_version + 1);
    file.close();
  }
  EXPECT_TRUE(has(error_of<InputError>([&] { ResultsReader reader(path_); }),
                  "format " + std::to_string(results_format_version + 1)));
  const auto damaged = [&] { return error_of<MachineError>([&] { ResultsReader reader(path_); }); };
  fs::resize_file(path_, 200);
  EXPECT_TRUE(has(damaged(), "as HDF5: the file is cut short"));
  std::ofstream(path_, std::ios::binary) << hdf5_signature << std::string(200, 'x');
  EXPECT_TRUE(has(damaged(), "as HDF5: the file is damaged (HDF5: "));
}

/// The name of the temporary file of a child process. The child ends at once if `ends`, or else
/// waits until it is killed.
std::string temporary_of_child(const std::string& path, bool ends, pid_t& child) {
  int pipe[2];
  if (::pipe(pipe) != 0) return "";
  child = ::fork();
  if (child == 0) {
    const TemporaryFile file(path);
    if (::write(pipe[1], file.path().data(), file.path().size()) < 0) ::_exit(1);
    ::close(pipe[1]);
    if (ends) ::_exit(0);
    for (;;) ::pause();
  }
  ::close(pipe[1]);
  std::string name(4096, '\0');
  name.resize(static_cast<std::size_t>(std::max<ssize_t>(::read(pipe[0], name.data(), 4096), 0)));
  ::close(pipe[0]);
  if (ends) ::waitpid(child, nullptr, 0);
  return name;
}

TEST_F(ResultsTest, TemporariesOfDeadProcessesAreClearedAndFilesOfOthersStay) {
  pid_t dead = 0, alive = 0;
  const std::string stale = temporary_of_child(path_, true, dead);
  const std::string living = temporary_of_child(path_, false, alive);
  // These names resemble those of Larmor, except for the checksum in them.
  const std::string foreign = path_ + ".tmp-" + std::to_string(dead);
  const std::string like_ours = foreign + "-0123456789abcdef";
  for (const auto& name : {foreign, like_ours}) std::ofstream(name) << "a thesis";
  ASSERT_TRUE(fs::exists(stale) && fs::exists(living));
  EXPECT_TRUE(is_temporary_name(stale));
  EXPECT_FALSE(is_temporary_name(foreign) || is_temporary_name(like_ours));
  write_old_file();
  EXPECT_FALSE(fs::exists(stale));
  EXPECT_TRUE(fs::exists(living));
  EXPECT_TRUE(fs::exists(foreign) && fs::exists(like_ours));
  EXPECT_TRUE(ResultsReader(path_).exists("/old"));
  ::kill(alive, SIGKILL);
  ::waitpid(alive, nullptr, 0);
}

TEST_F(ResultsTest, APlantedLinkIsNotFollowed) {
  const std::string victim = path_ + ".victim";
  std::ofstream(victim) << "precious";
  const std::string name = TemporaryFile(path_).path();
  fs::create_symlink(victim, name);
  {
    TemporaryFile file(path_);
    EXPECT_EQ(file.path(), name);
    EXPECT_TRUE(is_regular(name));
    file.file().write("new", 3);
  }
  EXPECT_FALSE(fs::exists(name));
  EXPECT_EQ(fs::file_size(victim), 8u);
}

TEST_F(ResultsTest, AnotherProgramsHdf5FileIsNotReplaced) {
  {
    Hdf5File file(path_, Hdf5File::Mode::create);
    file.write("/weights", std::vector<double>{1, 2});
    file.close();
  }
  EXPECT_TRUE(has(error_of<InputError>([&] { ResultsFile::create(path_, IfExists::replace); }),
                  "not a results file"));
  EXPECT_TRUE(Hdf5File(path_, Hdf5File::Mode::read).exists("/weights"));
}

/// Limits the size of files to `bytes` during its lifetime, to imitate a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(ResultsTest, FailedCommitKeepsTheFileAndTheChanges) {
  Doubles noise(100000);
  std::iota(noise.begin(), noise.end(), 0.1);
  const auto begin = [](const std::string& path) {
    ResultsFile file = ResultsFile::create(path, IfExists::refuse);
    file.append("/s", Doubles{1, 2});
    file.commit();
    return file;
  };
  const auto go_on = [&](ResultsFile& file) {
    file.append("/s", noise);
    file.write("/group/big", noise, {{"unit", "K"}});
    file.write("/group/text", "the last words");
  };
  const std::string unlimited = (folder_ / "unlimited.h5").string();
  ResultsFile reference = begin(unlimited);
  go_on(reference);
  reference.commit();
  const auto final_size = fs::file_size(unlimited);
  fs::remove(unlimited);

  ResultsFile file = begin(path_);
  const auto size = fs::file_size(path_);
  go_on(file);
  // The disk fills during the copy, in metadata, in raw data, or at the very end.
  for (const rlim_t limit : {size / 2, size, size + 100, size + 5000, size + 100000, size + 900000,
                             final_size - 5000, final_size - 1}) {
    std::string message;
    {
      const FileSizeLimit full_disk(limit);
      message = error_of<MachineError>([&] { file.commit(); });
    }
    EXPECT_TRUE(has(message, "'" + path_ + "': File too large")) << message;
    EXPECT_TRUE(has(message, "needed") && has(message, "free")) << message;
    expect_one_file();
    EXPECT_EQ(ResultsReader(path_).read<double>("/s"), (Doubles{1, 2}));
  }
  file.commit();
  const ResultsReader reader(path_);
  EXPECT_EQ(reader.shape("/s"), (Shape{100002}));
  EXPECT_EQ(reader.read<double>("/group/big"), noise);
  EXPECT_EQ(reader.read("/group/text").text(), "the last words");
}

TEST_F(ResultsTest, FailedFirstCommitLeavesNothingBehind) {
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  {
    const FileSizeLimit full_disk(100);
    EXPECT_THROW(file.commit(), MachineError);
  }
  EXPECT_TRUE(files().empty());
  file.commit();
  expect_one_file();
}

TEST_F(ResultsTest, KilledRunLeavesItsLastCommit) {
  int started[2];
  ASSERT_EQ(::pipe(started), 0);
  const pid_t child = ::fork();
  if (child == 0) write_without_end(started[1]);
  ::close(started[1]);
  char byte = 0;
  const ssize_t received = ::read(started[0], &byte, 1);
  ::usleep(3000);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(started[0]);
  ASSERT_EQ(received, 1) << "the child failed";

  ResultsFile file = ResultsFile::open(path_);
  const Index length = file.series_lengths().at("/s");
  EXPECT_GE(length, 4);
  file.append("/s", Doubles{static_cast<double>(length)});
  file.commit();
  Doubles expected(static_cast<std::size_t>(length) + 1);
  std::iota(expected.begin(), expected.end(), 0.0);
  EXPECT_EQ(ResultsReader(path_).read<double>("/s"), expected);
  expect_one_file();
}

TEST_F(ResultsTest, LargeArraysAreCompressedAndLargeRowsKept) {
  const Index width = 300000;
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  file.write("/flat", DataArray(Doubles(static_cast<std::size_t>(4 * width), 1.5), {4, width}));
  Doubles row(static_cast<std::size_t>(width));
  std::iota(row.begin(), row.end(), 0.0);
  file.append("/rows", DataArray(row, {1, width}));
  file.append("/rows", DataArray(row, {1, width}));
  file.commit();
  const ResultsReader reader(path_);
  EXPECT_EQ(reader.read_rows<double>("/rows", 1, 1), row);
  EXPECT_EQ(reader.read<double>("/flat"), Doubles(static_cast<std::size_t>(4 * width), 1.5));
  EXPECT_LT(fs::file_size(path_), 2 * row.size() * 8 + 500000);
}

TEST_F(ResultsTest, RewritingInPlaceDoesNotGrowTheFile) {
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  file.write("/average", Doubles(1000, 0.0));
  file.commit();
  const auto size = fs::file_size(path_);
  for (int n = 0; n < 10; ++n) {
    file.write("/average", Doubles(1000, n + 1.0));
    file.commit();
  }
  EXPECT_LT(fs::file_size(path_), size + 4096);
  EXPECT_EQ(ResultsReader(path_).read<double>("/average").back(), 10.0);
}

TEST_F(ResultsTest, AnotherFileIsTakenInWithAllThatIsInIt) {
  const std::string part = (folder_ / "part.h5").string();
  ResultsFile source = ResultsFile::create(part, IfExists::refuse);
  source.set_attribute("/", "title", "part");
  source.write("/a/map", DataArray(Doubles{1, 2, 3, 4, 5, 6}, {2, 3}), {{"unit", "K"}});
  source.write("/a/frequency", Doubles{0, 1, 2});
  source.attach_scale("/a/map", 1, "/a/frequency");
  source.append("/s", Doubles{1, 2, 3});
  Doubles large(200000);
  std::iota(large.begin(), large.end(), 0.5);
  source.append("/large", large);
  source.write("/names", std::vector<std::string>{"one", "two"});
  source.commit();
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  file.copy_in(part, "/points/0007");
  file.copy_in(part, "/points/0008", {{"a", "/points/0007/a"}});
  file.commit();
  fs::remove(part);
  const ResultsReader reader(path_, "/points/0007");
  EXPECT_EQ(reader.attributes("/").at("title").text(), "part");
  EXPECT_EQ(reader.read<double>("/a/map"), (Doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(reader.shape("/a/map"), (Shape{2, 3}));
  EXPECT_EQ(reader.attributes("/a/map").at("unit").text(), "K");
  EXPECT_EQ(reader.read<std::string>("/names").at(1), "two");
  EXPECT_EQ(reader.read<double>("/s"), (Doubles{1, 2, 3}));
  EXPECT_EQ(reader.read<double>("/large"), large);
  const Hdf5File copied(path_, Hdf5File::Mode::read);
  EXPECT_EQ(copied.scale("/points/0007/a/map", 1), "/points/0007/a/frequency");
  EXPECT_EQ(copied.scale("/points/0007/a/map", 0), "");
  const ResultsReader linked(path_, "/points/0008");
  EXPECT_EQ(linked.read<double>("/a/map"), (Doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(linked.read<double>("/s"), (Doubles{1, 2, 3}));
  expect_one_file();
}

TEST_F(ResultsTest, DimensionScalesAreAttachedOnceAndHidden) {
  ResultsFile file = ResultsFile::create(path_, IfExists::refuse);
  for (int n = 0; n < 2; ++n) {
    file.write("/map", DataArray(Doubles(6, 1.0 + n), {2, 3}), {{"unit", "1"}});
    file.write("/frequency", Doubles{0, 1, 2});
    file.attach_scale("/map", 1, "/frequency");
    file.commit();
  }
  const Hdf5File raw(path_, Hdf5File::Mode::read);
  EXPECT_EQ(raw.scale("/map", 1), "/frequency");
  EXPECT_EQ(raw.scale("/map", 0), "");
  EXPECT_EQ(ResultsReader(path_).attributes("/map").size(), 1u);
}

TEST_F(ResultsTest, LinkToTheFileStaysALink) {
  const fs::path real = folder_ / "real.h5";
  write_old_file();
  fs::rename(path_, real);
  fs::create_symlink(real, path_);
  ResultsFile file = ResultsFile::open(path_);
  file.write("/new", 1.0);
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_TRUE(ResultsReader(real.string()).exists("/new"));
}

}  // namespace
