#pragma once
// Arrays of a running system, for programs that look at it between two blocks of steps.

#include <string>

#include "larmor/core/device/device.hpp"
#include "larmor/io/hdf5/data_array.hpp"

namespace larmor::study {

/// An array that a system can give.
struct LiveArray {
  std::string name;
  std::string unit;
  std::string axes;      ///< "replica, site, component"
  bool is_held = false;  ///< is it in the memory of the system, so that there is a view?
  bool can_be_set = false;
  bool needs_stage = false;  ///< is it known only after a stage has been prepared?
};

/// Numbers in the memory of a device.
struct MemoryView {
  const void* numbers;
  bool is_single;  ///< floats; false: doubles
  io::Shape shape;
  io::Shape strides;  ///< in numbers
  Device device;
};

}  // namespace larmor::study
