#include "larmor/atoms/observables/blocked_means.hpp"

#include "larmor/core/saved_numbers.hpp"
#include "larmor/core/statistics/statistics.hpp"

namespace larmor::atoms {

void BlockedMeans::add_block(std::span<const double> values) {
  if (static_cast<Index>(values.size()) != replicas() * numbers_)
    throw InternalError("a block of means has the wrong length");
  const auto numbers = static_cast<std::size_t>(numbers_);
  for (std::size_t r = 0; r < values_.size(); ++r) {
    const auto of_replica = values.subspan(r * numbers, numbers);
    values_[r].insert(values_[r].end(), of_replica.begin(), of_replica.end());
  }
}

void BlockedMeans::set(Index replica, std::span<const double> values) {
  values_[static_cast<std::size_t>(replica)].assign(values.begin(), values.end());
}

MeanAndError BlockedMeans::result() const {
  MeanAndError result;
  std::vector<double> values;
  for (Index number = 0; number < numbers_; ++number) {
    values.clear();
    for (Index block = 0; block < blocks(); ++block)
      for (Index replica = 0; replica < replicas(); ++replica)
        values.push_back(value(block, replica, number));
    const Estimate estimate = estimate_independent(values);
    result.value.push_back(estimate.value);
    result.error.push_back(estimate.error);
  }
  return result;
}

void BlockedMeans::save(std::vector<double>& out, Index replica) const {
  save_numbers(out, {static_cast<double>(blocks())});
  save_numbers(out, values(replica));
}

void BlockedMeans::load(std::span<const double>& saved, Index replica) {
  const auto blocks = static_cast<Index>(take_number(saved));
  set(replica, take_numbers(saved, static_cast<std::size_t>(blocks * numbers_)));
}

}  // namespace larmor::atoms
