#include "larmor/io/files/durable_file.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "larmor/core/text.hpp"
#include "larmor/io/files/checksum.hpp"

namespace larmor::io {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

constexpr std::string_view before_process = ".tmp-";

/// The ending that makes the name of a temporary file from the name of its file.
std::string temporary_ending(const std::string& name, pid_t process) {
  const std::string number = std::to_string(process);
  char check[20];
  std::snprintf(check, sizeof(check), "%016llx",
                static_cast<unsigned long long>(checksum("larmor " + name + " " + number)));
  return std::string(before_process) + number + "-" + check;
}

std::string temporary_name(const std::string& path) {
  return path + temporary_ending(fs::path(path).filename().string(), ::getpid());
}

/// The process whose temporary file has this name; nothing if no process of Larmor gives such a
/// name.
std::optional<pid_t> process_of(const std::string& name) {
  const std::size_t at = name.rfind(before_process);
  if (at == std::string::npos) return std::nullopt;
  const char* last = name.data() + name.size();
  pid_t process = 0;
  const auto parsed = std::from_chars(name.data() + at + before_process.size(), last, process);
  if (parsed.ec != std::errc{} || process <= 0) return std::nullopt;
  if (name.substr(at) != temporary_ending(name.substr(0, at), process)) return std::nullopt;
  return process;
}

/// Opens a new file. An existing file of this name belongs to an earlier process.
FileHandle new_file(const std::string& path) {
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW;
  try {
    return FileHandle(path, flags);
  } catch (const DiskError& error) {
    if (error.error_number() != EEXIST || ::unlink(path.c_str()) != 0) throw;
    return FileHandle(path, flags);
  }
}

/// Names of temporary files. The thread that removes a name from the list owns it.
constexpr std::size_t most_listed = 4096;
std::array<std::atomic<const char*>, most_listed> listed_temporaries{};
std::atomic<bool> process_ends{false};

/// Copies the remaining bytes of `from` through memory.
void copy_by_reading(FileHandle& from, std::uint64_t offset, FileHandle& to) {
  std::vector<char> buffer(std::size_t{1} << 20);
  const std::uint64_t size = from.size();
  while (offset < size) {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), size - offset);
    from.read_at(offset, buffer.data(), count);
    to.write(buffer.data(), count);
    offset += count;
  }
}

/// Does this error mean that copy_file_range does not support the files? Other errors are failures
/// of the disk.
bool means_unsupported(int error) {
  return error == EXDEV || error == EINVAL || error == ENOSYS || error == EOPNOTSUPP ||
         error == EPERM || error == EBADF;
}

InputError existing_file(const std::string& path) {
  return InputError("the output '" + path + "' exists",
                    "--force replaces it, --output names another");
}

/// A mistyped output must not replace results, checkpoints or archives with a text.
void require_text(const std::string& path) {
  constexpr std::uint64_t most_looked_at = 64;
  const FileHandle file(path, O_RDONLY);
  std::string start(std::min(file.size(), most_looked_at), '\0');
  file.read_at(0, start.data(), start.size());
  if (start.find('\0') != std::string::npos)
    throw InputError("the output '" + path + "' exists and is not text",
                     "--force replaces text only: choose another --output, or remove that file");
}

/// The file behind the path, after a check that it may be written.
std::string require_writable(const std::string& path, IfExists if_exists) {
  const std::string target = file_behind(path);
  check_output(target);
  if (fs::exists(target)) {
    if (if_exists == IfExists::refuse) throw existing_file(path);
    require_text(path);
  }
  remove_stale_temporaries(target);
  return target;
}

/// A process that has ended counts as dead, even if its parent has not waited for it.
bool is_running(pid_t process) {
  if (::kill(process, 0) != 0 && errno == ESRCH) return false;
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string words{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = words.rfind(") ");
  return name_end == std::string::npos || words.substr(name_end + 2, 1) != "Z";
}

/// Removes temporary files whose names have this beginning, if their processes are dead.
void remove_stale(const fs::path& folder, const std::string& beginning) {
  std::error_code ignored;  // temporary files stay in a folder that cannot be listed
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(beginning)) continue;
    const std::optional<pid_t> process = process_of(name);
    // A file with our own process id is from an earlier process: this process is not writing it
    // now.
    if (!process || (*process != ::getpid() && is_running(*process))) continue;
    std::error_code unremovable;
    fs::remove(entry->path(), unremovable);
  }
}

}  // namespace

