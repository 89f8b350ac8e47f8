#include "larmor/parsplice/segment_file.hpp"

#include <sqlite3.h>

#include <cstring>
#include <filesystem>

#include "larmor/core/error.hpp"

namespace larmor::parsplice {

namespace {

// FORMAT: `user_version` of the file is the number of its layout. Blobs hold numbers of 64 bits,
// the least significant byte first. The blob of stays has pairs (state, steps).
constexpr Index layout = 2;
constexpr Index application = 0x4c724d53;  // marks files of Larmor's segments
constexpr const char* tables[] = {
    "CREATE TABLE run (seed INTEGER, segment_steps INTEGER, correlation_steps INTEGER,"
    " lanes INTEGER, first BLOB, owner INTEGER)",
    "CREATE TABLE states (state INTEGER PRIMARY KEY, reference BLOB) WITHOUT ROWID",
    "CREATE TABLE segments (state INTEGER, number INTEGER, stays BLOB, work INTEGER,"
    " PRIMARY KEY (state, number)) WITHOUT ROWID",
    // Ends at which another segment can begin: those of the last segment of each lane.
    "CREATE TABLE ends (state INTEGER, number INTEGER, configuration BLOB,"
    " PRIMARY KEY (state, number)) WITHOUT ROWID"};
constexpr const char* all_segments =
    "SELECT state, number, stays, configuration, work FROM segments"
    " LEFT JOIN ends USING (state, number) ORDER BY state, number";
constexpr auto longest_wait = std::chrono::milliseconds(100);

template <class Number>
void bind_blob(sqlite3_stmt* statement, int place, const std::vector<Number>& numbers) {
  sqlite3_bind_blob64(statement, place, numbers.data(), numbers.size() * sizeof(Number),
                      SQLITE_TRANSIENT);
}

template <class Number>
std::vector<Number> blob(sqlite3_stmt* statement, int column) {
  const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  std::vector<Number> numbers(bytes / sizeof(Number));
  if (!numbers.empty())
    std::memcpy(numbers.data(), sqlite3_column_blob(statement, column),
                numbers.size() * sizeof(Number));
  return numbers;
}

StateLabel label(sqlite3_stmt* statement, int column) {
  return static_cast<StateLabel>(sqlite3_column_int64(statement, column));
}

Segment segment_of(sqlite3_stmt* row) {
  return {{label(row, 0), sqlite3_column_int64(row, 1)},
          blob<Stay>(row, 2),
          blob<double>(row, 3),
          sqlite3_column_int64(row, 4)};
}

static_assert(sizeof(Stay) == 16, "a stay is stored as its two numbers");

}  // namespace

void SegmentFile::Closer::operator()(sqlite3* file) const { sqlite3_close_v2(file); }
void SegmentFile::Closer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

SegmentFile::SegmentFile(const std::string& path, const SegmentRule& rule,
                         const Configuration& first, std::uint64_t owner)
    : path_(path), lanes_(rule.lanes), numbers_(first.size()) {
  sqlite3* file = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &file,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  file_.reset(file);
  check(code);
  // The lock lasts until the file is closed, so no second run writes this file.
  run("PRAGMA locking_mode = EXCLUSIVE");
  run("PRAGMA synchronous = NORMAL");
  run("BEGIN EXCLUSIVE");
  if (number("SELECT count(*) FROM sqlite_master") == 0)
    make(rule, first, owner);
  else
    require_equal(rule, first, owner);
  run("COMMIT");
  // From here on, the owner lies in the file itself, where owner_of_segments finds it.
  run("PRAGMA journal_mode = WAL");
  add_state_ = prepared("INSERT INTO states VALUES (?, ?)");
  add_segment_ = prepared("INSERT INTO segments VALUES (?, ?, ?, ?)");
  add_end_ = prepared("INSERT INTO ends VALUES (?, ?, ?)");
  remove_end_ = prepared("DELETE FROM ends WHERE state = ? AND number = ?");
}

SegmentFile::~SegmentFile() {
  // A destructor cannot report a full disk. Segments that are missing run again.
  if (is_writing_) sqlite3_exec(file_.get(), "COMMIT", nullptr, nullptr, nullptr);
}

void SegmentFile::fail(int code) const {
  const std::string place = "'" + path_ + "'";
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    throw InputError("another program has " + place + " open",
                     "the name of another file, or wait for that program");
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
    throw InputError(place + " is damaged, or no file of segments",
                     "an undamaged copy of it, or the name of another file");
  throw MachineError("cannot use " + place + ": " +
                     (file_ ? sqlite3_errmsg(file_.get()) : sqlite3_errstr(code)));
}

void SegmentFile::check(int code) const {
  if (code != SQLITE_OK) fail(code & 0xff);
}

void SegmentFile::run(const char* sql) {
  check(sqlite3_exec(file_.get(), sql, nullptr, nullptr, nullptr));
}

SegmentFile::Statement SegmentFile::prepared(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(file_.get(), sql, -1, &statement, nullptr);
  Statement owned(statement);
  check(code);
  return owned;
}

bool SegmentFile::step(sqlite3_stmt* statement) const {
  const int code = sqlite3_step(statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE) fail(code & 0xff);
  return code == SQLITE_ROW;
}

Index SegmentFile::number(const char* sql) {
  const Statement statement = prepared(sql);
  step(statement.get());
  return sqlite3_column_int64(statement.get(), 0);
}

void SegmentFile::make(const SegmentRule& rule, const Configuration& first, std::uint64_t owner) {
  for (const char* table : tables) run(table);
  run(("PRAGMA user_version = " + std::to_string(layout)).c_str());
  run(("PRAGMA application_id = " + std::to_string(application)).c_str());
  const Statement row = prepared("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?)");
  sqlite3_bind_int64(row.get(), 1, static_cast<Index>(rule.seed));
  sqlite3_bind_int64(row.get(), 2, rule.segment_steps);
  sqlite3_bind_int64(row.get(), 3, rule.correlation_steps);
  sqlite3_bind_int64(row.get(), 4, rule.lanes);
  bind_blob(row.get(), 5, first);
  sqlite3_bind_int64(row.get(), 6, static_cast<Index>(owner));
  step(row.get());
}

void SegmentFile::require_equal(const SegmentRule& rule, const Configuration& first,
                                std::uint64_t owner) {
  if (number("PRAGMA application_id") != application)
    throw InputError("'" + path_ + "' is a file of another program", "the name of another file");
  if (number("PRAGMA user_version") != layout)
    throw InputError("'" + path_ + "' has the layout of another version of Larmor",
                     "the name of another file");
  const Statement row = prepared("SELECT * FROM run");
  step(row.get());
  if (label(row.get(), 5) != owner)
    throw InputError("'" + path_ + "' has the segments of another run",
                     "move this file to the results of its run, or remove it");
  const SegmentRule there{label(row.get(), 0), sqlite3_column_int64(row.get(), 1),
                          sqlite3_column_int64(row.get(), 2), sqlite3_column_int64(row.get(), 3)};
  if (there != rule || blob<double>(row.get(), 4) != first)
    throw InputError("'" + path_ + "' has segments of another seed, rule or first configuration",
                     "the values of that run, or the name of another file");
}

Index SegmentFile::segments() { return number("SELECT count(*) FROM segments"); }

std::map<StateLabel, Configuration> SegmentFile::states() {
  std::map<StateLabel, Configuration> states;
  const Statement rows = prepared("SELECT state, reference FROM states");
  while (step(rows.get())) states.emplace(label(rows.get(), 0), blob<double>(rows.get(), 1));
  return states;
}

void SegmentFile::for_each_segment(const std::function<void(Segment)>& work) {
  const Statement rows = prepared(all_segments);
  while (step(rows.get())) {
    Segment segment = segment_of(rows.get());
    if (segment.stays.empty() || segment.stays.front().state != segment.name.state ||
        (!segment.end.empty() && segment.end.size() != numbers_))
      fail(SQLITE_CORRUPT);
    work(std::move(segment));
  }
}

void SegmentFile::add_state(StateLabel state, const Configuration& reference) {
  sqlite3_bind_int64(add_state_.get(), 1, static_cast<Index>(state));
  bind_blob(add_state_.get(), 2, reference);
  change(add_state_.get());
}

void SegmentFile::add(const Segment& segment) {
  // A segment and its end belong to one transaction.
  if (is_writing_ && std::chrono::steady_clock::now() - written_ > longest_wait) flush();
  sqlite3_stmt* row = add_segment_.get();
  sqlite3_bind_int64(row, 1, static_cast<Index>(segment.name.state));
  sqlite3_bind_int64(row, 2, segment.name.number);
  bind_blob(row, 3, segment.stays);
  sqlite3_bind_int64(row, 4, segment.work);
  change(row);
  row = remove_end_.get();
  sqlite3_bind_int64(row, 1, static_cast<Index>(segment.name.state));
  sqlite3_bind_int64(row, 2, segment.name.number - lanes_);
  change(row);
  if (segment.end_state() != segment.name.state) return;
  row = add_end_.get();
  sqlite3_bind_int64(row, 1, static_cast<Index>(segment.name.state));
  sqlite3_bind_int64(row, 2, segment.name.number);
  bind_blob(row, 3, segment.end);
  change(row);
}

void SegmentFile::change(sqlite3_stmt* statement) {
  if (!is_writing_) {
    run("BEGIN");
    is_writing_ = true;
    written_ = std::chrono::steady_clock::now();
  }
  step(statement);
  check(sqlite3_reset(statement));
}

void SegmentFile::flush() {
  if (!is_writing_) return;
  run("COMMIT");
  is_writing_ = false;
}

std::optional<std::uint64_t> owner_of_segments(const std::string& path) {
  // An immutable file is read without a lock and without its journal.
  std::string uri = "file:";
  for (const char letter : std::filesystem::absolute(path).string()) {
    char escaped[4];
    std::snprintf(escaped, sizeof(escaped), "%%%02x", static_cast<unsigned char>(letter));
    uri += letter == '/' ? "/" : escaped;
  }
  sqlite3* opened = nullptr;
  const int code = sqlite3_open_v2((uri + "?immutable=1").c_str(), &opened,
                                   SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  const std::unique_ptr<sqlite3, void (*)(sqlite3*)> file(
      opened, [](sqlite3* open) { sqlite3_close_v2(open); });
  if (code != SQLITE_OK) return std::nullopt;
  const auto first_number = [&](const char* sql) -> std::optional<Index> {
    sqlite3_stmt* statement = nullptr;
    std::optional<Index> number;
    if (sqlite3_prepare_v2(file.get(), sql, -1, &statement, nullptr) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
      number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return number;
  };
  if (first_number("PRAGMA application_id") != application) return std::nullopt;
  const std::optional<Index> owner = first_number("SELECT owner FROM run");
  if (!owner) return std::nullopt;
  return static_cast<std::uint64_t>(*owner);
}

void remove_segments(const std::string& path) {
  std::error_code ignored;  // a file that cannot be removed does no harm
  for (const char* const ending : {"", "-wal", "-shm", "-journal"})
    std::filesystem::remove(path + ending, ignored);
}

}  // namespace larmor::parsplice
