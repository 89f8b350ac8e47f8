#include "larmor/core/device/real_array.hpp"

#include <algorithm>

namespace larmor {
namespace {

/// Calls body(begin, count) for blocks. A float copy of all numbers at once would double the
/// memory.
template <class Body>
void for_each_block(std::size_t size, const Body& body) {
  constexpr std::size_t block = std::size_t{1} << 24;
  for (std::size_t begin = 0; begin < size; begin += block)
    body(begin, std::min(block, size - begin));
}

}  // namespace

RealArray::RealArray(const Device& device, Index size, bool read_by_bonds) : size_(size) {
  if (device.precision != Precision::single_numbers) wide_ = Array<double>(device, size);
  if (device.precision == Precision::single_numbers ||
      (device.precision == Precision::mixed_numbers && read_by_bonds))
    narrow_ = Array<float>(device, size);
}

RealArray::RealArray(const Device& device, std::span<const double> host)
    : RealArray(device, static_cast<Index>(host.size())) {
  copy_from(host);
}

Index RealArray::bytes() const {
  return wide_.size() * static_cast<Index>(sizeof(double)) +
         narrow_.size() * static_cast<Index>(sizeof(float));
}

Reals RealArray::reals() const {
  return {const_cast<double*>(wide_.data()), const_cast<float*>(narrow_.data())};
}

void RealArray::copy_from(std::span<const double> host) {
  if (static_cast<Index>(host.size()) != size_)
    throw InternalError("the numbers differ in count from their array");
  copy_range_from(host, 0);
}

void RealArray::copy_range_from(std::span<const double> host, Index first) {
  if (wide_.size() > 0) wide_.copy_range_from(host, first);
  if (narrow_.size() == 0) return;
  for_each_block(host.size(), [&](std::size_t begin, std::size_t count) {
    const auto from = host.begin() + static_cast<std::ptrdiff_t>(begin);
    narrow_.copy_range_from(std::vector<float>(from, from + static_cast<std::ptrdiff_t>(count)),
                            first + static_cast<Index>(begin));
  });
}

std::vector<double> RealArray::to_host() const {
  std::vector<double> host(static_cast<std::size_t>(size_));
  copy_range_to(host, 0);
  return host;
}

void RealArray::copy_range_to(std::span<double> host, Index first) const {
  if (wide_.size() > 0) return wide_.copy_range_to(host, first);
  for_each_block(host.size(), [&](std::size_t begin, std::size_t count) {
    std::vector<float> narrow(count);
    narrow_.copy_range_to(narrow, first + static_cast<Index>(begin));
    std::copy(narrow.begin(), narrow.end(), host.begin() + static_cast<std::ptrdiff_t>(begin));
  });
}

void RealArray::copy_replicas(const ReplicaRows& rows, std::span<const ReplicaCopy> copies) {
  if (wide_.size() > 0) larmor::copy_replicas(wide_.device(), wide_.data(), rows, copies);
  if (narrow_.size() > 0) larmor::copy_replicas(narrow_.device(), narrow_.data(), rows, copies);
}

Index bytes_of_reals(Precision precision, Index numbers) {
  switch (precision) {
    case Precision::double_numbers:
      return 8 * numbers;
    case Precision::single_numbers:
      return 4 * numbers;
    default:
      return 12 * numbers;
  }
}

}  // namespace larmor
