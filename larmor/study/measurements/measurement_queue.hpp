#pragma once
// A queue of measurements that a GPU has not finished yet. The host finishes them in their order
// while the GPU continues. If more bytes wait than allowed, a new measurement waits. The destructor
// drops unfinished measurements.

#include <deque>
#include <functional>
#include <vector>

#include "larmor/core/device/pending.hpp"

namespace larmor::study {

class MeasurementQueue {
 public:
  /// Processes the numbers of a measurement, one vector for each of its parts.
  using Finish = std::function<void(std::vector<std::vector<double>>)>;

  explicit MeasurementQueue(std::size_t most_bytes = 0) : most_bytes_(most_bytes) {}

  /// Finishes measurements that have arrived, and more if too many wait. Then adds a measurement.
  void push(std::vector<Pending> parts, Finish finish);
  /// Waits for all measurements.
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
