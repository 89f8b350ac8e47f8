#include "larmor/study/input/run_tables.hpp"

namespace larmor::study {

FieldTable<DeviceTable> DeviceTable::fields() {
  return FieldTable<DeviceTable>()
      .optional("backend", &DeviceTable::backend, Dimension::none,
                "the device; \"auto\" takes a GPU if the machine has one and the study is so large "
                "that the GPU is faster")
      .one_of({"auto", "cpu", "cuda"})
      .optional("precision", &DeviceTable::precision, Dimension::none,
                "precision of the state and of its updates. mixed is only for GPUs: the state is "
                "in double and sums over bonds are in single precision. Averages are always in "
                "double precision")
      .one_of({"double", "single", "mixed"})
      .optional(
          "threads", &DeviceTable::threads, Dimension::none,
          "number of CPU threads; 0 takes all of them. The results do not depend on this number")
      .at_least(0)
      .at_most(4096)
      .optional("queue", &DeviceTable::queue, Dimension::none,
                "largest size, in MiB, of the measurements that wait for a GPU. If they grow "
                "larger, the run waits until the GPU has finished some of them")
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
