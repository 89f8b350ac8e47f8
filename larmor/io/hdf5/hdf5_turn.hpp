#pragma once
// Who calls HDF5, and over which file. HDF5 lets no two threads call it at once; over damaged files
// it crashes, or never returns.

#include <cstdint>
#include <mutex>
#include <string>

namespace larmor::io {

/// Held by whoever calls HDF5. One who holds it may take it again.
class Hdf5Turn {
 public:
  /// @param path of the file that HDF5 is called for; of a copy the one that is read
  explicit Hdf5Turn(const std::string& path);
  ~Hdf5Turn();
  Hdf5Turn(const Hdf5Turn&) = delete;
  Hdf5Turn& operator=(const Hdf5Turn&) = delete;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
};

/// The number of the turn that somebody has; 0: nobody has one. For handlers of signals.
std::uint64_t hdf5_turn_now();

/// A write to a disk on behalf of HDF5, for as long as this lives. Slow disks let it last long.
class Hdf5Write {
 public:
  Hdf5Write();
  ~Hdf5Write();
  Hdf5Write(const Hdf5Write&) = delete;
  Hdf5Write& operator=(const Hdf5Write&) = delete;
};

/// Beginnings and ends of writes until now: odd within one. For handlers of signals.
std::uint64_t hdf5_writes_now();

/// From now on a crash within a turn ends the program with a message that names the file, and with
/// exit code 3.
void tell_of_crashes_in_hdf5();

}  // namespace larmor::io
