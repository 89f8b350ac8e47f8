#include "larmor/io/results/checkpoint.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

namespace larmor::io {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

constexpr std::string_view magic = "LARMCKPT";
constexpr std::uint64_t format_version = 3;  // FORMAT: version of the file format, for any blocks
constexpr std::size_t buffer_size = std::size_t{1} << 20;
constexpr std::uint64_t checksum_bytes = sizeof(std::uint64_t);

/// FORMAT: never renumber.
enum BlockType : std::uint64_t {
  end_of_blocks = 0,
  doubles_block = 1,
  integers_block = 2,
  unsigned_block = 3,
  bytes_block = 4,
  text_block = 5,
  texts_block = 6,
};

std::uint64_t element_size(std::uint64_t type) { return type <= unsigned_block ? 8 : 1; }

std::string previous_path(const std::string& path) { return path + ".prev"; }

DamagedCheckpoint damaged(const std::string& path, const std::string& what) {
  return DamagedCheckpoint("the checkpoint '" + path + "' is damaged: " + what);
}

/// The damage that makes the file unusable, found from its first bytes and checksum; nothing if
/// there is none.
std::optional<std::string> find_damage(const FileHandle& file) {
  const std::uint64_t size = file.size();
  if (size < magic.size() + checksum_bytes) return "it is too short";
  std::string start(magic.size(), '\0');
  file.read_at(0, start.data(), start.size());
  if (start != magic) return "it is not a checkpoint of Larmor";

  Checksum sum;
  std::vector<std::byte> buffer(buffer_size);
  const std::uint64_t end = size - checksum_bytes;
  for (std::uint64_t offset = 0; offset < end;) {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), end - offset);
    file.read_at(offset, buffer.data(), count);
    sum.add(std::span(buffer).first(count));
    offset += count;
  }
  std::uint64_t expected = 0;
  file.read_at(end, &expected, sizeof(expected));
  if (sum.value() != expected) return "its checksum is wrong";
  return std::nullopt;
}

bool is_whole(const std::string& path) {
  try {
    return !find_damage(FileHandle(path, O_RDONLY));
  } catch (const DiskError&) {
    return false;
  }
}

bool is_there(const std::string& path) {
  std::error_code error;
  const fs::file_type type = fs::symlink_status(path, error).type();
  return type != fs::file_type::not_found && type != fs::file_type::none &&
         type != fs::file_type::unknown;
}

/// Is the file empty or full of zeros? A power failure may leave such a file.
bool is_blank(const std::string& path) {
  if (!is_regular(path)) return false;
  const FileHandle file(path, O_RDONLY);
  std::vector<char> buffer(buffer_size);
  const std::uint64_t size = file.size();
  for (std::uint64_t offset = 0; offset < size;) {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), size - offset);
    file.read_at(offset, buffer.data(), count);
    if (std::any_of(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count),
                    [](char byte) { return byte != 0; }))
      return false;
    offset += count;
  }
  return true;
}

/// The path of a checkpoint that the run has not written, if there is one. The newest checkpoint
/// may be empty or full of zeros. Then it counts as the run's if the run has written the previous
/// one.
std::optional<std::string> not_of(std::uint64_t run, const std::string& path) {
  const std::string previous = previous_path(path);
  if (is_there(previous) && run_of_checkpoint(previous) != run) return previous;
  if (!is_there(path) || run_of_checkpoint(path) == run) return std::nullopt;
  if (is_there(previous) && is_blank(path)) return std::nullopt;
  return path;
}

/// Removes the temporary files of dead processes, and returns the path.
const std::string& without_stale_temporaries(const std::string& path) {
  remove_stale_temporaries(path);
  return path;
}

}  // namespace

std::string checkpoint_path(const std::string& results_path) {
  return file_behind(results_path) + ".ckpt";
}

bool is_checkpoint(const std::string& path) {
  if (!is_regular(path)) return false;
  const FileHandle file(path, O_RDONLY);
  std::string start(magic.size(), '\0');
  if (file.size() < start.size()) return false;
  file.read_at(0, start.data(), start.size());
  return start == magic;
}

std::optional<std::uint64_t> run_of_checkpoint(const std::string& path) {
  if (!is_checkpoint(path)) return std::nullopt;
  const FileHandle file(path, O_RDONLY);
  std::array<std::uint64_t, 2> format_and_run{};
  if (file.size() < magic.size() + sizeof(format_and_run)) return std::nullopt;
  file.read_at(magic.size(), format_and_run.data(), sizeof(format_and_run));
  if (format_and_run[0] != format_version) return std::nullopt;
  return format_and_run[1];
}

