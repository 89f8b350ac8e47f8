#include "larmor/core/device/gpu_architecture.hpp"

#include <algorithm>
#include <charconv>

#include "larmor/core/error.hpp"
#include "larmor_version.hpp"

namespace larmor {
namespace {

/// An entry of a CMake list: "90" means both machine code and PTX.
struct Code {
  GpuArchitecture architecture;
  char variant;  ///< 'a': code runs only on this capability; 'f': also on its family; 0: no suffix
  bool machine_code, ptx;

  bool runs_on(GpuArchitecture gpu) const {
    if (variant == 'a') return gpu.number() == architecture.number();
    const bool same_family = gpu.major == architecture.major && gpu.minor >= architecture.minor;
    if (variant == 'f') return same_family;
    return (machine_code && same_family) || (ptx && gpu.number() >= architecture.number());
  }
  bool runs_on_all_newer() const { return ptx && variant == 0; }
};

Code code_of(std::string_view entry) {
  const std::string_view number = entry.substr(0, entry.find('-'));
  int digits = 0;
  const auto [end, failed] = std::from_chars(number.begin(), number.end(), digits);
  if (failed != std::errc() || digits < 10)
    throw InternalError("'" + std::string(entry) + "' is not a CUDA architecture");
  return {{digits / 10, digits % 10},
          end == number.end() ? '\0' : *end,
          !entry.ends_with("-virtual"),
          !entry.ends_with("-real")};
}

/// The entries of a CMake list, in ascending order.
std::vector<Code> codes_of(std::string_view list) {
  std::vector<Code> codes;
  while (!list.empty()) {
    const std::size_t length = std::min(list.find(';'), list.size());
    codes.push_back(code_of(list.substr(0, length)));
    list.remove_prefix(std::min(length + 1, list.size()));
  }
  std::stable_sort(codes.begin(), codes.end(), [](const Code& left, const Code& right) {
    return left.architecture.number() < right.architecture.number();
  });
  return codes;
}

std::string text_of(GpuArchitecture gpu) {
  return std::to_string(gpu.major) + "." + std::to_string(gpu.minor);
}

/// GPUs on which the machine code of `code` runs.
std::string range_of(const Code& code) {
  if (code.variant == 'a') return text_of(code.architecture);
  const std::string major = std::to_string(code.architecture.major);
  return code.architecture.minor == 0 ? major + ".x"
                                      : text_of(code.architecture) + " to " + major + ".9";
}

}  // namespace

std::string_view kernel_architectures() { return cuda_architectures; }

bool runs_on(std::string_view list, GpuArchitecture gpu) {
  const std::vector<Code> codes = codes_of(list);
  return std::any_of(codes.begin(), codes.end(),
                     [&](const Code& code) { return code.runs_on(gpu); });
}

std::string capabilities_text(std::string_view list) {
  std::vector<std::string> ranges;
  bool all_later = false;
  for (const Code& code : codes_of(list)) {
    const std::string range =
        code.runs_on_all_newer() ? text_of(code.architecture) : range_of(code);
    if (ranges.empty() || ranges.back() != range) ranges.push_back(range);
    all_later = code.runs_on_all_newer();
    if (all_later) break;
  }
  std::string text;
  for (std::size_t n = 0; n < ranges.size(); ++n)
    text += (n == 0 ? "" : n + 1 < ranges.size() || all_later ? ", " : " and ") + ranges[n];
  return text + (all_later ? " and newer" : " only");
}

std::string no_kernels_text(std::string_view list, GpuArchitecture gpu) {
  return "this build has kernels for compute capability " + capabilities_text(list) +
         ", and this GPU has " + text_of(gpu) +
         "; the CMake preset \"portable\" makes kernels for 7.5 and newer";
}

std::string code_to_make(const std::vector<int>& known, GpuArchitecture gpu) {
  int last = 0;
  for (const int number : known)
    if (number <= gpu.number()) last = std::max(last, number);
  if (last == 0) return "";
  return (last == gpu.number() ? "sm_" : "compute_") + std::to_string(last);
}

}  // namespace larmor
