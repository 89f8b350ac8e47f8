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

double ln_weight(const Instance& instance, const SliceSums& sums) {
  const double dtau = instance.beta / static_cast<double>(sums.slice.size());
  double S = 0;
  for (std::size_t b = 0; b < sums.bond.size(); ++b) S += dtau * instance.J[b] * sums.bond[b];
  for (std::size_t i = 0; i < sums.site.size(); ++i) {
    S += dtau * instance.h[i] * sums.site[i];
    if (sums.kinks[i] > 0 && instance.Gamma[i] == 0) return impossible;
    // A sum over slices of s s' is M - 2 n.
    if (sums.kinks[i] > 0) S -= 2 * time_coupling(dtau, instance.Gamma[i]) * sums.kinks[i];
  }
  return S;
}

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

template <class Model, class State, class SumsOf>
void InstanceExchange::propose_pairs(const Model& model, State& state, int parity,
                                     std::uint64_t step, const SumsOf& sums_of) {
  std::vector<decltype(sums_of(Index{}))> sums(static_cast<std::size_t>(model.replicas()));
  parallel_for(threads_, model.replicas(),
               [&](Index replica) { sums[static_cast<std::size_t>(replica)] = sums_of(replica); });
  const RandomKey key{seed_, step, Stream::temperature_exchange};
  const auto S = [&](Index instance, Index replica) {
    return ln_weight(model.instances()[static_cast<std::size_t>(instance)],
                     sums[static_cast<std::size_t>(replica)]);
  };
  // Copies share words, so this loop has one thread.
  for (Index ladder = 0; ladder < ladders_; ++ladder)
    for (Index rung = parity; rung + 1 < rungs_; rung += 2)
      for (Index copy = 0; copy < copies_; ++copy) {
        const Index a = ladder * rungs_ + rung, b = a + 1;
        const Index x = a * copies_ + copy, y = b * copies_ + copy;
        const double exponent = (S(a, y) + S(b, x)) - (S(a, x) + S(b, y));
        ++counts_.proposed[static_cast<std::size_t>(rung)];
        if (!tempering::exchange_accepted(exponent, key, rung, ladder * copies_ + copy)) continue;
        ++counts_.accepted[static_cast<std::size_t>(rung)];
        state.exchange(x, y);
      }
}

void InstanceExchange::propose(TrotterState& state, int parity, std::uint64_t step) {
  const TrotterModel& model = state.model();
  const HostWords words = state.host_words();
  propose_pairs(model, state, parity, step, [&](Index replica) {
    return ReplicaSpins(model, words, replica).sums(model.system());
  });
}

void InstanceExchange::propose(ContinuousState& state, int parity, std::uint64_t step) {
  propose_pairs(state.model(), state, parity, step,
                [&](Index replica) { return state.sums(replica); });
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