void require_no_checkpoints(const std::string& path, const std::optional<std::uint64_t>& replaced) {
  if (replaced && !not_of(*replaced, path)) return;
  for (const std::string& each : {path, previous_path(path)}) {
    if (!is_there(each) || (replaced && run_of_checkpoint(each) == replaced)) continue;
    if (!is_checkpoint(each))
      throw InputError(
          "'" + each + "' exists and is not a checkpoint of Larmor",
          "move this file, or choose another --output: the run writes its checkpoints here");
    throw InputError(
        "'" + each + "' is the checkpoint of another run",
        "move this file to the results of that run, remove it, or choose another --output");
  }
}

void require_checkpoints_of(const std::string& path, std::uint64_t run) {
  const std::optional<std::string> other = not_of(run, path);
  if (!other) return;
  const bool is_older_or_newer = is_checkpoint(*other) && !run_of_checkpoint(*other);
  if (is_older_or_newer) return;  // the reader of this checkpoint reports its format
  throw InputError("'" + *other + "' is not a checkpoint of this run",
                   is_checkpoint(*other) ? "move this file to the results of its run"
                   : *other == path && run_of_checkpoint(previous_path(path)) == run
                       ? "move this file: the run then continues from '" + previous_path(path) + "'"
                       : "move this file, because the run writes its checkpoints here; if the "
                         "run's own checkpoint is lost, give --from-start");
}

void remove_checkpoints(const std::string& path, std::uint64_t run) {
  std::error_code ignored;  // a checkpoint that cannot be read or removed does no harm
  const std::string previous = previous_path(path);
  try {
    const bool has_previous = run_of_checkpoint(previous) == run;
    if (run_of_checkpoint(path) == run || (has_previous && is_blank(path)))
      fs::remove(path, ignored);
    if (has_previous) fs::remove(previous, ignored);
  } catch (const DiskError&) {
  }
  remove_stale_temporaries(path);
}

CheckpointWriter::CheckpointWriter(const std::string& path, const CheckpointHeader& header)
    : path_(without_stale_temporaries(path)), temporary_(path), run_(header.run) {
  buffer_.reserve(buffer_size);
  put(std::as_bytes(std::span(magic)));
  put_number(format_version);
  put_number(header.run);
  put_text(header.version);
  put_number(header.seed);
  put_number(header.study_hash);
  put_text(header.commit);
  put_number(header.layout);
}

void CheckpointWriter::add(const std::string& name, std::span<const double> values) {
  begin_block(name, doubles_block, values.size());
  put(std::as_bytes(values));
}

void CheckpointWriter::add(const std::string& name, std::span<const std::int64_t> values) {
  begin_block(name, integers_block, values.size());
  put(std::as_bytes(values));
}

void CheckpointWriter::add(const std::string& name, std::span<const std::uint64_t> values) {
  begin_block(name, unsigned_block, values.size());
  put(std::as_bytes(values));
}

void CheckpointWriter::add(const std::string& name, std::span<const std::byte> bytes) {
  begin_block(name, bytes_block, bytes.size());
  put(bytes);
}

void CheckpointWriter::add(const std::string& name, std::string_view text) {
  begin_block(name, text_block, text.size());
  put(std::as_bytes(std::span(text)));
}

void CheckpointWriter::add(const std::string& name, std::span<const std::string> texts) {
  std::uint64_t bytes = 0;
  for (const auto& text : texts) bytes += sizeof(std::uint64_t) + text.size();
  begin_block(name, texts_block, bytes);
  for (const auto& text : texts) put_text(text);
}

void CheckpointWriter::commit() {
  put_number(end_of_blocks);
  put_number(names_.size());
  put_number(checksum_.value());
  flush();
  try {
    temporary_.file().sync();
    if (const std::optional<std::string> other = not_of(run_, path_))
      throw MachineError("cannot write '" + *other +
                         "': a file of that name exists, and this run has not written it");
    // If the newest checkpoint is damaged, it must not replace the previous one. The previous one
    // may be the only whole checkpoint.
    if (is_whole(path_) && ::rename(path_.c_str(), previous_path(path_).c_str()) != 0) {
      throw DiskError("rename", path_, errno);
    }
    temporary_.replace();
    sync_folder_of(path_);
  } catch (const DiskError& error) {
    fail(error);
  }
}

