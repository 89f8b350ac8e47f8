#pragma once
// Memory that this process can still allocate: the minimum over the machine, the control groups of
// the process, and its limits (`ulimit`).

#include <optional>
#include <string>

namespace larmor {

struct FreeMemory {
  double bytes = 0;
  std::string limit = {};  ///< the limit that decides, for users; empty if it is the machine's
                           ///< memory

  /// "120 MiB are free under the limit of address space (ulimit -v)"
  std::string words() const;
};

/// @param processes number that share the machine and its control groups; limits hold for each
/// process
FreeMemory free_memory(int processes = 1);

/// The least memory that control groups of version 2 or 1 leave; nothing if they set no limit.
/// Checks each group from that of the process up to the root. The file cache counts as free.
/// @param root mount point of the control groups @param membership the text of /proc/self/cgroup
std::optional<FreeMemory> free_in_control_groups(const std::string& root,
                                                 const std::string& membership);

}  // namespace larmor
