#include "larmor/study/run/arithmetic.hpp"

#include <vector>

#include "larmor/core/device/jit_compiler.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/study/run/provenance.hpp"

namespace larmor::study {
namespace {

#if defined(LARMOR_STRICT)
constexpr const char* contraction_here = "strict";
#else
constexpr const char* contraction_here = "fused";
#endif

constexpr const char* flag = "--change-arithmetic";

std::string jit_kernels_on(const Device& gpu) {
  const std::string choice = choice_of_jit_kernels(gpu);
  return choice.empty() ? "auto" : choice;
}

std::string text(const io::Attributes& attributes, const char* name) {
  return attributes.at(name).text();
}

InputError refusal(const std::string& reason, const std::string& remedy) {
  return InputError(reason, remedy + "; " + flag +
                                " goes on anyway, and the results then differ by rounding from "
                                "those of a run that was not interrupted");
}

/// The word for a backend or a precision that is left to the study.
std::string or_study(const std::string& word) {
  return word.empty() ? "the choice of the study" : word;
}

/// The value of a key of the [device] table with which a run goes on. @param asked value on the
/// command line; empty: none
std::string kept(const char* option, const std::string& before, const std::string& asked) {
  if (asked.empty() || asked == "auto" || asked == before) return before;
  throw refusal("the run began with " + or_study(before) + ", " + option + " " + asked +
                    " would change this choice",
                std::string("leave ") + option + " out");
}

void keep_kernels(const Arithmetic& before) {
  if (before.backend != "cuda") use_instruction_set(before.instruction_set);
  use_jit_kernels(before.jit_kernels == "auto" ? "" : before.jit_kernels);
}

}  // namespace

Arithmetic arithmetic_of(const Device& device) {
  Arithmetic arithmetic;
  const bool on_gpu = device.backend == Backend::cuda;
  arithmetic.backend = on_gpu ? "cuda" : "cpu";
  arithmetic.precision = name_of(device.precision);
  arithmetic.instruction_set = cpu_instruction_set();
  if (on_gpu) {
    arithmetic.gpu = gpu_info(device.ordinal).name;
    arithmetic.jit_kernels = jit_kernels_on(device);
  }
  arithmetic.contraction = contraction_here;
  return arithmetic;
}

Arithmetic arithmetic_of_scan(const Study& study, const DeviceOverrides& overrides) {
  Arithmetic arithmetic;
  arithmetic.backend = overrides.backend;
  arithmetic.precision = overrides.precision;
  arithmetic.instruction_set = cpu_instruction_set();
  const std::string& backend = overrides.backend.empty() ? study.device.backend : overrides.backend;
  if (const int gpu = first_usable_gpu(); gpu >= 0 && backend != "cpu") {
    arithmetic.gpu = gpu_info(gpu).name;
    arithmetic.jit_kernels = jit_kernels_on(Device::cuda(gpu));
  }
  arithmetic.contraction = contraction_here;
  return arithmetic;
}

io::Attributes attributes_of(const Arithmetic& arithmetic) {
  return {{"backend", arithmetic.backend},
          {"precision", arithmetic.precision},
          {"instruction_set", arithmetic.instruction_set},
          {"gpu", arithmetic.gpu},
          {"specialised_kernels", arithmetic.jit_kernels},
          {"contraction", arithmetic.contraction}};
}

Arithmetic arithmetic_from(const io::Attributes& attributes) {
  return {text(attributes, "backend"),
          text(attributes, "precision"),
          text(attributes, "instruction_set"),
          text(attributes, "gpu"),
          text(attributes, "specialised_kernels"),
          text(attributes, "contraction")};
}

std::string text_of(const Arithmetic& arithmetic) {
  std::string words = "backend " + or_study(arithmetic.backend);
  if (!arithmetic.gpu.empty())
    words +=
        " (" + arithmetic.gpu + ", kernels compiled for the model: " + arithmetic.jit_kernels + ")";
  return words + ", precision " + or_study(arithmetic.precision) + ", instruction set " +
         arithmetic.instruction_set + ", contraction " + arithmetic.contraction;
}

Continuation continuation_of(const io::ResultsReader& results, bool changes_arithmetic) {
  results.require_this_format();
  return {arithmetic_from(legs_of(results).back()), changes_arithmetic};
}

DeviceOverrides as_before(const Continuation& continuation, const DeviceOverrides& asked) {
  const Arithmetic& before = continuation.before;
  DeviceOverrides overrides = asked;
  const bool has_gpu = first_usable_gpu() >= 0;
  if (continuation.changes_arithmetic) {
    if (overrides.precision.empty()) overrides.precision = before.precision;
    if (overrides.backend.empty())
      overrides.backend = before.backend == "cuda" && !has_gpu ? "cpu" : before.backend;
    if (overrides.backend == "cpu" && asked.precision.empty() && before.precision == "mixed")
      overrides.precision = "double";
    return overrides;
  }
  overrides.backend = kept("--backend", before.backend, asked.backend);
  overrides.precision = kept("--precision", before.precision, asked.precision);
  if (before.backend == "cuda" && !has_gpu)
    throw refusal("the run began on a GPU, " + before.gpu +
                      ", but this machine has no usable GPU: " + reason_against_gpu(),
                  "resume on a machine with a GPU");
  try {
    keep_kernels(before);
  } catch (const MachineError& error) {
    throw refusal(
        "the run began with kernels for x86-64-" + before.instruction_set + ": " + error.what(),
        "resume on a machine that can run these kernels");
  }
  return overrides;
}

void require_same_arithmetic(const Continuation& continuation, const Arithmetic& now) {
  const Arithmetic& before = continuation.before;
  // On a GPU the host's kernels compute no results.
  Arithmetic comparable = now;
  if (before.backend == "cuda" && now.backend == "cuda")
    comparable.instruction_set = before.instruction_set;
  if (continuation.changes_arithmetic || comparable == before) return;
  throw refusal(
      "the run began with " + text_of(before) + "; here it would go on with " + text_of(now),
      "resume on a machine like the first one, with the same build and environment");
}

}  // namespace larmor::study
