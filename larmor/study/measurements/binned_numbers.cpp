#include "larmor/study/measurements/binned_numbers.hpp"

#include <cmath>

#include "larmor/core/statistics/replicas.hpp"

namespace larmor::study {

void BinnedNumbers::begin(Index numbers, Index replicas) {
  binnings_.assign(static_cast<std::size_t>(numbers), LogBinning(replicas));
}

void BinnedNumbers::add(const std::vector<double>& values) {
  const std::size_t count = binnings_.size();
  std::vector<double> of_number(values.size() / count);
  for (std::size_t n = 0; n < count; ++n) {
    for (std::size_t r = 0; r < of_number.size(); ++r) of_number[r] = values[r * count + n];
    binnings_[n].add(of_number);
  }
}

std::vector<Estimate> BinnedNumbers::averages(const Ranks& ranks, Index of_sample) const {
  StageMemory memory;
  save(memory, ranks);
  if (!ranks.is_root()) return {};
  std::vector<Estimate> averages;
  for (std::size_t n = 0; n < binnings_.size(); ++n) {
    LogBinning::State state = state_of(memory, n, ranks.gathered_replicas());
    // The first level has the mean of each replica.
    averages.push_back(
        of_sample > 0
            ? estimate_independent(group_means(
                  std::span(state.mean).first(static_cast<std::size_t>(state.replicas)), of_sample))
            : LogBinning(std::move(state)).estimate());
  }
  return averages;
}

void BinnedNumbers::save(StageMemory& memory, const Ranks& ranks) const {
  std::vector<double> mean, squares, pending;
  for (const LogBinning& binning : binnings_) {
    const LogBinning::State& state = binning.state();
    mean.insert(mean.end(), state.mean.begin(), state.mean.end());
    squares.insert(squares.end(), state.sum_of_squares.begin(), state.sum_of_squares.end());
    pending.insert(pending.end(), state.pending.begin(), state.pending.end());
  }
  // FORMAT: (number, level, replica)
  memory.numbers["mean"] = ranks.gathered(std::move(mean), ranks.replicas());
  memory.numbers["sum_of_squares"] = ranks.gathered(std::move(squares), ranks.replicas());
  memory.numbers["pending"] = ranks.gathered(std::move(pending), ranks.replicas());
  memory.integers["samples"] = {binnings_.front().state().samples};
}

void BinnedNumbers::load(const StageMemory& memory, const Ranks& ranks) {
  StageMemory own;
  for (const char* const name : {"mean", "sum_of_squares", "pending"})
    own.numbers[name] = ranks.own_of(memory.number(name), ranks.replicas());
  own.integers = memory.integers;
  for (std::size_t n = 0; n < binnings_.size(); ++n)
    binnings_[n] = LogBinning(state_of(own, n, binnings_[n].state().replicas));
}

double BinnedNumbers::bytes(Index numbers, Index replicas, Index samples) {
  const double levels = 1 + std::log2(static_cast<double>(samples) + 1);
  // Each level has three numbers, and a second copy of them during the transfer to the root.
  return 6 * 8 * levels * static_cast<double>(numbers) * static_cast<double>(replicas);
}

LogBinning::State BinnedNumbers::state_of(const StageMemory& memory, std::size_t number,
                                          Index replicas) const {
  LogBinning::State state;
  state.replicas = replicas;
  state.samples = memory.integer("samples").at(0);
  const auto part = [&](const std::string& name) {
    const std::vector<double>& all = memory.number(name);
    const std::size_t count = all.size() / binnings_.size();
    const auto first = all.begin() + static_cast<Index>(number * count);
    return std::vector<double>(first, first + static_cast<Index>(count));
  };
  state.mean = part("mean");
  state.sum_of_squares = part("sum_of_squares");
  state.pending = part("pending");
  return state;
}

}  // namespace larmor::study
