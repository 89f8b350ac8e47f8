#pragma once
// The tables of a study that say how it runs, whatever it is about.

#include "larmor/core/input/fields.hpp"

namespace larmor::study {

struct DeviceTable {
  static constexpr const char* name = "device";
  static constexpr const char* doc = "where the run happens";
  std::string backend = "auto";
  std::string precision = "double";
  Index threads = 0;
  Index queue = 64;
  TablePosition where;

  /// Bytes of measurements that may wait for a GPU.
  std::size_t queue_bytes() const { return static_cast<std::size_t>(queue) << 20; }

  static FieldTable<DeviceTable> fields() {
    return FieldTable<DeviceTable>()
        .optional("backend", &DeviceTable::backend, Dimension::none,
                  "what computes; \"auto\" takes a GPU where there is one and the study is large "
                  "enough to gain")
        .one_of({"auto", "cpu", "cuda"})
        .optional(
            "precision", &DeviceTable::precision, Dimension::none,
            "of the state and of what acts on it; mixed (GPU): the state double, sums over bonds "
            "single. Averages are double in all")
        .one_of({"double", "single", "mixed"})
        .optional("threads", &DeviceTable::threads, Dimension::none,
                  "CPU threads; 0: all of them. The results do not depend on it")
        .at_least(0)
        .at_most(4096)
        .optional("queue", &DeviceTable::queue, Dimension::none,
                  "MiB of measurements that may wait for a GPU; when they are more, the run waits")
        .at_least(1)
        .at_most(65536);
  }
};

struct CheckpointTable {
  static constexpr const char* name = "checkpoint";
  static constexpr const char* doc = "how often the run can be taken up again";
  double every = 300;

  static FieldTable<CheckpointTable> fields() {
    return FieldTable<CheckpointTable>()
        .optional("every", &CheckpointTable::every, Dimension::none,
                  "seconds of wall time between checkpoints")
        .positive();
  }
};

}  // namespace larmor::study
