#pragma once
// Measurements that a GPU has not finished yet. They are finished in the order in which they were
// begun, while the GPU goes on; when more bytes wait than allowed, beginning another one waits. A
// queue that ends drops those that are left without finishing them.

#include <deque>
#include <functional>
#include <vector>

#include "larmor/core/device/pending.hpp"

namespace larmor::study {

class MeasurementQueue {
 public:
  /// What is done with the numbers of a measurement, one vector for each part of it.
  using Finish = std::function<void(std::vector<std::vector<double>>)>;

  explicit MeasurementQueue(std::size_t most_bytes = 0) : most_bytes_(most_bytes) {}

  /// Finishes what has arrived, and more where too much waits; then takes another measurement.
  void push(std::vector<Pending> parts, Finish finish);
  /// Waits for all.
  void drain();
  std::size_t waiting_bytes() const { return bytes_; }

 private:
  struct Entry {
    std::vector<Pending> parts;
    Finish finish;
    std::size_t bytes;

    bool ready() const;
  };
  void finish_first();

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::deque<Entry> entries_;
};

}  // namespace larmor::study