DiskError::DiskError(const std::string& action, const std::string& path, int error_number)
    : MachineError("cannot " + action + " '" + path +
                   "': " + std::generic_category().message(error_number)),
      error_number_(error_number) {}

FileHandle::FileHandle(const std::string& path, int flags)
    : path_(path), descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw DiskError((flags & O_CREAT) != 0 ? "create" : "open", path, errno);
}

FileHandle::FileHandle(FileHandle&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileHandle::~FileHandle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t FileHandle::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) throw DiskError("examine", path_, errno);
  return static_cast<std::uint64_t>(status.st_size);
}

void FileHandle::write(const void* bytes, std::size_t count) {
  const auto* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::write(descriptor_, next, std::min(count, largest_transfer));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw DiskError("write", path_, errno);
    next += written;
    count -= static_cast<std::size_t>(written);
  }
}

void FileHandle::read_at(std::uint64_t offset, void* bytes, std::size_t count) const {
  auto* next = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got =
        ::pread(descriptor_, next, std::min(count, largest_transfer), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw DiskError("read", path_, got < 0 ? errno : EIO);
    next += got;
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

void FileHandle::sync() {
  if (::fsync(descriptor_) != 0) throw DiskError("write", path_, errno);
}

bool FileHandle::is_at(const std::string& path) const {
  struct stat ours {};
  struct stat theirs {};
  if (::fstat(descriptor_, &ours) != 0 || ::stat(path.c_str(), &theirs) != 0) return false;
  return ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

FileLock::FileLock(const std::string& path) : file_(path, O_RDWR) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds patience{10};
  constexpr std::chrono::milliseconds between_attempts{10};
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  for (const auto begun = Clock::now(); ::fcntl(file_.descriptor(), F_OFD_SETLK, &whole) != 0;) {
    if ((errno != EAGAIN && errno != EACCES && errno != EINTR) || Clock::now() - begun > patience)
      return;
    std::this_thread::sleep_for(between_attempts);
  }
}

RemovedBySignals::RemovedBySignals(const std::string& path) : place_(nullptr) {
  const char* name = ::strdup(path.c_str());
  for (auto& place : listed_temporaries) {
    const char* none = nullptr;
    if (!place.compare_exchange_strong(none, name)) continue;
    place_ = &place;
    return;
  }
  std::free(const_cast<char*>(name));
}

void RemovedBySignals::forget() {
  if (place_ != nullptr) std::free(const_cast<char*>(place_->exchange(nullptr)));
  place_ = nullptr;
}

TemporaryFile::TemporaryFile(const std::string& path)
    : path_(path),
      temporary_(temporary_name(path)),
      until_named_(temporary_),
      file_(new_file(temporary_)) {
  // A signal handler may have removed the files before this file existed.
  if (process_ends) ::unlink(temporary_.c_str());
}

TemporaryFile::~TemporaryFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void TemporaryFile::replace() {
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw DiskError("replace", path_, errno);
  temporary_.clear();
  until_named_.forget();
}

bool TemporaryFile::place_if_absent() {
  const int result =
      ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE);
  if (result != 0 && errno == EEXIST) return false;
  if (result != 0 && errno != EINVAL && errno != ENOSYS) throw DiskError("create", path_, errno);
  if (result != 0) {  // the file system has no such rename; this is the closest alternative
    if (::access(path_.c_str(), F_OK) == 0) return false;
    replace();
    return true;
  }
  temporary_.clear();
  until_named_.forget();
  return true;
}

void remove_all_temporaries() noexcept {
  process_ends = true;
  for (auto& place : listed_temporaries)
    if (const char* name = place.exchange(nullptr)) ::unlink(name);
}

bool is_temporary_name(const std::string& path) {
  return process_of(fs::path(path).filename().string()).has_value();
}

WholeFile::WholeFile(const std::string& path, IfExists if_exists)
    : path_(path),
      target_(require_writable(path, if_exists)),
      if_exists_(if_exists),
      temporary_(target_) {}

void WholeFile::write(std::string_view bytes) {
  constexpr std::size_t enough = std::size_t{1} << 20U;
  buffer_ += bytes;
  bytes_ += bytes.size();
  if (buffer_.size() >= enough) flush();
}

void WholeFile::flush() {
  try {
    temporary_.file().write(buffer_.data(), buffer_.size());
    buffer_.clear();
  } catch (const DiskError& error) {
    throw write_failure(path_, bytes_, error);
  }
}

void WholeFile::finish() {
  flush();
  try {
    temporary_.file().sync();
    if (if_exists_ == IfExists::replace) {
      temporary_.replace();
    } else if (!temporary_.place_if_absent()) {
      throw existing_file(path_);
    }
    sync_folder_of(target_);
  } catch (const DiskError& error) {
    throw write_failure(path_, bytes_, error);
  }
}

void copy_file(const std::string& from, FileHandle& target) {
  FileHandle source(from, O_RDONLY);
  if (::ioctl(target.descriptor(), FICLONE, source.descriptor()) == 0) return;
  const std::uint64_t size = source.size();
  std::uint64_t copied = 0;
  while (copied < size) {
    auto offset = static_cast<off64_t>(copied);
    const ssize_t count =
        ::copy_file_range(source.descriptor(), &offset, target.descriptor(), nullptr,
                          std::min<std::uint64_t>(size - copied, largest_transfer), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 || (count < 0 && means_unsupported(errno))) {
      copy_by_reading(source, copied, target);
      return;
    }
    if (count < 0) throw DiskError("write", target.path(), errno);
    copied += static_cast<std::uint64_t>(count);
  }
}

void sync_folder_of(const std::string& path) {
  FileHandle folder(folder_of(path).string(), O_RDONLY | O_DIRECTORY);
  // Some network file systems cannot sync a folder and return EINVAL: this cannot be avoided.
  if (::fsync(folder.descriptor()) != 0 && errno != EINVAL) {
    throw DiskError("sync the folder", folder.path(), errno);
  }
}

void remove_stale_temporaries(const std::string& path) {
  remove_stale(folder_of(path), fs::path(path).filename().string() + std::string(before_process));
}

void remove_stale_temporaries_in(const std::string& folder) { remove_stale(folder, ""); }

std::string file_behind(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::canonical(path, error) : fs::path(path);
  return error ? path : target.string();
}

bool is_regular(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(fs::symlink_status(path, error));
}

void check_output(const std::string& path) {
  const fs::path folder = folder_of(path);
  std::error_code error;
  const fs::file_status place = fs::status(path, error);
  if (fs::is_symlink(fs::symlink_status(path, error)) && !fs::exists(place)) {
    throw InputError("the output '" + path + "' is a link that leads to no file",
                     "remove the link, or choose another --output");
  }
  if (path.empty() || path.ends_with('/') || fs::is_directory(place)) {
    throw InputError("the output '" + path + "' is a folder", "name a file in it");
  }
  if (fs::exists(place) && !fs::is_regular_file(place)) {
    throw InputError("the output '" + path + "' is not a regular file", "choose another --output");
  }
  const fs::file_status parent = fs::status(folder, error);
  if (parent.type() == fs::file_type::not_found) {
    throw InputError("there is no folder '" + folder.string() + "' for the output '" + path + "'",
                     "create it with: mkdir -p " + shell_word(folder.string()));
  }
  if (fs::exists(parent) && !fs::is_directory(parent)) {
    throw InputError("'" + folder.string() + "' is not a folder", "choose another --output");
  }
  try {
    TemporaryFile probe(path);
    probe.file().write("", 1);
  } catch (const DiskError& failure) {
    if (failure.error_number() == ENAMETOOLONG)
      throw InputError("the name of the output '" + path + "' is too long",
                       "choose a shorter name with --output");
    throw DiskError("write the output", path, failure.error_number());
  }
}

MachineError write_failure(const std::string& path, std::uint64_t bytes_needed,
                           const DiskError& error) {
  std::string text = DiskError("write", path, error.error_number()).what();
  struct statvfs disk {};
  if (::statvfs(folder_of(path).c_str(), &disk) == 0) {
    text += " (about " + size_text(bytes_needed) + " needed, " +
            size_text(static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize) + " free in '" +
            folder_of(path).string() + "')";
  }
  return MachineError(text);
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; amount >= 999.5 && unit + 1 < units.size(); ++unit) amount /= 1000;
  std::array<char, 32> text{};
  ::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.3g %s", amount, units[unit]);
  return text.data();
}

}  // namespace larmor::io
