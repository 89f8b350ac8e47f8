#include "larmor/study/measurements/measurement_queue.hpp"

#include <algorithm>

#include "larmor/core/device/profile.hpp"

namespace larmor::study {

bool MeasurementQueue::Entry::ready() const {
  return std::all_of(parts.begin(), parts.end(), [](const Pending& part) { return part.ready(); });
}

void MeasurementQueue::finish_first() {
  Entry entry = std::move(entries_.front());
  entries_.pop_front();
  bytes_ -= entry.bytes;
  std::vector<std::vector<double>> numbers;
  for (Pending& part : entry.parts) numbers.push_back(part.take());
  const Region region("measurements");
  entry.finish(std::move(numbers));
}

void MeasurementQueue::push(std::vector<Pending> parts, Finish finish) {
  Entry entry{std::move(parts), std::move(finish), 0};
  for (const Pending& part : entry.parts) entry.bytes += part.bytes();
  bytes_ += entry.bytes;
  entries_.push_back(std::move(entry));
  while (!entries_.empty() && (entries_.front().ready() || bytes_ > most_bytes_)) finish_first();
}

void MeasurementQueue::drain() {
  while (!entries_.empty()) finish_first();
}

}  // namespace larmor::study
