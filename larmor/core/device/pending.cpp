#include "larmor/core/device/pending.hpp"

#include "larmor/core/error.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/device/cuda_backend.hpp"
#endif

namespace larmor {

#if defined(LARMOR_HAS_CUDA)

struct Pending::Transfer : cuda::Transfer {
  using cuda::Transfer::Transfer;
};

Pending::Pending(const Device& device, const double* on_device, Index count)
    : transfer_(std::make_unique<Transfer>(device.ordinal, on_device,
                                           static_cast<std::size_t>(count) * sizeof(double))) {}

Pending::Pending(const Device& device, Index count, const std::function<void(double*)>& launch)
    : transfer_(std::make_unique<Transfer>(device.ordinal,
                                           static_cast<std::size_t>(count) * sizeof(double))) {
  launch(static_cast<double*>(transfer_->target()));
  transfer_->mark();
}

bool Pending::ready() const { return !transfer_ || transfer_->done(); }

std::size_t Pending::bytes() const {
  return transfer_ ? transfer_->bytes() : numbers_.size() * sizeof(double);
}

std::vector<double> Pending::take() {
  if (transfer_) {
    const auto* data = static_cast<const double*>(transfer_->wait());
    numbers_.assign(data, data + transfer_->bytes() / sizeof(double));
    transfer_.reset();
  }
  for (const auto& change : changes_) change(numbers_);
  changes_.clear();
  return std::move(numbers_);
}

#else

struct Pending::Transfer {};

Pending::Pending(const Device&, const double*, Index) {
  throw InternalError("numbers were requested from a GPU, but this build has no CUDA");
}

Pending::Pending(const Device&, Index, const std::function<void(double*)>&) {
  throw InternalError("a GPU was to write numbers, but this build has no CUDA");
}

bool Pending::ready() const { return true; }

std::size_t Pending::bytes() const { return numbers_.size() * sizeof(double); }

std::vector<double> Pending::take() {
  for (const auto& change : changes_) change(numbers_);
  changes_.clear();
  return std::move(numbers_);
}

#endif

Pending::Pending(std::vector<double> numbers) : numbers_(std::move(numbers)) {}
Pending::~Pending() = default;
Pending::Pending(Pending&&) noexcept = default;
Pending& Pending::operator=(Pending&&) noexcept = default;

Pending Pending::then(std::function<void(std::vector<double>&)> change) && {
  changes_.push_back(std::move(change));
  return std::move(*this);
}

}  // namespace larmor
