#pragma once
// BITS: the properties of a machine that the bits of results depend on, in addition to the study
// and the program: backend, precision and kernels. A run resumes with equal ones, unless the user
// allows a change.

#include <string>

#include "larmor/core/device/device.hpp"
#include "larmor/io/results/results_file.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::study {

struct Arithmetic {
  std::string backend;          ///< "cpu" or "cuda"; for a scan the one asked for, perhaps none
  std::string precision;        ///< "double", "single" or "mixed"; for a scan as backend
  std::string instruction_set;  ///< instruction set of the kernels for CPUs
  std::string gpu;              ///< name of the GPU; empty: none takes part
  std::string jit_kernels;      ///< on that GPU: "always", "never", or "auto"
  std::string contraction;      ///< "fused" products and sums, or "strict" without fusion

  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;
};

/// The arithmetic of a study that runs on this device.
Arithmetic arithmetic_of(const Device& device);
/// The arithmetic of a scan, each point of which chooses its device.
/// @param study the study of its first point
Arithmetic arithmetic_of_scan(const Study& study, const DeviceOverrides& overrides);

/// FORMAT: attributes of a leg.
io::Attributes attributes_of(const Arithmetic& arithmetic);
/// From the attributes of a leg (provenance.hpp).
Arithmetic arithmetic_from(const io::Attributes& attributes);

/// "cuda (NVIDIA H200), single precision, kernels compiled for the model: auto, contraction: fused"
std::string text_of(const Arithmetic& arithmetic);

/// Options of a run that is resumed.
struct Continuation {
  Arithmetic before;                ///< the arithmetic of the leg before
  bool changes_arithmetic = false;  ///< may the arithmetic change?
};
/// @throws InputError for results in another format than this version writes
Continuation continuation_of(const io::ResultsReader& results, bool changes_arithmetic);

/// The overrides with which a run goes on as before. Also sets the kernels for CPUs, and their
/// compilation for the model, as they were before.
/// @param asked overrides on the command line
/// @throws InputError if the command line asks for something else, or this machine cannot go on as
///         before. If the user allows a change, as much as possible stays equal instead.
DeviceOverrides as_before(const Continuation& continuation, const DeviceOverrides& asked);

/// @throws InputError that names the difference, unless the user allows it
void require_same_arithmetic(const Continuation& continuation, const Arithmetic& now);

}  // namespace larmor::study
