#pragma once
// Files that survive a kill, a crash and a full disk: written beside their place under a temporary
// name, synced, then renamed over it.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "larmor/core/error.hpp"

namespace larmor::io {

/// Bytes that are read or written at once, at most: Linux takes no more than 2 GiB.
inline constexpr std::size_t largest_transfer = std::size_t{1} << 30;

/// What becomes of a file that has the name of a new one.
enum class IfExists { refuse, replace };

/// A call of the operating system failed; keeps errno so that a caller can add what it knows.
class DiskError : public MachineError {
 public:
  /// "cannot ACTION 'PATH': text of errno"
  DiskError(const std::string& action, const std::string& path, int error_number);
  int error_number() const noexcept { return error_number_; }

 private:
  int error_number_;
};

/// An open file, closed with its owner. All calls throw DiskError.
class FileHandle {
 public:
  /// @param flags of open(2); O_CLOEXEC is added
  FileHandle(const std::string& path, int flags);
  FileHandle(FileHandle&& other) noexcept;
  FileHandle& operator=(FileHandle&&) = delete;
  ~FileHandle();

  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }
  std::uint64_t size() const;
  /// Writes all of it at the current position.
  void write(const void* bytes, std::size_t count);
  /// Reads all of it from `offset`. @throws DiskError also where the file ends before
  void read_at(std::uint64_t offset, void* bytes, std::size_t count) const;
  void sync();
  /// Is this the file at `path`, or has another one taken its place? As long as the file
  /// is open, no other can have its inode.
  bool is_at(const std::string& path) const;

 private:
  std::string path_;
  int descriptor_;
};

/// A file that only one process of Larmor at a time changes, for as long as this lives. Readers,
/// and HDF5's own locks, neither wait for it nor hold it up. There is no lock if the file system
/// knows none, or if another process keeps it for many seconds.
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
  std::atomic<const char*>* place_;  ///< of its name; null: it has none
};

/// A new file PATH.tmp-<process id>-<checksum of both>, removed with its owner unless it has been
/// renamed. No file that was there is opened, and no link followed: by the checksum the name is
/// Larmor's own.
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
  /// Takes the place of PATH; lasting once the folder is synced. @throws DiskError
  void replace();
  /// The same only if there is no PATH yet; false if there is one. @throws DiskError
  bool place_if_absent();

 private:
  std::string path_;
  std::string temporary_;
  RemovedBySignals until_named_;
  FileHandle file_;
};

/// Removes every temporary file of this process, which ends: for handlers of signals, too.
void remove_all_temporaries() noexcept;

/// Is this the name of a temporary file of any Larmor process?
bool is_temporary_name(const std::string& path);

/// A new file of text, written from its beginning to its end: it appears whole under its name, or
/// not at all. Of a link the file behind it is replaced.
class WholeFile {
 public:
  /// @throws InputError if there is such a file and it is not to be replaced or not text, or if
  ///         the path is wrong; MachineError if its folder cannot be written
  WholeFile(const std::string& path, IfExists if_exists);

  /// Adds to the end. @throws MachineError
  void write(std::string_view bytes);
  /// Gives the file its name. @throws MachineError; InputError if another file has taken the name
  /// meanwhile and is not to be replaced
  void finish();

 private:
  void flush();

  std::string path_;    ///< as the user wrote it
  std::string target_;  ///< the file that is written
  IfExists if_exists_;
  TemporaryFile temporary_;
  std::string buffer_;
  std::uint64_t bytes_ = 0;
};

/// Copies a whole file into an empty one, sharing blocks where the file system can. @throws
/// DiskError
void copy_file(const std::string& from, FileHandle& to);

/// Makes renames in the folder of `path` durable. @throws DiskError
void sync_folder_of(const std::string& path);

/// Removes the temporary files of PATH that processes no longer alive have left.
void remove_stale_temporaries(const std::string& path);
/// Removes those of every file in a folder.
void remove_stale_temporaries_in(const std::string& folder);

/// The file itself where the path is a link to it: renaming would replace the link.
std::string file_behind(const std::string& path);

/// Is it a regular file, and no link to one?
bool is_regular(const std::string& path);

/// Can a file be made in the folder of `path`? Tries, and leaves nothing behind.
/// @throws InputError if there is no such folder or `path` is not a regular file;
///         MachineError for lack of permission, a read-only or full disk
void check_output(const std::string& path);

/// "cannot write 'PATH': reason", with the bytes that were needed and those free in its folder.
MachineError write_failure(const std::string& path, std::uint64_t bytes_needed,
                           const DiskError& error);

/// "1.5 MB": decimal prefixes.
std::string size_text(std::uint64_t bytes);

}  // namespace larmor::io
