#include "larmor/study/models/quantum/stages/world_line_averages.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"

namespace larmor::study {
namespace {

std::span<const double> taken(std::span<const double>& from, std::size_t count) {
  if (count > from.size())
    throw InputError("the samples of a checkpoint end too early",
                     "resume from a checkpoint of this study");
  const std::span<const double> first = from.first(count);
  from = from.subspan(count);
  return first;
}

}  // namespace

void ReplicaSeries::add(std::span<const double> values) {
  if (values_ == 0) origin_ = values.front();
  for (std::size_t r = 0; r < open_.size(); ++r) {
    open_[r] += values[r];
    const double deviation = values[r] - origin_;
    sum_ += deviation;
    squares_ += deviation * deviation;
  }
  values_ += std::ssize(values);
  if (++in_open_ < bin_size_) return;
  for (double& sum : open_) {
    bins_.push_back(sum / static_cast<double>(bin_size_));
    sum = 0;
  }
  in_open_ = 0;
  if (std::ssize(bins_) == most_bins * replicas()) join_pairs();
}

void ReplicaSeries::join_pairs() {
  const auto R = static_cast<std::size_t>(replicas());
  for (std::size_t bin = 0; bin < most_bins / 2; ++bin)
    for (std::size_t r = 0; r < R; ++r)
      bins_[bin * R + r] = 0.5 * (bins_[2 * bin * R + r] + bins_[(2 * bin + 1) * R + r]);
  bins_.resize(R * most_bins / 2);
  bin_size_ *= 2;
}

double ReplicaSeries::in_samples(double time_in_bins) const {
  if (bin_size_ == 1) return time_in_bins;
  // Both times multiply their own variance, and the products by the lengths are equal.
  double mean = 0, variance = 0;
  for (const double bin : bins_) mean += bin / static_cast<double>(bins_.size());
  for (const double bin : bins_)
    variance += (bin - mean) * (bin - mean) / static_cast<double>(bins_.size());
  const auto count = static_cast<double>(values_);
  const double of_samples = squares_ / count - sum_ / count * (sum_ / count);
  return of_samples > 0 ? time_in_bins * static_cast<double>(bin_size_) * variance / of_samples
                        : 0.5;
}

Estimate ReplicaSeries::average() const {
  Estimate estimate = estimate_replicas(bins_, replicas());
  estimate.autocorrelation_time = in_samples(estimate.autocorrelation_time);
  estimate.samples = values_;
  return estimate;
}

void ReplicaSeries::save(std::vector<double>& to) const {
  for (const double number :
       {static_cast<double>(bin_size_), static_cast<double>(in_open_), sum_, squares_, origin_,
        static_cast<double>(values_), static_cast<double>(bins_.size())})
    to.push_back(number);
  to.insert(to.end(), open_.begin(), open_.end());
  to.insert(to.end(), bins_.begin(), bins_.end());
}

std::span<const double> ReplicaSeries::load(std::span<const double> from) {
  const std::span<const double> head = taken(from, 7);
  bin_size_ = static_cast<Index>(head[0]);
  in_open_ = static_cast<Index>(head[1]);
  sum_ = head[2];
  squares_ = head[3];
  origin_ = head[4];
  values_ = static_cast<Index>(head[5]);
  const double bins = head[6];
  if (!(bins >= 0) || bins > static_cast<double>(most_bins * replicas()))
    throw InputError("the samples of a checkpoint have an impossible number of bins",
                     "resume from a checkpoint of this study");
  const std::span<const double> open = taken(from, open_.size());
  open_.assign(open.begin(), open.end());
  const std::span<const double> saved = taken(from, static_cast<std::size_t>(bins));
  bins_.assign(saved.begin(), saved.end());
  return from;
}

BlockedNumbers::BlockedNumbers(Index numbers, Index samples)
    : numbers_(numbers), samples_(samples) {
  const Index blocks = blocks_of(numbers, samples);
  weights_.assign(static_cast<std::size_t>(blocks), 0);
  sums_.assign(static_cast<std::size_t>(blocks * numbers), 0);
}

void BlockedNumbers::add(Index sample, std::span<const double> values, double count) {
  const Index block = block_of(sample);
  weights_[static_cast<std::size_t>(block)] += count;
  double* const sums = sums_.data() + block * numbers_;
  for (std::size_t n = 0; n < static_cast<std::size_t>(numbers_); ++n) sums[n] += values[n];
}

Estimate BlockedNumbers::average(Index number) const {
  Estimate estimate = larmor::estimate(of_number(number));
  // Blocks may differ by a sample in length.
  double sum = 0, weight = 0;
  for (std::size_t block = 0; block < weights_.size(); ++block) {
    sum += sums_[block * static_cast<std::size_t>(numbers_) + static_cast<std::size_t>(number)];
    weight += weights_[block];
  }
  estimate.value = sum / weight;
  return estimate;
}

std::vector<double> BlockedNumbers::of_number(Index number) const {
  std::vector<double> means;
  for (Index block = 0; block < blocks(); ++block)
    means.push_back(sums_[static_cast<std::size_t>(block * numbers_ + number)] /
                    weights_[static_cast<std::size_t>(block)]);
  return means;
}

void BlockedNumbers::save(std::vector<double>& to) const {
  to.insert(to.end(), weights_.begin(), weights_.end());
  to.insert(to.end(), sums_.begin(), sums_.end());
}

std::span<const double> BlockedNumbers::load(std::span<const double> from) {
  const std::span<const double> weights = taken(from, weights_.size());
  weights_.assign(weights.begin(), weights.end());
  const std::span<const double> sums = taken(from, sums_.size());
  sums_.assign(sums.begin(), sums.end());
  return from;
}

}  // namespace larmor::study
