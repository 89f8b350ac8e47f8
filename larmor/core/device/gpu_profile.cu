#include <cuda_runtime.h>
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <utility>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"

namespace larmor::cuda {
namespace {

/// Largest number of launches with unknown times. When it is reached, the host waits for half of
/// these launches.
constexpr std::size_t most_waiting = 4096;

struct Row {
  std::string name;
  Index launches = 0;
  double first_seconds = 0, other_seconds = 0;

  void add(double seconds) { (launches++ == 0 ? first_seconds : other_seconds) += seconds; }
  double seconds() const {
    if (launches < 2) return first_seconds;
    return other_seconds * static_cast<double>(launches) / static_cast<double>(launches - 1);
  }
};

struct Timed {
  int ordinal;
  std::size_t row;
  cudaEvent_t begin, end;
};

struct LaunchTimes {
  std::mutex guard;
  std::map<std::pair<const void*, std::string>, std::size_t> row_of;
  std::vector<Row> rows;
  std::deque<Timed> waiting;
  std::map<int, std::vector<cudaEvent_t>> events;  ///< free events of each GPU

  static LaunchTimes& get() {
    static LaunchTimes times;
    return times;
  }

  std::size_t row(const void* kernel, const std::string& name) {
    const auto [known, is_new] = row_of.try_emplace({kernel, name}, rows.size());
    if (is_new) rows.push_back({name});
    return known->second;
  }

  cudaEvent_t acquire_event(int ordinal) {
    std::vector<cudaEvent_t>& free = events[ordinal];
    if (free.empty()) {
      cudaEvent_t made = nullptr;
      check(cudaEventCreate(&made), "making an event");
      return made;
    }
    const cudaEvent_t taken = free.back();
    free.pop_back();
    return taken;
  }

  void finish_first() {
    const Timed timed = waiting.front();
    wait_for(timed.end, "waiting for the GPU");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, timed.begin, timed.end), "reading the GPU's clock");
    rows[timed.row].add(1e-3 * static_cast<double>(milliseconds));
    forget_first();
  }

  void forget_first() {
    const Timed timed = waiting.front();
    waiting.pop_front();
    for (const cudaEvent_t event : {timed.begin, timed.end}) events[timed.ordinal].push_back(event);
  }
};

}  // namespace

const std::string& LaunchRegion::name_of(const std::type_info& functor) {
  static std::mutex guard;
  static std::map<std::type_index, std::string> names;
  const std::lock_guard lock(guard);
  const auto [known, is_new] = names.try_emplace(functor);
  if (is_new) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> demangled(
        abi::__cxa_demangle(functor.name(), nullptr, nullptr, &status), &std::free);
    known->second = short_type_name(status == 0 ? demangled.get() : functor.name());
  }
  return known->second;
}

void LaunchRegion::begin(int ordinal, const void* kernel, const std::string& name) {
  range_ = profiling::tool_is_attached();
  if (is_profiling()) {
    stream_ = stream(ordinal);
    LaunchTimes& times = LaunchTimes::get();
    const std::lock_guard lock(times.guard);
    if (times.waiting.size() >= most_waiting)
      while (times.waiting.size() > most_waiting / 2) times.finish_first();
    ordinal_ = ordinal;
    row_ = times.row(kernel, name);
    begin_ = times.acquire_event(ordinal);
    end_ = times.acquire_event(ordinal);
    check(cudaEventRecord(begin_, stream_), "marking a launch");
  }
  if (range_) profiling::begin_range(name.c_str());
  open_ = true;
}

void LaunchRegion::end() noexcept {
  if (range_) profiling::end_range();
  if (begin_ == nullptr) return;
  // If the GPU has failed, the next call that can throw reports it.
  if (cudaEventRecord(end_, stream_) != cudaSuccess) return;
  LaunchTimes& times = LaunchTimes::get();
  const std::lock_guard lock(times.guard);
  times.waiting.push_back({ordinal_, row_, begin_, end_});
}

void clear_launch_times() {
  LaunchTimes& times = LaunchTimes::get();
  const std::lock_guard lock(times.guard);
  while (!times.waiting.empty()) times.forget_first();
  times.rows.clear();
  times.row_of.clear();
}

std::vector<ProfileRow> collect_launch_times() {
  std::map<std::string, ProfileRow> by_name;
  {
    LaunchTimes& times = LaunchTimes::get();
    const std::lock_guard lock(times.guard);
    while (!times.waiting.empty()) times.finish_first();
    for (const Row& row : times.rows) {
      ProfileRow& sum = by_name.try_emplace(row.name, ProfileRow{0, row.name, 0, 0}).first->second;
      sum.calls += row.launches;
      sum.seconds += row.seconds();
    }
  }
  clear_launch_times();
  std::vector<ProfileRow> rows;
  for (const auto& [name, row] : by_name)
    if (row.calls > 0) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const ProfileRow& a, const ProfileRow& b) { return a.seconds > b.seconds; });
  return rows;
}

}  // namespace larmor::cuda
