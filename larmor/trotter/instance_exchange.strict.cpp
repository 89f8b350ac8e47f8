#include "larmor/trotter/instance_exchange.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/error.hpp"
#include "larmor/tempering/exchange_rule.hpp"

namespace larmor::trotter {
namespace {

constexpr double impossible = -std::numeric_limits<double>::infinity();

}  // namespace

double ln_weight(const Instance& instance, const LineSums& sums) {
  double S = 0;
  for (std::size_t b = 0; b < sums.bond.size(); ++b)
    S += instance.beta * instance.J[b] * sums.bond[b];
  for (std::size_t i = 0; i < sums.site.size(); ++i) {
    S += instance.beta * instance.h[i] * sums.site[i];
    if (sums.kinks[i] > 0 && instance.Gamma[i] == 0) return impossible;
    if (sums.kinks[i] > 0) S += std::log(instance.beta * instance.Gamma[i]) * sums.kinks[i];
  }
  return S;
}

InstanceExchange::InstanceExchange(Index instances, Index copies, Index rungs, std::uint64_t seed,
                                   int threads)
    : copies_(copies), rungs_(rungs), ladders_(0), seed_(seed), threads_(threads) {
  if (rungs < 2 || instances % rungs != 0)
    throw InputError(std::to_string(instances) + " instances are to form ladders of " +
                         std::to_string(rungs) + " rungs",
                     "give at least two rungs, and equally many to each ladder");
  ladders_ = instances / rungs;
  counts_.proposed.assign(static_cast<std::size_t>(rungs - 1), 0);
  counts_.accepted = counts_.proposed;
}

template <class Exchange>
void InstanceExchange::propose_pairs(std::span<const ExchangeWeights> weights, int parity,
                                     std::uint64_t step, const Exchange& exchange) {
  const RandomKey key{seed_, step, Stream::temperature_exchange};
  for (Index ladder = 0; ladder < ladders_; ++ladder)
    for (Index rung = parity; rung + 1 < rungs_; rung += 2)
      for (Index copy = 0; copy < copies_; ++copy) {
        const Index x = (ladder * rungs_ + rung) * copies_ + copy, y = x + copies_;
        const ExchangeWeights& of_x = weights[static_cast<std::size_t>(x)];
        const ExchangeWeights& of_y = weights[static_cast<std::size_t>(y)];
        const double exponent = (of_y.other + of_x.other) - (of_x.own + of_y.own);
        ++counts_.proposed[static_cast<std::size_t>(rung)];
        if (!tempering::exchange_accepted(exponent, key, rung, ladder * copies_ + copy)) continue;
        ++counts_.accepted[static_cast<std::size_t>(rung)];
        exchange(x, y);
      }
}

void InstanceExchange::propose(TrotterState& state, TotalsOfReplicas& totals, int parity,
                               std::uint64_t step) {
  const TrotterModel& model = state.model();
  // Copies share words, so the copies of a group are exchanged together.
  std::vector<GroupPair> pairs;
  propose_pairs(totals.weights(state, {rungs_, parity}), parity, step, [&](Index x, Index y) {
    const ReplicaPlace one = model.place(x), other = model.place(y);
    if (pairs.empty() || pairs.back().one != one.group)
      pairs.push_back({one.group, other.group, 0});
    pairs.back().mask |= model.time().field_mask(one.field);
  });
  state.exchange(pairs);
}

void InstanceExchange::propose(ContinuousState& state, int parity, std::uint64_t step) {
  const ContinuousModel& model = state.model();
  const RungPairs pairs{rungs_, parity};
  std::vector<ExchangeWeights> weights(static_cast<std::size_t>(model.replicas()));
  parallel_for(threads_, model.replicas(), [&](Index replica) {
    const LineSums sums = state.sums(replica);
    const auto S = [&](Index instance) {
      return ln_weight(model.instances()[static_cast<std::size_t>(instance)], sums);
    };
    const Index own = replica / copies_;
    weights[static_cast<std::size_t>(replica)] = {S(own), S(pairs.partner(own))};
  });
  propose_pairs(weights, parity, step, [&](Index x, Index y) { state.exchange(x, y); });
}

std::vector<double> InstanceExchange::acceptance() const {
  std::vector<double> fractions;
  for (std::size_t n = 0; n < counts_.proposed.size(); ++n)
    fractions.push_back(static_cast<double>(counts_.accepted[n]) /
                        static_cast<double>(counts_.proposed[n]));
  return fractions;
}

void InstanceExchange::restore(const Counts& counts) {
  if (counts.proposed.size() != counts_.proposed.size() ||
      counts.accepted.size() != counts_.accepted.size())
    throw InputError("saved counts of exchanges are those of another ladder",
                     "resume from a state of this study");
  counts_ = counts;
}

}  // namespace larmor::trotter
