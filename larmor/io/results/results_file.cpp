#include "larmor/io/results/results_file.hpp"

#include <fcntl.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "larmor/core/device/profile.hpp"
#include "larmor/core/text.hpp"
#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/hdf5/hdf5_copy.hpp"
#include "larmor/io/hdf5/hdf5_file.hpp"

namespace larmor::io {
namespace {

namespace fs = std::filesystem;

struct Write {
  std::string path;
  DataArray data;
  Attributes attributes;
};
struct Append {
  std::string path;
  DataArray rows;
};
struct SetAttribute {
  std::string path, name;
  DataArray value;
};
struct AttachScale {
  std::string path;
  Index axis;
  std::string scale;
};
struct TakeIn {
  std::string file, group;
  Links links;
};
struct Truncate {
  std::string path;
  Index length;
};
struct Remove {
  std::string path;
};
using Change = std::variant<Write, Append, SetAttribute, AttachScale, TakeIn, Truncate, Remove>;

void apply(Hdf5File& file, const Write& change) {
  file.write(change.path, change.data);
  for (const auto& [name, value] : change.attributes) file.set_attribute(change.path, name, value);
}
void apply(Hdf5File& file, const Append& change) { file.append(change.path, change.rows); }
void apply(Hdf5File& file, const SetAttribute& change) {
  file.require_group(change.path);
  file.set_attribute(change.path, change.name, change.value);
}
void apply(Hdf5File& file, const AttachScale& change) {
  file.attach_scale(change.path, change.axis, change.scale);
}
void apply(Hdf5File& file, const TakeIn& change) {
  copy_group(Hdf5File(change.file, Hdf5File::Mode::read), "/", file, change.group, change.links);
}
void apply(Hdf5File& file, const Truncate& change) { file.truncate(change.path, change.length); }
void apply(Hdf5File& file, const Remove& change) {
  if (file.exists(change.path)) file.remove(change.path);
}

/// Applies all changes to a file, syncs and closes it.
void apply_all(Hdf5File& file, const std::vector<Change>& changes) {
  try {
    for (const Change& change : changes) {
      std::visit([&](const auto& each) { apply(file, each); }, change);
      if (file.write_error() != 0) break;
    }
  } catch (const MachineError&) {
    // If a full disk did not keep data, HDF5 fails later. Then `close` reports the true reason.
    if (file.write_error() == 0) throw;
  }
  file.close();
}

/// Objects that the next file does not take over unchanged: the changes remove, rewrite or cut
/// them.
Differences differences_of(const std::vector<Change>& changes) {
  Differences differences;
  for (const Change& change : changes) {
    if (const auto* remove = std::get_if<Remove>(&change)) {
      differences.left_out.insert(remove->path);
    } else if (const auto* write = std::get_if<Write>(&change)) {
      differences.rewritten.insert(write->path);
    } else if (const auto* truncate = std::get_if<Truncate>(&change)) {
      const auto [rows, is_new] = differences.rows.emplace(truncate->path, truncate->length);
      if (!is_new) rows->second = std::min(rows->second, truncate->length);
    }
  }
  return differences;
}

/// The method by which changes reach the file on disk.
enum class CommitMethod {
  copy,    ///< into a copy, which replaces the file
  append,  ///< behind the old contents: for large files with small changes
  compact  ///< into a copy without the unused space of earlier appends
};

/// Chooses the method for each change to a file.
class CommitMethodChoice {
 public:
  CommitMethod operator()(const std::string& path) {
    const std::uint64_t size = fs::file_size(path);
    if (size < worth_it) return CommitMethod::copy;
    // Counting is slow in a file with many objects.
    if (!pays_to_append(size) && size > counted_at_ + counted_at_ / 10) {
      stored_ = stored_bytes(Hdf5File(path, Hdf5File::Mode::read));
      counted_at_ = size;
    }
    if (pays_to_append(size)) return CommitMethod::append;
    return size > stored_.all + stored_.all / 4 ? CommitMethod::compact : CommitMethod::copy;
  }

 private:
  static constexpr std::uint64_t worth_it = std::uint64_t{16} << 20;

  /// Is an append better than a copy? An append rewrites the objects that do not stay in place, and
  /// their old space is lost.
  bool pays_to_append(std::uint64_t size) const {
    return stored_.in_place >= worth_it && size <= stored_.in_place + stored_.in_place / 4;
  }

