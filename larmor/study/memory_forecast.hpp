#pragma once
// What memory a study will take, before anything large is allocated.

#include "larmor/study/device.hpp"
#include "larmor/study/study.hpp"

namespace larmor::study {

/// Bytes that the hungriest stage works in, and those of a long-range interaction.
struct WorkingBytes {
  double host = 0;
  double gpu = 0;
};
/// @throws InputError if a stage cannot be run on this system
WorkingBytes working_bytes(const Study& study, const lattice::Geometry& geometry,
                           const Device& device);

/// The geometry of a study that fits in memory.
/// @throws InputError as build_geometry, MachineError saying what is needed and what is free
lattice::Geometry geometry_that_fits(const Study& study, const DeviceOverrides& overrides);

}  // namespace larmor::study
