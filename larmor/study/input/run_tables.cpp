#include "larmor/study/input/run_tables.hpp"

namespace larmor::study {

FieldTable<DeviceTable> DeviceTable::fields() {
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

FieldTable<CheckpointTable> CheckpointTable::fields() {
  return FieldTable<CheckpointTable>()
      .optional("every", &CheckpointTable::every, Dimension::none,
                "seconds of wall time between checkpoints")
      .positive();
}

}  // namespace larmor::study
