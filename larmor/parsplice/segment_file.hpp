#pragma once
// States and segments of a run in a file of SQLite. If the run is killed, it continues from this
// file with equal bits: a segment that was not in the file runs again.

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "larmor/parsplice/segment.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace larmor::parsplice {

class SegmentFile {
 public:
  /// Makes the file, or opens it to continue its run.
  /// @param owner identifier of the run to which the file belongs
  /// @throws InputError if the file belongs to another run, rule or first configuration, if another
  /// program has it open, or if it holds something else
  /// @throws MachineError if the file cannot be read or written
  SegmentFile(const std::string& path, const SegmentRule& rule, const Configuration& first,
              std::uint64_t owner = 0);
  ~SegmentFile();
  SegmentFile(const SegmentFile&) = delete;
  SegmentFile& operator=(const SegmentFile&) = delete;

  /// Number of segments.
  Index segments();
  std::map<StateLabel, Configuration> states();
  /// The segments of each state in the order of their numbers. Only the last one of each lane has
  /// its end, if this is a begin of the next one.
  void for_each_segment(const std::function<void(Segment)>& work);

  /// Writes to disk at the latest with the first call that comes 100 ms later, or with a flush.
  void add_state(StateLabel state, const Configuration& reference);
  void add(const Segment& segment);
  void flush();

 private:
  struct Closer {
    void operator()(sqlite3* file) const;
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Closer>;

  [[noreturn]] void fail(int code) const;
  void check(int code) const;
  void run(const char* sql);
  Statement prepared(const char* sql) const;
  bool step(sqlite3_stmt* statement) const;
  Index number(const char* sql);
  void make(const SegmentRule& rule, const Configuration& first, std::uint64_t owner);
  void require_equal(const SegmentRule& rule, const Configuration& first, std::uint64_t owner);
  void change(sqlite3_stmt* statement);

  std::string path_;
  std::unique_ptr<sqlite3, Closer> file_;
  Index lanes_;
  std::size_t numbers_;
  Statement add_state_, add_segment_, add_end_, remove_end_;
  bool is_writing_ = false;
  std::chrono::steady_clock::time_point written_{};
};

/// The run to which a file of segments belongs. Nothing if the path names no file of segments.
std::optional<std::uint64_t> owner_of_segments(const std::string& path);

/// Removes the file with its journals.
void remove_segments(const std::string& path);

}  // namespace larmor::parsplice
