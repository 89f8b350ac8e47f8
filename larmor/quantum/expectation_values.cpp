#include "larmor/quantum/expectation_values.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/maths/ordered_sum.hpp"
#include "larmor/quantum/product_views.hpp"

namespace larmor::quantum {
namespace {

double spin_of(Index word, int bit) { return (word >> bit & 1) != 0 ? 1 : -1; }

/// Probabilities of high bits, of low words, and of the number of spins up.
class Marginals {
 public:
  Marginals(const StateSpace& space, const double* v, int threads)
      : view_(space.view()),
        low_words_(space.low_words()),
        of_high_(static_cast<std::size_t>(view_.highs())),
        spins_(of_high_.size() * static_cast<std::size_t>(view_.low_bits)) {
    const Index groups = std::min(view_.highs(), most_groups);
    std::vector<std::vector<double>> low(static_cast<std::size_t>(groups));
    std::vector<std::vector<double>> up(low.size());
    parallel_for(threads, groups, [&](Index group) {
      auto& of_low = low[static_cast<std::size_t>(group)];
      auto& of_up = up[static_cast<std::size_t>(group)];
      of_low.resize(low_words_.size());
      of_up.resize(static_cast<std::size_t>(view_.sites + 1));
      for (Index high = group * view_.highs() / groups; high < (group + 1) * view_.highs() / groups;
           ++high)
        if (view_.states_of(high) > 0) add_block(high, v, of_low.data(), of_up.data());
    });
    low_ = sum_of(low);
    up_ = sum_of(up);
  }

  /// The average of the spins of two bits.
  double pair(int i, int j) const {
    if (i > j) std::swap(i, j);
    const int low_bits = view_.low_bits;
    if (j < low_bits)
      return tree_sum(std::ssize(low_), [&](Index n) {
        const Index word = low_words_[static_cast<std::size_t>(n)];
        return low_[static_cast<std::size_t>(n)] * spin_of(word, i) * spin_of(word, j);
      });
    return tree_sum(view_.highs(), [&](Index high) {
      const double of_i =
          i < low_bits ? low_spin(high, i) : all(high) * spin_of(high, i - low_bits);
      return of_i * spin_of(high, j - low_bits);
    });
  }
  double spin(int i) const {
    return tree_sum(view_.highs(), [&](Index high) {
      return i < view_.low_bits ? low_spin(high, i) : all(high) * spin_of(high, i - view_.low_bits);
    });
  }
  /// The average of a function of m.
  template <class Function>
  double of_m(const Function& function) const {
    return tree_sum(std::ssize(up_), [&](Index up) {
      return up_[static_cast<std::size_t>(up)] *
             function(static_cast<double>(2 * up - view_.sites) / view_.sites);
    });
  }

 private:
  static constexpr Index most_groups = 64;

  double all(Index high) const { return of_high_[static_cast<std::size_t>(high)]; }
  double low_spin(Index high, int i) const {
    return spins_[static_cast<std::size_t>(high * view_.low_bits + i)];
  }

  static std::vector<double> sum_of(const std::vector<std::vector<double>>& groups) {
    std::vector<double> sum(groups.front().size());
    for (const std::vector<double>& group : groups)
      for (std::size_t n = 0; n < sum.size(); ++n) sum[n] += group[n];
    return sum;
  }

  void add_block(Index high, const double* v, double* of_low, double* of_up) {
    const int half = (view_.low_bits + 1) / 2, rest = view_.low_bits - half;
    const Index half_mask = (Index{1} << half) - 1;
    std::vector<double> lower(std::size_t{1} << half), upper(std::size_t{1} << rest);
    const double* const of_block = v + view_.begin_of(high);
    const Index first = view_.first_of(high), states = view_.states_of(high);
    const int high_up = count_up(high);
    for (Index r = 0; r < states; ++r) {
      const Index low = low_words_[static_cast<std::size_t>(first + r)];
      const double p = of_block[r] * of_block[r];
      of_low[first + r] += p;
      of_up[high_up + count_up(low)] += p;
      lower[static_cast<std::size_t>(low & half_mask)] += p;
      upper[static_cast<std::size_t>(low >> half)] += p;
    }
    double* const spins = spins_.data() + high * view_.low_bits;
    double total = 0;
    for (std::size_t word = 0; word < lower.size(); ++word) {
      total += lower[word];
      for (int i = 0; i < half; ++i) spins[i] += lower[word] * spin_of(static_cast<Index>(word), i);
    }
    for (std::size_t word = 0; word < upper.size(); ++word)
      for (int i = 0; i < rest; ++i)
        spins[half + i] += upper[word] * spin_of(static_cast<Index>(word), i);
    of_high_[static_cast<std::size_t>(high)] = total;
  }

