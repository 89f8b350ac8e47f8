#include "larmor/atoms/faults.hpp"

#include <algorithm>
#include <vector>

namespace larmor::atoms {
namespace {

constexpr std::uint64_t most_steps =
    (std::uint64_t{1} << (64 - FaultFlag::bits_of_fault - FaultFlag::bits_of_place)) - 1;

}  // namespace

FaultRecord::FaultRecord(const Device& device)
    : first_(device, std::vector<std::uint64_t>{FaultFlag::none}) {}

FaultFlag FaultRecord::flag(std::uint64_t step) {
  return {first_.data(), std::min(step - begin_, most_steps - 1)};
}

void FaultRecord::clear(std::uint64_t step) {
  first_ = std::vector<std::uint64_t>{FaultFlag::none};
  begin_ = step;
}

std::optional<RaisedFault> FaultRecord::first() const {
  const std::uint64_t code = first_.to_host()[0];
  if (code == FaultFlag::none) return std::nullopt;
  constexpr std::uint64_t one = 1;
  return RaisedFault{static_cast<Fault>(code >> FaultFlag::bits_of_place &
                                        ((one << FaultFlag::bits_of_fault) - 1)),
                     static_cast<Index>(code & ((one << FaultFlag::bits_of_place) - 1)),
                     begin_ + (code >> (FaultFlag::bits_of_place + FaultFlag::bits_of_fault))};
}

}  // namespace larmor::atoms
