#include "larmor/core/real_array.hpp"

namespace larmor {

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
    throw InternalError("numbers do not fit their array");
  if (wide_.size() > 0) wide_.copy_from(host);
  if (narrow_.size() > 0) narrow_.copy_from(std::vector<float>(host.begin(), host.end()));
}

std::vector<double> RealArray::to_host() const {
  if (wide_.size() > 0 || size_ == 0) return wide_.to_host();
  const std::vector<float> narrow = narrow_.to_host();
  return {narrow.begin(), narrow.end()};
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