  StoredBytes stored_;
  std::uint64_t counted_at_ = 0;  ///< size of the file at the last count
};

/// The first bytes of a file. HDF5 stores there the place of the file's contents, which every
/// change moves.
std::vector<char> head_of(const FileHandle& file) {
  constexpr std::uint64_t bytes = 128;
  std::vector<char> head(std::min(bytes, file.size()));
  file.read_at(0, head.data(), head.size());
  return head;
}

struct Series {
  Index length;
  DataArray empty;  ///< no rows, of the type and row shape of the series
};

DataArray without_rows(const DataArray& rows) {
  if (rows.is_scalar()) throw InternalError("rows of a series need a first axis");
  Shape shape = rows.shape();
  shape.front() = 0;
  DataArray empty = std::visit(
      [&](const auto& values) { return DataArray(std::decay_t<decltype(values)>{}, shape); },
      rows.elements());
  empty.read_from(rows.place());
  return empty;
}

bool is_in(const std::string& path, const std::string& group) {
  return path == group || path.starts_with(group + "/");
}

InputError existing_output(const std::string& path) {
  return InputError("the output '" + path + "' exists",
                    "`larmor resume " + shell_word(path) +
                        "` continues an unfinished run, --force replaces the output, and --output "
                        "names another file");
}

/// With --force, a run may replace only results. A mistyped output must not cost a study, a table
/// of couplings, or another program's HDF5 file. An empty file may be replaced.
void require_replaceable(const std::string& path, const std::string& target) {
  if (fs::file_size(target) == 0) return;
  try {
    static_cast<void>(ResultsReader(target));
  } catch (const Error&) {
    throw InputError("the output '" + path + "' exists and is not a results file that can be read",
                     "--force replaces only results: choose another --output, or remove that file");
  }
}

}  // namespace

struct ResultsFile::State {
  std::string path;    ///< as in the user's input
  std::string target;  ///< the file that is replaced
  IfExists if_exists = IfExists::refuse;
  /// Our file at `target`. It is held open to detect a replacement by another process. Null if
  /// there is no such file.
  std::unique_ptr<FileHandle> on_disk;
  std::vector<char> head;  ///< first bytes of the file on disk
  CommitMethodChoice method_for;
  std::vector<Change> changes;
  std::size_t buffered_bytes = 0;
  std::map<std::string, Series> series;
  std::map<std::string, std::size_t> open_appends;  ///< changes that may still grow, by path

