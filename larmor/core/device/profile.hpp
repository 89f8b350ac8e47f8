#pragma once
// Where the time of a run goes: regions of the program by name, nested as they are entered, and
// what is launched on GPUs (core/device/gpu_profile.hpp). Nothing is recorded, at the price of a
// branch, unless it is asked for. In builds with CUDA regions are NVTX ranges as well, seen by a
// tool that is attached (Nsight Systems).

#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

struct ProfileRow {
  int depth;  ///< 0: inside no other region
  std::string name;
  Index calls;
  double seconds;  ///< with the regions inside it
};

struct Profile {
  double seconds = 0;                ///< from start to end
  std::vector<ProfileRow> regions;   ///< each before those inside it, the longest first
  std::vector<ProfileRow> launches;  ///< what GPUs did, the longest first
};

/// Begins to record what the calling thread does; what was recorded before is dropped.
void start_profile();
/// Is time being recorded?
bool is_profiling();
/// Ends recording. Regions that are still open are left out. @throws MachineError when a GPU failed
Profile end_profile();

/// What people read of a type or a functor: without namespaces and template arguments.
std::string short_type_name(const std::string& name);

namespace profiling {

/// Does anybody look: is time recorded, or a tool attached?
extern bool watched;
/// Is a tool attached that reads NVTX ranges?
bool tool_is_attached();
void begin_range(const char* name);
void end_range();

/// What is to be ended of a region.
struct OpenRegion {
  unsigned recording = 0;  ///< number of the recording; 0: it is not recorded
  bool range = false;
};
OpenRegion enter(const char* name);
void leave(const OpenRegion& region) noexcept;

}  // namespace profiling

/// Time from here to the end of the scope belongs to `name`. Inside a parallel section, and in
/// other threads than the one that started the recording, nothing is recorded: the region around it
/// is.
class Region {
 public:
  explicit Region(const char* name) {
    if (profiling::watched) open_ = profiling::enter(name);
  }
  explicit Region(const std::string& name) : Region(name.c_str()) {}
  ~Region() {
    if (open_.recording != 0 || open_.range) profiling::leave(open_);
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  profiling::OpenRegion open_;
};

}  // namespace larmor
