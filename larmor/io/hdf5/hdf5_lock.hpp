#pragma once
// The lock for calls of HDF5, because two threads must not call HDF5 at once. The lock also stores
// the path of the file in use, because HDF5 may crash on damaged files, or never return.

#include <cstdint>
#include <mutex>
#include <string>

namespace larmor::io {

/// The lock of a caller of HDF5. A thread that holds the lock may take it again.
class Hdf5Lock {
 public:
  /// @param path the file for which HDF5 is called; for a copy, the file that is read
  explicit Hdf5Lock(const std::string& path);
  ~Hdf5Lock();
  Hdf5Lock(const Hdf5Lock&) = delete;
  Hdf5Lock& operator=(const Hdf5Lock&) = delete;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

/// The number of the lock that a thread holds now; 0 if none is held. For signal handlers.
std::uint64_t hdf5_lock_number();

/// While this object lives, HDF5 is writing to a disk. On slow disks a write may take long.
class Hdf5Write {
 public:
  Hdf5Write();
  ~Hdf5Write();
  Hdf5Write(const Hdf5Write&) = delete;
  Hdf5Write& operator=(const Hdf5Write&) = delete;
};

/// Number of beginnings and ends of writes until now: odd within a write. For signal handlers.
std::uint64_t hdf5_writes_now();

/// From now on, a crash of a thread that holds the lock ends the program with exit code 3. The
/// message names the file.
void report_hdf5_crashes();

}  // namespace larmor::io
