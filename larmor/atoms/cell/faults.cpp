#include "larmor/atoms/cell/faults.hpp"

#include <algorithm>
#include <vector>

namespace larmor::atoms {
namespace {

constexpr std::uint64_t most(int bits) { return (std::uint64_t{1} << bits) - 1; }

constexpr int bits_of_moment = 64 - FaultFlag::bits_of_fault - FaultFlag::bits_of_place;
constexpr std::uint64_t most_orders = most(FaultFlag::bits_of_order);
constexpr std::uint64_t most_steps = most(bits_of_moment - FaultFlag::bits_of_order);

}  // namespace

FaultRecord::FaultRecord(const Device& device)
    : first_(device, std::vector<std::uint64_t>{FaultFlag::none}) {}

FaultFlag FaultRecord::flag(std::uint64_t step) {
  order_ = step == step_ ? std::min(order_ + 1, most_orders) : 0;
  step_ = step;
  // The largest value is most_steps - 1, so that no fault has the code `none`.
  const std::uint64_t since = std::min(step - begin_, most_steps - 1);
  return {first_.data(), since << FaultFlag::bits_of_order | order_};
}

void FaultRecord::clear(std::uint64_t step) {
  first_ = std::vector<std::uint64_t>{FaultFlag::none};
  begin_ = step_ = step;
  order_ = 0;
}

std::optional<RaisedFault> FaultRecord::first() const {
  const std::uint64_t code = first_.to_host()[0];
  if (code == FaultFlag::none) return std::nullopt;
  const std::uint64_t fault = code >> FaultFlag::bits_of_place & most(FaultFlag::bits_of_fault);
  return RaisedFault{static_cast<Fault>(fault),
                     static_cast<Index>(code & most(FaultFlag::bits_of_place)),
                     begin_ + (code >> (64 - bits_of_moment + FaultFlag::bits_of_order))};
}

}  // namespace larmor::atoms