  SpaceView view_;
  std::vector<Index> low_words_;
  std::vector<double> of_high_;  ///< probability of high bits
  std::vector<double> spins_;    ///< (high bits, low site): their spin times the probability
  std::vector<double> low_, up_;
};

}  // namespace

ExpectationValues::ExpectationValues(const SpinModel& model, const Sector& sector,
                                     const transfer::Vector& v)
    : threads_(v.device().threads), space_(Device::cpu(threads_), model, sector), v_(v.data()) {
  if (v.device().backend != Backend::cuda) return;
  copied_ = v.to_host();
  v_ = copied_.data();
}

double ExpectationValues::bytes(int sites, const Sector& sector, Backend backend) {
  const double states = StateSpace::states_of(sites, sector);
  const double halves = std::exp2((sites + 1) / 2);
  return (backend == Backend::cuda ? 8 * states : 0) + StateSpace::bytes(sites, sector) +
         8 * 64 * std::max(halves, std::exp2(tile_bits)) +
         8 * std::max(halves, std::exp2(sites - tile_bits)) * sites;
}

DiagonalAverages ExpectationValues::diagonal() const {
  const Marginals marginals(space_, v_, threads_);
  const SpaceView& view = space_.view();
  const auto N = static_cast<std::size_t>(view.sites);
  DiagonalAverages averages;
  averages.sz.resize(N);
  averages.szsz.resize(N * N, 1);
  for (int i = 0; i < view.bits; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const double spin = marginals.spin(i);
    if (view.sign == 0) {
      averages.sz[n] = spin;
    } else {
      // The last site points down in each word; both signs of a state are equally probable.
      averages.szsz[n * N + N - 1] = averages.szsz[(N - 1) * N + n] = -spin;
    }
    for (int j = 0; j < i; ++j)
      averages.szsz[n * N + static_cast<std::size_t>(j)] =
          averages.szsz[static_cast<std::size_t>(j) * N + n] = marginals.pair(i, j);
  }
  averages.abs_m = marginals.of_m([](double m) { return std::abs(m); });
  averages.m2 = marginals.of_m([](double m) { return m * m; });
  averages.m4 = marginals.of_m([](double m) { return m * m * m * m; });
  return averages;
}

/// The sum of v(x) v(x ^ flip) over the words with an odd number of tested bits; 0: over all.
double ExpectationValues::flip_average(Index flip, Index test) const {
  const SpaceView& view = space_.view();
  const FlipTerm term{flip, test, 1};
  std::vector<double> partial(static_cast<std::size_t>(view.highs()));
  parallel_for(threads_, view.highs(), [&](Index high) {
    const Index begin = view.begin_of(high), states = view.states_of(high);
    if (states == 0) return;
    const Index first = view.first_of(high);
    partial[static_cast<std::size_t>(high)] = tree_sum(states, [&](Index r) {
      const Index word = high << view.low_bits | view.low_word(first + r);
      if (!term.applies_to(word)) return 0.0;
      const SpaceView::Place other = view.find(word ^ flip);
      return other.sign * v_[begin + r] * v_[other.index];
    });
  });
  return tree_sum(view.highs(),
                  [&](Index high) { return partial[static_cast<std::size_t>(high)]; });
}

std::vector<double> ExpectationValues::sx() const {
  const SpaceView& view = space_.view();
  std::vector<double> averages(static_cast<std::size_t>(view.sites));
  if (view.has_magnetisation) return averages;
  for (int i = 0; i < view.sites; ++i)
    averages[static_cast<std::size_t>(i)] = flip_average(Index{1} << i, 0);
  return averages;
}

PlaneAverages ExpectationValues::plane() const {
  const SpaceView& view = space_.view();
  const auto N = static_cast<std::size_t>(view.sites);
  PlaneAverages averages{std::vector<double>(N * N, 1), std::vector<double>(N * N, 1)};
  for (int i = 0; i < view.sites; ++i)
    for (int j = 0; j < i; ++j) {
      const Index pair = Index{1} << i | Index{1} << j;
      const double antiparallel = flip_average(pair, pair);
      const double parallel = view.has_magnetisation ? 0 : flip_average(pair, 0) - antiparallel;
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      averages.sxsx[a * N + b] = averages.sxsx[b * N + a] = antiparallel + parallel;
      averages.sysy[a * N + b] = averages.sysy[b * N + a] = antiparallel - parallel;
    }
  return averages;
}

}  // namespace larmor::quantum
