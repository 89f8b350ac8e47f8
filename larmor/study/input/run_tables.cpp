#include "larmor/study/input/run_tables.hpp"

namespace larmor::study {

FieldTable<DeviceTable> DeviceTable::fields() {
  return FieldTable<DeviceTable>()
      .optional("backend", &DeviceTable::backend, Dimension::none,
                "the device; \"auto\" takes a GPU if the machine has one and the study is so large "
                "that the GPU is faster")
      .one_of({"auto", "cpu", "cuda"})
      .optional("precision", &DeviceTable::precision, Dimension::none,
                "precision of the state and of the update; mixed (GPU): double state, single sums "
                "over bonds. Averages are always double")
      .one_of({"double", "single", "mixed"})
      .optional("threads", &DeviceTable::threads, Dimension::none,
                "number of CPU threads; 0 takes all of them. The results do not depend on it")
      .at_least(0)
      .at_most(4096)
      .optional("queue", &DeviceTable::queue, Dimension::none,
                "MiB of measurements that may wait for a GPU; the run waits if there are more")
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
