#pragma once
// Profile of a run: times of named, nested regions of the program and of launches on GPUs
// (core/device/gpu_profile.hpp). Unless a profile is requested, nothing is recorded and a region
// costs one branch. In builds with CUDA, regions are also NVTX ranges, which an attached tool shows
// (Nsight Systems).

#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor {

struct ProfileRow {
  int depth;  ///< 0 if inside no other region
  std::string name;
  Index calls;
  double seconds;  ///< including the regions inside it
};

struct Profile {
  double seconds = 0;               ///< from start to end
  std::vector<ProfileRow> regions;  ///< each region before the regions inside it, the longest first
  std::vector<ProfileRow> launches;  ///< launches on GPUs, the longest first
};

/// Begins to record the calling thread, and drops earlier records.
void start_profile();
/// Is time being recorded?
bool is_profiling();
/// Ends recording. Open regions are left out. @throws MachineError if a GPU failed
Profile end_profile();

/// The name of a type or functor without namespaces and template arguments.
std::string short_type_name(const std::string& name);

namespace profiling {

/// Is time being recorded, or is a tool attached?
extern bool watched;
/// Is a tool attached that reads NVTX ranges?
bool tool_is_attached();
void begin_range(const char* name);
void end_range();

/// The records of an open region, which end with the region.
struct OpenRegion {
  unsigned recording = 0;  ///< number of the recording; 0 if this region is not recorded
  bool range = false;
};
OpenRegion enter(const char* name);
void leave(const OpenRegion& region) noexcept;

}  // namespace profiling

/// Adds the time until the end of the scope to the row `name`. Regions are recorded only on the
/// thread that started the recording, and not in parallel loops. The region around a parallel loop
/// includes the time of the loop.
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