  void add(Change change, std::size_t bytes) {
    changes.push_back(std::move(change));
    buffered_bytes += bytes + sizeof(Change);
  }
  /// Checks that the file on disk is still ours. @throws MachineError if it is not: two processes
  /// would mix their rows
  void require_ours() const {
    if (on_disk && (!on_disk->is_at(target) || head_of(*on_disk) != head))
      throw MachineError(
          "cannot write '" + path +
          "': another process has replaced, changed or removed it; does the study run twice?");
  }
  void keep_open(std::unique_ptr<FileHandle> file) {
    on_disk = std::move(file);
    head = head_of(*on_disk);
  }
  void append_changes();
  void replace_file(CommitMethod method);
  /// Forgets the series at a path and below it. If rows follow later, they begin new series.
  void forget_series(const std::string& place) {
    std::erase_if(series, [&](const auto& entry) { return is_in(entry.first, place); });
    open_appends.clear();
  }
};

ResultsFile::ResultsFile(std::unique_ptr<State> state) : state_(std::move(state)) {}
ResultsFile::ResultsFile(ResultsFile&&) noexcept = default;
ResultsFile& ResultsFile::operator=(ResultsFile&&) noexcept = default;
ResultsFile::~ResultsFile() = default;

ResultsFile ResultsFile::create(const std::string& file_path, IfExists if_exists) {
  auto state = std::make_unique<State>();
  state->path = file_path;
  state->target = file_behind(file_path);
  state->if_exists = if_exists;
  check_output(state->target);
  if (fs::exists(state->target)) {
    if (if_exists == IfExists::refuse) throw existing_output(file_path);
    require_replaceable(file_path, state->target);
  }
  remove_stale_temporaries(state->target);
  ResultsFile file(std::move(state));
  file.set_attribute("/", "format", results_format);
  file.set_attribute("/", "format_version", results_format_version);
  return file;
}

ResultsFile ResultsFile::open(const std::string& file_path) {
  auto state = std::make_unique<State>();
  state->path = file_path;
  state->target = file_behind(file_path);
  static_cast<void>(ResultsReader(file_path));  // throws if the file has a defect
  state->keep_open(std::make_unique<FileHandle>(state->target, O_RDONLY));
  const ResultsReader reader(file_path);
  reader.require_this_format();
  for (const auto& [path, length] : reader.series_lengths()) {
    state->series.emplace(path, Series{length, without_rows(reader.read_rows(path, 0, 0))});
  }
  check_output(state->target);
  remove_stale_temporaries(state->target);
  return ResultsFile(std::move(state));
}

const std::string& ResultsFile::path() const { return state_->path; }

bool ResultsFile::is_on_disk() const { return state_->on_disk != nullptr; }

void ResultsFile::write(const std::string& path, DataArray data, Attributes attributes) {
  state_->forget_series(path);
  const std::size_t bytes = data.bytes();
  state_->add(Write{path, std::move(data), std::move(attributes)}, bytes);
}

void ResultsFile::append(const std::string& path, DataArray rows, const Attributes& attributes) {
  const auto found = state_->series.find(path);
  const bool begins = found == state_->series.end();
  Series& series = begins
                       ? state_->series.emplace(path, Series{0, without_rows(rows)}).first->second
                       : found->second;
  const std::size_t bytes = rows.bytes();
  const Index count = rows.is_scalar() ? 0 : rows.shape().front();
  series.empty.check_rows(rows);
  const auto last = state_->open_appends.find(path);
  if (last != state_->open_appends.end()) {
    std::get<Append>(state_->changes[last->second]).rows.append(rows);
    state_->buffered_bytes += bytes;
  } else {
    if (begins) state_->add(Remove{path}, 0);  // replaces a dataset of fixed shape
    state_->open_appends[path] = state_->changes.size();
    state_->add(Append{path, std::move(rows)}, bytes);
  }
  series.length += count;
  if (!begins) return;
  for (const auto& [name, value] : attributes) set_attribute(path, name, value);
}

void ResultsFile::set_attribute(const std::string& path, const std::string& name, DataArray value) {
  const std::size_t bytes = value.bytes();
  state_->add(SetAttribute{path, name, std::move(value)}, bytes);
}

void ResultsFile::attach_scale(const std::string& path, Index axis, const std::string& scale) {
  state_->add(AttachScale{path, axis, scale}, 0);
}

void ResultsFile::copy_in(const std::string& file_path, const std::string& group, Links links) {
  static_cast<void>(ResultsReader(file_path));  // throws if the file has a defect
  state_->add(TakeIn{file_path, group, std::move(links)}, 0);
}

void ResultsFile::truncate(const std::string& path, Index length) {
  const auto found = state_->series.find(path);
  if (found == state_->series.end() || length < 0 || length > found->second.length) {
    throw InternalError("'" + path + "' is not a series of at least " + std::to_string(length) +
                        " rows");
  }
  found->second.length = length;
  state_->open_appends.erase(path);
  state_->add(Truncate{path, length}, 0);
}

void ResultsFile::remove(const std::string& path) {
  state_->forget_series(path);
  state_->add(Remove{path}, 0);
}

SeriesLengths ResultsFile::series_lengths() const {
  SeriesLengths lengths;
  for (const auto& [path, series] : state_->series) lengths[path] = series.length;
  return lengths;
}

void ResultsFile::restore_lengths(const SeriesLengths& lengths) {
  const SeriesLengths present = series_lengths();
  for (const auto& [path, length] : lengths) {
    const auto found = present.find(path);
    if (found == present.end() || found->second < length) {
      state_->require_ours();  // an unfinished run writes its results before its checkpoint
      throw InputError("the series '" + path + "' of '" + state_->path + "' has " +
                           std::to_string(found == present.end() ? 0 : found->second) +
                           " rows, but the checkpoint says " + std::to_string(length),
                       "the results are older than their checkpoint, as a copy may be: restore "
                       "the newer results, or run the study again");
    }
  }
  for (const auto& [path, length] : present) {
    const auto found = lengths.find(path);
    if (found == lengths.end()) {
      remove(path);
    } else if (found->second < length) {
      truncate(path, found->second);
    }
  }
}

std::size_t ResultsFile::buffered_bytes() const { return state_->buffered_bytes; }

void ResultsFile::State::append_changes() {
  const FileLock lock(target);
  require_ours();
  const Hdf5File now(target, Hdf5File::Mode::read);
  Hdf5File next(target, Hdf5File::Mode::append);
  transfer_file(now, next, differences_of(changes));
  apply_all(next, changes);
  head = head_of(*on_disk);
}

void ResultsFile::State::replace_file(CommitMethod method) {
  std::optional<FileLock> lock;
  require_ours();
  if (on_disk) lock.emplace(target);
  require_ours();
  TemporaryFile temporary(target);
  if (on_disk && method == CommitMethod::copy) copy_file(target, temporary.file());
  const bool starts_empty = !on_disk || method == CommitMethod::compact;
  Hdf5File file(temporary.path(), starts_empty ? Hdf5File::Mode::create : Hdf5File::Mode::modify);
  if (method == CommitMethod::compact)
    transfer_file(Hdf5File(target, Hdf5File::Mode::read), file, differences_of(changes));
  apply_all(file, changes);
  auto written = std::make_unique<FileHandle>(temporary.path(), O_RDONLY);
  if (on_disk || if_exists == IfExists::replace) {
    temporary.replace();
  } else if (!temporary.place_if_absent()) {
    throw existing_output(path);
  }
  // After the rename, the changes are in the file, even if the sync of its folder fails.
  keep_open(std::move(written));
}

void ResultsFile::commit() {
  State& state = *state_;
  if (state.on_disk && state.changes.empty()) return;
  const Region region("results file");
  std::uint64_t bytes_needed = state.buffered_bytes;
  try {
    state.require_ours();
    const CommitMethod method = state.on_disk ? state.method_for(state.target) : CommitMethod::copy;
    if (method == CommitMethod::append) {
      state.append_changes();
    } else {
      if (state.on_disk) bytes_needed += fs::file_size(state.target);
      state.replace_file(method);
    }
    state.changes.clear();
    state.open_appends.clear();
    state.buffered_bytes = 0;
    sync_folder_of(state.target);
  } catch (const DiskError& error) {
    throw write_failure(state.path, bytes_needed, error);
  } catch (const fs::filesystem_error& error) {
    throw write_failure(state.path, bytes_needed,
                        DiskError("examine", state.path, error.code().value()));
  }
}

}  // namespace larmor::io
