#pragma once
// The lock for calls of HDF5, with the file that is used. HDF5 does not allow two threads to call
// it at once. With damaged files it crashes, or never returns.

#include <cstdint>
#include <mutex>
#include <string>

namespace larmor::io {

/// The lock of a caller of HDF5. A thread that holds it may take it again.
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

/// Marks a write to a disk for HDF5, while this object lives. It may be long on slow disks.
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