void CheckpointWriter::add(const std::string& before, const Blocks& blocks) {
  for (const auto& [name, block] : blocks)
    std::visit([&, &key = name](const auto& values) { add(before + key, std::span(values)); },
               block);
}

void CheckpointWriter::begin_block(const std::string& name, std::uint64_t type,
                                   std::uint64_t count) {
  if (!names_.insert(name).second) {
    throw InternalError("the checkpoint has a block '" + name + "' already");
  }
  put_number(type);
  put_text(name);
  put_number(count);
}

void CheckpointWriter::put(std::span<const std::byte> bytes) {
  checksum_.add(bytes);
  bytes_written_ += bytes.size();
  if (buffer_.size() + bytes.size() > buffer_size) flush();
  if (bytes.size() <= buffer_size) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    return;
  }
  try {
    temporary_.file().write(bytes.data(), bytes.size());
  } catch (const DiskError& error) {
    fail(error);
  }
}

void CheckpointWriter::put_number(std::uint64_t number) {
  put(std::as_bytes(std::span(&number, 1)));
}

void CheckpointWriter::put_text(std::string_view text) {
  put_number(text.size());
  put(std::as_bytes(std::span(text)));
}

void CheckpointWriter::flush() {
  try {
    temporary_.file().write(buffer_.data(), buffer_.size());
  } catch (const DiskError& error) {
    fail(error);
  }
  buffer_.clear();
}

void CheckpointWriter::fail(const DiskError& error) {
  std::error_code ignored;
  fs::resize_file(temporary_.path(), 0, ignored);  // frees the space of the failed checkpoint
  throw write_failure(path_, bytes_written_, error);
}

/// Reads the fields of a file. It never reads past the end of the file, and checks every size in
/// it.
class CheckpointReader::Cursor {
 public:
  explicit Cursor(const FileHandle& file) : file_(file), end_(file.size() - checksum_bytes) {}

  std::uint64_t number() {
    std::uint64_t value = 0;
    require(sizeof(value));
    file_.read_at(offset_, &value, sizeof(value));
    offset_ += sizeof(value);
    return value;
  }
  std::string text() {
    const std::uint64_t size = number();
    require(size);
    std::string value(size, '\0');
    file_.read_at(offset_, value.data(), size);
    offset_ += size;
    return value;
  }
  /// Skips `count` elements; returns the offset of the first.
  std::uint64_t skip(std::uint64_t count, std::uint64_t bytes_each) {
    if (count > std::numeric_limits<std::uint64_t>::max() / bytes_each) require(end_ + 1);
    require(count * bytes_each);
    offset_ += count * bytes_each;
    return offset_ - count * bytes_each;
  }
  bool at_end() const { return offset_ == end_; }
  const std::string& path() const { return file_.path(); }

 private:
  void require(std::uint64_t bytes) const {
    if (bytes > end_ - offset_) throw damaged(file_.path(), "a length in it is wrong");
  }

  const FileHandle& file_;
  std::uint64_t offset_ = magic.size();
  std::uint64_t end_;
};

CheckpointReader::CheckpointReader(const std::string& path) {
  const std::string previous = previous_path(path);
  const bool has_newest = fs::exists(path);
  if (!has_newest && !fs::exists(previous)) {
    throw InputError("there is no checkpoint '" + path + "'",
                     "a run without a checkpoint cannot be resumed: run the study again");
  }
  newest_problem_ = "there is no checkpoint '" + path + "'";
  bool is_damaged = true;  // true also if the newest checkpoint is missing
  if (has_newest) {
    try {
      open(path);
      newest_problem_.clear();
      return;
    } catch (const MachineError& error) {
      newest_problem_ = error.what();
      is_damaged = dynamic_cast<const DamagedCheckpoint*>(&error) != nullptr;
    }
  }
  std::string problems = newest_problem_ + "; there is no previous checkpoint";
  if (fs::exists(previous)) {
    try {
      open(previous);
      return;
    } catch (const MachineError& error) {
      problems = newest_problem_ + "; " + error.what();
      is_damaged = is_damaged && dynamic_cast<const DamagedCheckpoint*>(&error) != nullptr;
    }
  }
  if (is_damaged) throw DamagedCheckpoint(problems);
  throw MachineError(problems);
}

