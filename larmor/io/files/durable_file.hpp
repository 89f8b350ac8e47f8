#pragma once
// Files that survive a kill, a crash and a full disk. A file is written under a temporary name in
// its folder, synced, and then renamed.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "larmor/core/error.hpp"

namespace larmor::io {

/// The most bytes that are read or written at once: Linux allows at most 2 GiB.
inline constexpr std::size_t largest_transfer = std::size_t{1} << 30;

/// The treatment of an existing file with the name of a new one.
enum class IfExists { refuse, replace };

/// An error of a system call. Keeps errno, so that a caller can add details.
class DiskError : public MachineError {
 public:
  /// "cannot ACTION 'PATH': text of errno"
  DiskError(const std::string& action, const std::string& path, int error_number);
  int error_number() const noexcept { return error_number_; }

 private:
  int error_number_;
};

/// An open file, closed by the destructor. All calls throw DiskError.
class FileHandle {
 public:
  /// @param flags flags of open(2); O_CLOEXEC is added
  FileHandle(const std::string& path, int flags);
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&&) = delete;
  ~FileHandle();

  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }
  std::uint64_t size() const;
  /// Writes all bytes at the current position.
  void write(const void* bytes, std::size_t count);
  /// Reads all bytes from `offset`. @throws DiskError, also if the file ends too early
  void read_at(std::uint64_t offset, void* bytes, std::size_t count) const;
  void sync();
  /// Is the open file still at `path`? False if another file has replaced it. While the file is
  /// open, no other file can have its inode.
  bool is_at(const std::string& path) const;

 private:
  std::string path_;
  int descriptor_;
};

/// A lock: only one process of Larmor at a time changes the file, while this object lives. The lock
/// does not affect readers or HDF5's own locks. There is no lock if the file system does not
/// support it, or if another process holds it for many seconds.
class FileLock {
 public:
  /// @throws DiskError
  explicit FileLock(const std::string& path);

 private:
  FileHandle file_;
};

/// A file that is removed if a signal ends the process; see `remove_all_temporaries`.
class RemovedBySignals {
 public:
  explicit RemovedBySignals(const std::string& path);
  RemovedBySignals(const RemovedBySignals&) = delete;
  RemovedBySignals& operator=(const RemovedBySignals&) = delete;
  ~RemovedBySignals() { forget(); }
  void forget();

 private:
  std::atomic<const char*>* place_;  ///< place of its name; null if it has none
};

/// A new file PATH.tmp-<process id>-<checksum of both>. The destructor removes the file unless it
/// has been renamed. The constructor never opens an existing file and never follows a link: the
/// checksum makes the name unique to Larmor.
class TemporaryFile {
 public:
  /// @throws DiskError
  explicit TemporaryFile(const std::string& path);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  const std::string& path() const { return temporary_; }
  /// Open for reading and writing.
  FileHandle& file() { return file_; }
  /// Renames the file to PATH. The new name is durable after a sync of the folder. @throws
  /// DiskError
  void replace();
  /// Renames the file to PATH only if PATH does not exist; false if PATH exists. @throws DiskError
  bool place_if_absent();

 private:
  std::string path_;
  std::string temporary_;
  RemovedBySignals until_named_;
  FileHandle file_;
};

/// Removes every temporary file of this process before it ends. Safe in signal handlers.
void remove_all_temporaries() noexcept;

/// Is this the name of a temporary file of any Larmor process?
bool is_temporary_name(const std::string& path);

/// A new text file, written from its beginning to its end: it appears complete under its name, or
/// not at all. If the name is a link, the file behind it is replaced.
class WholeFile {
 public:
  /// @throws InputError if the file exists and must not be replaced or is not text, or if the path
  /// is wrong; MachineError if its folder cannot be written
  WholeFile(const std::string& path, IfExists if_exists);

  /// Adds to the end. @throws MachineError
  void write(std::string_view bytes);
  /// Gives the file its name. @throws MachineError; InputError if another file has this name now
  /// and must not be replaced
  void finish();

 private:
  void flush();

  std::string path_;    ///< as in the user's input
  std::string target_;  ///< the file that is written
  IfExists if_exists_;
  TemporaryFile temporary_;
  std::string buffer_;
  std::uint64_t bytes_ = 0;
};

/// Copies a whole file into an empty one. The files share blocks if the file system allows it.
/// @throws DiskError
void copy_file(const std::string& from, FileHandle& to);

/// Makes renames in the folder of `path` durable. @throws DiskError
void sync_folder_of(const std::string& path);

/// Removes the temporary files of PATH that dead processes left.
void remove_stale_temporaries(const std::string& path);
/// Removes the temporary files of dead processes for every file in a folder.
void remove_stale_temporaries_in(const std::string& folder);

/// The file to which `path` leads, if `path` is a link. A rename to `path` would replace the link
/// itself.
std::string file_behind(const std::string& path);

/// Is `path` a regular file, and not a link?
bool is_regular(const std::string& path);

/// Can a file be created in the folder of `path`? The function tries it, and leaves no file.
/// @throws InputError if there is no such folder or `path` is not a regular file; MachineError for
/// lack of permission, a read-only or full disk
void check_output(const std::string& path);

/// "cannot write 'PATH': reason", with the bytes needed and the free bytes in its folder.
MachineError write_failure(const std::string& path, std::uint64_t bytes_needed,
                           const DiskError& error);

/// "1.5 MB": decimal prefixes.
std::string size_text(std::uint64_t bytes);

}  // namespace larmor::io
