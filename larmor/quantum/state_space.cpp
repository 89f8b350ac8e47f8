#include "larmor/quantum/state_space.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/error.hpp"

namespace larmor::quantum {
namespace {

double binomial(int n, int k) {
  double value = 1;
  for (int i = 1; i <= std::min(k, n - k); ++i) value = value * (n - i + 1) / i;
  return std::round(value);
}

void check_sector(const SpinModel& model, const Sector& sector) {
  using enum Sector::Kind;
  if (model.sites < 1 || model.sites > most_sites)
    throw InputError("a model has " + std::to_string(model.sites) + " sites",
                     "give 1 to " + std::to_string(most_sites) + " sites");
  if ((sector.kind == even || sector.kind == odd) && !model.is_even())
    throw InputError("a model in a field along z has no even and odd states",
                     "use all states, or remove the field");
  if (sector.kind != magnetisation) return;
  if (!model.conserves_magnetisation())
    throw InputError("a transverse field does not conserve the magnetisation",
                     "use even, odd or all states, or set Gamma to 0");
  if (sector.up < 0 || sector.up > model.sites)
    throw InputError("no state of " + std::to_string(model.sites) + " spins has " +
                         std::to_string(sector.up) + " of them up",
                     "give 0 to " + std::to_string(model.sites));
}

}  // namespace

StateSpace::StateSpace(const Device& device, const SpinModel& model, const Sector& sector)
    : sector_(sector) {
  check_sector(model, sector);
  using enum Sector::Kind;
  const bool has_parity = sector.kind == even || sector.kind == odd;
  view_.sites = model.sites;
  view_.bits = model.sites - (has_parity ? 1 : 0);
  view_.sign = sector.kind == even ? 1 : sector.kind == odd ? -1 : 0;
  view_.has_magnetisation = sector.kind == magnetisation;
  view_.low_bits = view_.has_magnetisation ? (view_.bits + 1) / 2 : std::min(view_.bits, tile_bits);
  states_ = Index{1} << view_.bits;
  if (view_.has_magnetisation) {
    make_tables(device, sector.up);
    return;
  }
  for (Index low = 0; low < Index{1} << view_.low_bits; ++low) low_words_.push_back(low);
}

void StateSpace::make_tables(const Device& device, int up) {
  const int low_bits = view_.low_bits;
  const Index lows = Index{1} << low_bits;
  std::vector<std::uint32_t> first(static_cast<std::size_t>(low_bits + 2)), words, rank;
  for (Index low = 0; low < lows; ++low) ++first[static_cast<std::size_t>(count_up(low) + 1)];
  for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
  words.resize(static_cast<std::size_t>(lows));
  rank.resize(static_cast<std::size_t>(lows));
  std::vector<std::uint32_t> next = first;
  for (Index low = 0; low < lows; ++low) {
    const auto k = static_cast<std::size_t>(count_up(low));
    rank[static_cast<std::size_t>(low)] = next[k] - first[k];
    words[next[k]++] = static_cast<std::uint32_t>(low);
  }
  std::vector<Index> begin{0};
  for (Index high = 0; high < view_.highs(); ++high) {
    const int k = up - count_up(high);
    const Index states = k < 0 || k > low_bits ? 0
                                               : first[static_cast<std::size_t>(k + 1)] -
                                                     first[static_cast<std::size_t>(k)];
    begin.push_back(begin.back() + states);
  }
  states_ = begin.back();
  low_words_.assign(words.begin(), words.end());
  begin_ = Array<Index>(device, begin);
  rank_ = Array<std::uint32_t>(device, rank);
  words_ = Array<std::uint32_t>(device, words);
  first_ = Array<std::uint32_t>(device, first);
  view_.begin = begin_.data();
  view_.rank = rank_.data();
  view_.words = words_.data();
  view_.first = first_.data();
  view_.up = up;
}

std::vector<Index> StateSpace::low_words() const { return low_words_; }

double StateSpace::states_of(int sites, const Sector& sector) {
  using enum Sector::Kind;
  if (sector.kind == magnetisation) return binomial(sites, sector.up);
  return std::exp2(sites - (sector.kind == all ? 0 : 1));
}

double StateSpace::bytes(int sites, const Sector& sector) {
  const double halves = std::exp2((sites + 1) / 2);
  return sector.kind == Sector::Kind::magnetisation ? 24 * halves : 8 * std::exp2(tile_bits);
}

}  // namespace larmor::quantum
