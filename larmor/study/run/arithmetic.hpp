#pragma once
// BITS: what results depend on beside a run's study and its program: where it computes, in which
// numbers, by which kernels. A run is resumed in the same way, or not without being told so.

#include <string>

#include "larmor/core/device/device.hpp"
#include "larmor/io/results/results_file.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/run/device.hpp"

namespace larmor::study {

struct Arithmetic {
  std::string backend;    ///< "cpu" or "cuda"; of a scan what was asked for, which may be none
  std::string precision;  ///< "double", "single" or "mixed"; of a scan likewise
  std::string instruction_set;  ///< of the kernels for CPUs
  std::string gpu;              ///< its name; empty: no GPU takes part
  std::string jit_kernels;      ///< on that GPU: "always", "never", or "auto"
  std::string contraction;      ///< of products and sums: "fused", or "strict" where there is none

  friend bool operator==(const Arithmetic&, const Arithmetic&) = default;
};

/// Of a study that runs on this device.
Arithmetic arithmetic_of(const Device& device);
/// Of a scan, each point of which chooses its device.
/// @param study of its first point
Arithmetic arithmetic_of_scan(const Study& study, const DeviceOverrides& overrides);

/// FORMAT: attributes of a leg.
io::Attributes attributes_of(const Arithmetic& arithmetic);
/// From the attributes of a leg (provenance.hpp).
Arithmetic arithmetic_from(const io::Attributes& attributes);

/// "cuda (NVIDIA H200), single precision, kernels made for the model: auto, contraction: fused"
std::string words_of(const Arithmetic& arithmetic);

/// How a run is resumed.
struct Continuation {
  Arithmetic before;                ///< of the leg before
  bool changes_arithmetic = false;  ///< the user allows another one
};
/// @throws InputError for results of another format than this version writes
Continuation continuation_of(const io::ResultsReader& results, bool changes_arithmetic);

/// What the command line would have to say for a run to go on as before; sees to it that kernels
/// for CPUs, and whether they are made for the model, are the same as well.
/// @param asked what the command line says
/// @throws InputError where it says something else, or where this machine cannot go on like that,
///         unless the user allows a change: then as much stays the same as can
DeviceOverrides as_before(const Continuation& continuation, const DeviceOverrides& asked);

/// @throws InputError naming what differs, unless the user allows it
void require_same_arithmetic(const Continuation& continuation, const Arithmetic& now);

}  // namespace larmor::study
