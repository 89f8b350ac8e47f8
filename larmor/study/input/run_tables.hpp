#pragma once
// The tables of a study that say how it runs, for every model kind.

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

struct DeviceTable {
  static constexpr const char* name = "device";
  static constexpr const char* doc = "the processors that compute the run, and their precision";
  std::string backend = "auto";
  std::string precision = "double";
  Index threads = 0;
  Index queue = 64;
  TablePosition where;

  /// Bytes of measurements that may wait for a GPU.
  std::size_t queue_bytes() const { return static_cast<std::size_t>(queue) << 20; }

  static FieldTable<DeviceTable> fields();
};

struct CheckpointTable {
  static constexpr const char* name = "checkpoint";
  static constexpr const char* doc = "how often the run writes a checkpoint";
  double every = 300;

  static FieldTable<CheckpointTable> fields();
};

}  // namespace larmor::study
