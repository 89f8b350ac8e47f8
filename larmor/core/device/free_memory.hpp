#pragma once
// Memory that this process can still have: the least of what the machine has, what the control
// groups of the process leave, and what the limits of the process leave (`ulimit`).

#include <optional>
#include <string>

namespace larmor {

struct FreeMemory {
  double bytes = 0;
  std::string limit = {};  ///< that decides, for people; empty: the machine has no more

  /// "120 MiB are free under the limit of address space (ulimit -v)"
  std::string words() const;
};

/// @param processes that share the machine and its control groups; limits are of each process
FreeMemory free_memory(int processes = 1);

/// The least that control groups, of version 2 or 1, leave; nothing if they set no limit. Each
/// group from that of the process up to the root is looked at. The cache of files counts as free.
/// @param root where they are mounted @param membership the text of /proc/self/cgroup
std::optional<FreeMemory> free_in_control_groups(const std::string& root,
                                                 const std::string& membership);

}  // namespace larmor
