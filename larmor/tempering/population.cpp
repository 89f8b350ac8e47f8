#include "larmor/tempering/population.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_set>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/statistics/replicas.hpp"

namespace larmor::tempering {
namespace {

constexpr Index most_blocks = 100;
constexpr double least_reliable_overlap = 0.3;

/// exp(-rise (E - E_0)), where E_0 is the energy of the largest weight, so that no weight
/// overflows.
struct Weights {
  std::vector<double> of;
  double sum = 0;
  double reference = 0;  ///< E_0

  Weights(std::span<const double> energy, double rise)
      : reference(rise < 0 ? *std::max_element(energy.begin(), energy.end())
                           : *std::min_element(energy.begin(), energy.end())) {
    of.reserve(energy.size());
    for (const double e : energy) {
      of.push_back(exponential(-rise * (e - reference)));
      sum += of.back();
    }
  }
};

double mean_of_least(const Weights& weights) {
  const auto R = static_cast<double>(weights.of.size());
  double sum = 0;
  for (const double w : weights.of) sum += std::min(1.0, w * R / weights.sum);
  return sum / R;
}

double uniform(const RandomKey& key, Index replica) {
  const auto random = philox<std::uint64_t>(key, static_cast<std::uint64_t>(replica), 0);
  return uniform_52<double>(random.w[0], random.w[1]);
}

}  // namespace

Index spare_replicas(Index target) {
  return static_cast<Index>(std::ceil(5 * std::sqrt(static_cast<double>(target))));
}

Population::Population(const PopulationRule& rule, std::uint64_t seed) : rule_(rule), seed_(seed) {
  if (rule.target < 2 || rule.target > rule.capacity)
    throw InternalError("a population of " + std::to_string(rule.target) +
                        " replicas is too small, or exceeds the capacity " +
                        std::to_string(rule.capacity));
  for (Index r = 0; r < rule.target; ++r) state_.family.push_back(r);
  state_.log_ratio_without.resize(static_cast<std::size_t>(std::min(rule.target, most_blocks)));
}

std::size_t Population::block_of(Index replica) const {
  return static_cast<std::size_t>(state_.family[static_cast<std::size_t>(replica)] * blocks() /
                                  rule_.target);
}

std::vector<double> Population::block_sums(std::span<const double> value) const {
  std::vector<double> sums(static_cast<std::size_t>(blocks()));
  for (Index r = 0; r < size(); ++r) sums[block_of(r)] += value[static_cast<std::size_t>(r)];
  return sums;
}

double Population::overlap(std::span<const double> energy, double rise) const {
  return mean_of_least(Weights(energy, rise));
}

double Population::step_of_overlap(double wanted_overlap, std::span<const double> energy,
                                   double most) const {
  constexpr int halvings = 30;
  if (overlap(energy, most) >= wanted_overlap) return most;
  double low = 0, high = most;
  for (int n = 0; n < halvings; ++n) {
    const double middle = (low + high) / 2;
    (overlap(energy, middle) >= wanted_overlap ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// BITS: the means of all replicas are rounded with one random number for each replica, or with one
/// for all.
std::vector<Index> Population::numbers_of_copies(std::span<const double> weight, double sum,
                                                 std::uint64_t step) const {
  const RandomKey key{seed_, step, Stream::population};
  const auto target = static_cast<double>(rule_.target);
  std::vector<Index> copies;
  copies.reserve(weight.size());
  if (rule_.resampling == Resampling::nearest_integer) {
    for (std::size_t r = 0; r < weight.size(); ++r) {
      const double mean = target * weight[r] / sum, whole = std::floor(mean);
      const bool up = uniform(key, static_cast<Index>(r)) < mean - whole;
      copies.push_back(static_cast<Index>(whole) + (up ? 1 : 0));
    }
    return copies;
  }
  const double shift = uniform(key, 0);
  double up_to = 0;
  Index drawn = 0;
  for (std::size_t r = 0; r < weight.size(); ++r) {
    up_to += weight[r];
    // The last value of up_to equals `sum`, because both are added in one order. So rounding loses
    // no replica.
    const auto in_all = static_cast<Index>(std::floor(target * (up_to / sum) + shift));
    copies.push_back(in_all - drawn);
    drawn = in_all;
  }
  return copies;
}

/// Survivors keep their places. Their additional copies, and survivors beyond the new size, fill
/// the places of replicas that died out.
std::vector<Index> Population::sources_of(const std::vector<Index>& copies) {
  Index next = 0;
  for (const Index n : copies) next += n;
  if (next == 0)
    throw InputError("the whole population died out in one step of temperature",
                     "give a larger population, or smaller steps");
  if (next > rule_.capacity)
    throw InputError("a population of " + std::to_string(rule_.target) + " replicas grew to " +
                         std::to_string(next) + ", but the run has room for " +
                         std::to_string(rule_.capacity),
                     "give more replicas, a smaller population, or smaller steps");
  std::vector<Index> source(static_cast<std::size_t>(rule_.capacity));
  for (Index r = 0; r < rule_.capacity; ++r) source[static_cast<std::size_t>(r)] = r;
  std::vector<Index> family(static_cast<std::size_t>(next));
  const auto lives_at = [&](Index r) {
    return r < size() && copies[static_cast<std::size_t>(r)] > 0;
  };
  Index place = 0;
  for (Index r = 0; r < size(); ++r) {
    Index left = copies[static_cast<std::size_t>(r)];
    const Index own = state_.family[static_cast<std::size_t>(r)];
    if (left > 0 && r < next) {
      family[static_cast<std::size_t>(r)] = own;
      --left;
    }
    for (; left > 0; --left) {
      while (lives_at(place)) ++place;
      source[static_cast<std::size_t>(place)] = r;
      family[static_cast<std::size_t>(place)] = own;
      ++place;
    }
  }
  state_.family = std::move(family);
  return source;
}

std::vector<Index> Population::resample(std::span<const double> energy, double rise,
                                        std::uint64_t step) {
  const Weights weights(energy, rise);
  const std::vector<double> ones(energy.size(), 1.0);
  const std::vector<double> sums = block_sums(weights.of), members = block_sums(ones);
  const auto R = static_cast<double>(size());
  const double of_reference = -rise * weights.reference;
  state_.log_ratio += std::log(weights.sum / R) + of_reference;
  for (std::size_t b = 0; b < sums.size(); ++b)
    state_.log_ratio_without[b] +=
        std::log((weights.sum - sums[b]) / (R - members[b])) + of_reference;
  state_.least_overlap = std::min(state_.least_overlap, mean_of_least(weights));
  return sources_of(numbers_of_copies(weights.of, weights.sum, step));
}

FamilyStatistics Population::families() const {
  std::vector<Index> members(static_cast<std::size_t>(rule_.target));
  for (const Index family : state_.family) ++members[static_cast<std::size_t>(family)];
  FamilyStatistics found;
  const auto R = static_cast<double>(size());
  double entropy = 0;
  for (const Index n : members) {
    if (n == 0) continue;
    const double share = static_cast<double>(n) / R;
    ++found.families;
    found.largest = std::max(found.largest, n);
    found.mean_square_size += R * share * share;
    entropy -= share * std::log(share);
  }
  found.entropic_size = R / std::exp(entropy);
  return found;
}

Index Population::families_of(std::span<const Index> replicas) const {
  std::unordered_set<Index> found;
  for (const Index r : replicas) found.insert(state_.family[static_cast<std::size_t>(r)]);
  return static_cast<Index>(found.size());
}

Estimate Population::estimate(const std::vector<std::span<const double>>& columns,
                              const Quantity& quantity) const {
  const std::vector<double> ones(static_cast<std::size_t>(size()), 1.0);
  const std::vector<double> members = block_sums(ones);
  std::vector<std::vector<double>> sums;
  std::vector<double> total;
  for (const auto& column : columns) {
    sums.push_back(block_sums(column));
    total.push_back(0);
    for (const double sum : sums.back()) total.back() += sum;
  }
  const auto R = static_cast<double>(size());
  std::vector<double> means(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) means[c] = total[c] / R;
  const double whole = quantity(means, state_.log_ratio);
  std::vector<double> left;
  double mean_left = 0, squares = 0;
  for (std::size_t b = 0; b < members.size(); ++b) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      means[c] = (total[c] - sums[c][b]) / (R - members[b]);
    left.push_back(quantity(means, state_.log_ratio_without[b]));
    mean_left += left.back();
    squares += members[b] * members[b];
  }
  const auto B = static_cast<double>(left.size());
  mean_left /= B;
  Estimate estimate;
  // If one block holds the whole population, no replica is left without it. In this case the bias
  // and the error are unknown.
  estimate.value = std::isfinite(mean_left) ? whole + (B - 1) * (whole - mean_left) : whole;
  estimate.error = jackknife_error(left);
  estimate.autocorrelation_time = 0.5;
  estimate.samples = size();
  estimate.reliable = std::isfinite(estimate.value) && std::isfinite(estimate.error) &&
                      R * R / squares >= static_cast<double>(fewest_independent) &&
                      state_.least_overlap >= least_reliable_overlap;
  return estimate;
}

std::vector<double> Population::pseudovalues(std::span<const double> column) const {
  const std::vector<double> ones(column.size(), 1.0);
  const std::vector<double> sums = block_sums(column), members = block_sums(ones);
  const auto R = static_cast<double>(size()), B = static_cast<double>(blocks());
  double total = 0;
  for (const double sum : sums) total += sum;
  std::vector<double> values;
  for (std::size_t b = 0; b < sums.size(); ++b)
    values.push_back(B * total / R - (B - 1) * (total - sums[b]) / (R - members[b]));
  return values;
}

void Population::set_state(State state) {
  const bool fits = !state.family.empty() &&
                    static_cast<Index>(state.family.size()) <= rule_.capacity &&
                    state.log_ratio_without.size() == state_.log_ratio_without.size() &&
                    std::all_of(state.family.begin(), state.family.end(),
                                [&](Index family) { return family >= 0 && family < rule_.target; });
  if (!fits)
    throw InputError("the checkpoint's population does not fit the study",
                     "resume the results to which this checkpoint belongs");
  state_ = std::move(state);
}

}  // namespace larmor::tempering