void CheckpointReader::open(const std::string& path) {
  blocks_.clear();
  file_ = std::make_unique<FileHandle>(path, O_RDONLY);
  if (const auto damage = find_damage(*file_)) throw damaged(path, *damage);
  Cursor cursor(*file_);
  if (const std::uint64_t version = cursor.number(); version != format_version) {
    throw InputError("the checkpoint '" + path + "' has the format " + std::to_string(version) +
                         ", and this version reads " + std::to_string(format_version),
                     "resume with the version of Larmor that wrote this checkpoint");
  }
  header_.run = cursor.number();
  header_.version = cursor.text();
  header_.seed = cursor.number();
  header_.study_hash = cursor.number();
  header_.commit = cursor.text();
  header_.layout = cursor.number();
  read_contents(cursor);
}

void CheckpointReader::read_contents(Cursor& cursor) {
  while (const std::uint64_t type = cursor.number()) {
    if (type > texts_block) throw damaged(cursor.path(), "it has a block of unknown type");
    const std::string name = cursor.text();
    const std::uint64_t count = cursor.number();
    const Place block{type, count, cursor.skip(count, element_size(type))};
    if (!blocks_.emplace(name, block).second) {
      throw damaged(cursor.path(), "it has the block '" + name + "' twice");
    }
  }
  if (cursor.number() != blocks_.size() || !cursor.at_end()) {
    throw damaged(cursor.path(), "it does not end where it should");
  }
}

std::vector<std::string> CheckpointReader::names() const {
  std::vector<std::string> names;
  for (const auto& entry : blocks_) names.push_back(entry.first);
  return names;
}

const CheckpointReader::Place& CheckpointReader::block(const std::string& name,
                                                       std::uint64_t type) const {
  const auto found = blocks_.find(name);
  if (found == blocks_.end() || found->second.type != type) {
    throw MachineError("the checkpoint '" + path() + "' has no block '" + name +
                       "' of the expected type");
  }
  return found->second;
}

template <class T>
std::vector<T> CheckpointReader::elements(const std::string& name, std::uint64_t type) const {
  const Place& found = block(name, type);
  std::vector<T> values(found.count);
  file_->read_at(found.offset, values.data(), values.size() * sizeof(T));
  return values;
}

std::vector<double> CheckpointReader::doubles(const std::string& name) const {
  return elements<double>(name, doubles_block);
}

std::vector<std::int64_t> CheckpointReader::integers(const std::string& name) const {
  return elements<std::int64_t>(name, integers_block);
}

std::vector<std::uint64_t> CheckpointReader::unsigned_integers(const std::string& name) const {
  return elements<std::uint64_t>(name, unsigned_block);
}

std::vector<std::byte> CheckpointReader::bytes(const std::string& name) const {
  return elements<std::byte>(name, bytes_block);
}

Blocks CheckpointReader::blocks(const std::string& before) const {
  Blocks found;
  for (const auto& [path, place] : blocks_) {
    if (!path.starts_with(before)) continue;
    Block& block = found[path.substr(before.size())];
    switch (place.type) {
      case doubles_block:
        block = doubles(path);
        break;
      case integers_block:
        block = integers(path);
        break;
      case unsigned_block:
        block = unsigned_integers(path);
        break;
      case bytes_block:
        block = bytes(path);
        break;
      default:
        throw damaged(file_->path(), "'" + path + "' holds no numbers");
    }
  }
  return found;
}

std::string CheckpointReader::text(const std::string& name) const {
  const std::vector<char> letters = elements<char>(name, text_block);
  return {letters.begin(), letters.end()};
}

std::vector<std::string> CheckpointReader::texts(const std::string& name) const {
  const std::vector<char> encoded = elements<char>(name, texts_block);
  std::span<const char> rest(encoded);
  std::vector<std::string> texts;
  while (!rest.empty()) {
    std::uint64_t size = 0;
    if (rest.size() < sizeof(size)) throw damaged(path(), "a length in it is wrong");
    std::memcpy(&size, rest.data(), sizeof(size));
    rest = rest.subspan(sizeof(size));
    if (rest.size() < size) throw damaged(path(), "a length in it is wrong");
    texts.emplace_back(rest.data(), size);
    rest = rest.subspan(size);
  }
  return texts;
}

void CheckpointReader::read_into(const std::string& name, std::span<double> values) const {
  const Place& found = block(name, doubles_block);
  if (found.count != values.size()) {
    throw MachineError("the block '" + name + "' of the checkpoint '" + path() + "' has " +
                       std::to_string(found.count) + " numbers, not " +
                       std::to_string(values.size()));
  }
  file_->read_at(found.offset, values.data(), values.size_bytes());
}

}  // namespace larmor::io
