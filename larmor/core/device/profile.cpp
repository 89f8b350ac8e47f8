#include "larmor/core/device/profile.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "larmor/core/device/thread_team.hpp"

#if defined(LARMOR_HAS_CUDA)
#include <nvtx3/nvToolsExt.h>

#include <cstdlib>

#include "larmor/core/device/gpu_profile.hpp"
#endif

namespace larmor {
namespace {

using Clock = std::chrono::steady_clock;

struct Node {
  std::string name;
  Node* parent = nullptr;
  Index calls = 0;
  Clock::duration time{};
  Clock::time_point entered;
  std::vector<std::unique_ptr<Node>> inside;

  Node& child(const char* wanted) {
    for (const auto& node : inside)
      if (node->name == wanted) return *node;
    inside.push_back(std::make_unique<Node>());
    inside.back()->name = wanted;
    inside.back()->parent = this;
    return *inside.back();
  }
};

struct Recording {
  unsigned number = 0;  ///< 0 if nothing is recorded
  unsigned last_number = 0;
  std::thread::id thread;
  Clock::time_point started;
  Node root;
  Node* current = nullptr;
};

Recording& recording() {
  static Recording only;
  return only;
}

double seconds_of(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

/// Adds the regions inside a node that ended at least once, the longest first.
void add_rows(const Node& node, int depth, std::vector<ProfileRow>& rows) {
  std::vector<const Node*> nodes;
  for (const auto& inside : node.inside)
    if (inside->calls > 0) nodes.push_back(inside.get());
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const Node* a, const Node* b) { return a->time > b->time; });
  for (const Node* inside : nodes) {
    rows.push_back({depth, inside->name, inside->calls, seconds_of(inside->time)});
    add_rows(*inside, depth + 1, rows);
  }
}

}  // namespace

namespace profiling {

bool watched = tool_is_attached();

#if defined(LARMOR_HAS_CUDA)

bool tool_is_attached() {
  static const bool attached = [] {
    // Some tools set this variable. If it is not set, NVTX reports whether a tool tracks ranges.
    if (std::getenv("NVTX_INJECTION64_PATH") != nullptr) return true;
    if (nvtxRangePushA("larmor") == NVTX_NO_PUSH_POP_TRACKING) return false;
    nvtxRangePop();
    return true;
  }();
  return attached;
}

void begin_range(const char* name) { nvtxRangePushA(name); }
void end_range() { nvtxRangePop(); }

#else

bool tool_is_attached() { return false; }
void begin_range(const char*) {}
void end_range() {}

#endif

OpenRegion enter(const char* name) {
  OpenRegion open;
  open.range = tool_is_attached();
  if (open.range) begin_range(name);
  Recording& r = recording();
  if (r.number == 0 || r.thread != std::this_thread::get_id() || in_shared_loop()) return open;
  r.current = &r.current->child(name);
  r.current->entered = Clock::now();
  open.recording = r.number;
  return open;
}

void leave(const OpenRegion& region) noexcept {
  if (region.range) end_range();
  Recording& r = recording();
  // A region may outlive the recording in which it began.
  if (region.recording == 0 || region.recording != r.number) return;
  r.current->time += Clock::now() - r.current->entered;
  ++r.current->calls;
  r.current = r.current->parent;
}

}  // namespace profiling

void start_profile() {
  Recording& r = recording();
  r.number = ++r.last_number;
  r.thread = std::this_thread::get_id();
  r.root = Node{};
  r.current = &r.root;
#if defined(LARMOR_HAS_CUDA)
  cuda::clear_launch_times();
#endif
  profiling::watched = true;
  r.started = Clock::now();
}

bool is_profiling() { return recording().number != 0; }

Profile end_profile() {
  Recording& r = recording();
  Profile profile;
  if (r.number == 0) return profile;
  r.number = 0;
  profiling::watched = profiling::tool_is_attached();
#if defined(LARMOR_HAS_CUDA)
  profile.launches = cuda::collect_launch_times();
#endif
  profile.seconds = seconds_of(Clock::now() - r.started);
  add_rows(r.root, 0, profile.regions);
  return profile;
}

std::string short_type_name(const std::string& name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) plain.push_back(c);
    if (c == '>') --depth;
  }
  const std::size_t last = plain.rfind("::");
  return last == std::string::npos ? plain : plain.substr(last + 2);
}

}  // namespace larmor
