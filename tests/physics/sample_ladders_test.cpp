// Ladders of Ising spins that are stored as bits, compared with one ladder at a time. Every
// instruction set and any number of threads are tested. Energies at every rung are compared with
// their exact distribution.
// Rooms: ising

#include "larmor/ising/multispin/samples/sample_ladders.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "ising_support.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "tests/ladder_outcome.hpp"

namespace larmor::sample_ladders_tests {

using namespace larmor::ising;
using tempering::LadderLayout;
using testing_support::expect_overlaps_of_copies;
using testing_support::expect_spins_at_their_rungs;
using testing_support::InstructionSet;
using testing_support::LadderOutcome;
using testing_support::outcome_of;
using testing_support::random_words;
using testing_support::rising_ladder;

constexpr std::uint64_t seed = 0x1adde75eed0123abull;

TEST(SampleTemperatures, EverySampleHasItsOwn) {
  const SampleGraph graph = grid_graph({{4, 6, 3}, {}});
  const std::vector<double> temperatures{0.4, 1.3, 2.2, 5.0, 0, INFINITY};
  constexpr Index words = 9;
  const auto packed = [&](const std::vector<double>& of_samples, Rule rule) {
    BitSamples samples(graph, {1, true, 5}, words, seed, Device::cpu(1), rule);
    samples.randomise(4);
    samples.set_temperatures(of_samples);
    UpdateCounter steps;
    samples.sweep(4, steps);
    return samples.packed();
  };
  const auto number = [&](Index sample) {
    return static_cast<std::size_t>(sample * 7 % 11) % temperatures.size();
  };
  for (const Rule rule : {Rule::metropolis, Rule::heat_bath}) {
    std::vector<double> mixed;
    for (Index sample = 0; sample < words * samples_of_word; ++sample)
      mixed.push_back(temperatures[number(sample)]);
    const std::vector<std::uint64_t> found = packed(mixed, rule);
    for (std::size_t t = 0; t < temperatures.size(); ++t) {
      const std::vector<std::uint64_t> uniform = packed({temperatures[t]}, rule);
      for (Index word = 0; word < words; ++word) {
        std::uint64_t here = 0;
        for (int s = 0; s < samples_of_word; ++s)
          here |= std::uint64_t{number(word * samples_of_word + s) == t} << s;
        for (Index site = 0; site < graph.sites; ++site) {
          const auto at = static_cast<std::size_t>(word * graph.sites + site);
          ASSERT_EQ(found[at] & here, uniform[at] & here) << "word " << word << ", site " << site;
        }
      }
    }
  }
}

/// Ladders that decide exchanges one pair at a time. BitSamples does the updates.
class Reference {
 public:
  Reference(const SampleGraph& graph, const SampleCouplings& couplings, const LadderLayout& layout,
            Rule rule)
      : J_(couplings.J),
        layout_(layout),
        samples_(graph, of_words(couplings, layout), layout.rungs * groups(), seed, Device::cpu(1),
                 rule) {
    samples_.randomise(3);
    for (Index n = 0; n < samples_.samples(); ++n) {
      rung_.push_back(n / samples_of_word % layout_.rungs);
      label_.push_back(0);
    }
    accepted_.resize(static_cast<std::size_t>(layout.ladders() * (layout.rungs - 1)));
    for (auto* counts : {&from_first_, &from_last_, &round_trips_})
      counts->resize(static_cast<std::size_t>(layout.replicas()));
  }

  void run(const std::vector<double>& ladder, Index sweeps) {
    std::vector<double> temperatures;
    for (const Index rung : rung_) temperatures.push_back(ladder[static_cast<std::size_t>(rung)]);
    samples_.set_temperatures(temperatures);
    samples_.sweep(sweeps, steps_);
    const std::vector<std::int64_t> bonds = samples_.sums().bonds;
    for (Index group = 0; group < groups(); ++group)
      for (Index sample = 0; sample < samples_of_word; ++sample)
        exchange(ladder, bonds, group, sample);
    ++proposals_;
  }

  LadderOutcome outcome() const {
    LadderOutcome outcome{samples_.packed(), {},          {},         {},
                          accepted_,         from_first_, from_last_, round_trips_};
    outcome.words.resize(rung_.size());
    for (Index n = 0; n < std::ssize(rung_); ++n) {
      const auto at = static_cast<std::size_t>(n);
      outcome.rungs.push_back(static_cast<std::int32_t>(rung_[at]));
      outcome.labels.push_back(static_cast<std::int8_t>(label_[at]));
      const Index word = n / samples_of_word;
      outcome.words[place(word / layout_.rungs, n % samples_of_word, rung_[at])] =
          static_cast<std::int32_t>(word);
    }
    return outcome;
  }

 private:
  Index groups() const { return layout_.ladders() / samples_of_word; }
  static SampleCouplings of_words(SampleCouplings couplings, const LadderLayout& layout) {
    for (Index word = 0; word < layout.replicas() / samples_of_word; ++word)
      couplings.first_sample.push_back(
          static_cast<std::uint64_t>(word / (layout.rungs * layout.copies) * samples_of_word));
    return couplings;
  }
  /// Copies of a sample are consecutive.
  Index ladder_of(Index group, Index sample) const {
    return group % layout_.copies +
           layout_.copies * (group / layout_.copies * samples_of_word + sample);
  }
  std::size_t place(Index group, Index sample, Index rung) const {
    return static_cast<std::size_t>(ladder_of(group, sample) * layout_.rungs + rung);
  }

  void exchange(const std::vector<double>& ladder, const std::vector<std::int64_t>& bonds,
                Index group, Index sample) {
    const Index number = ladder_of(group, sample);
    std::vector<std::size_t> at_rung(static_cast<std::size_t>(layout_.rungs));
    for (Index r = 0; r < layout_.rungs; ++r) {
      const auto here =
          static_cast<std::size_t>((group * layout_.rungs + r) * samples_of_word + sample);
      at_rung[static_cast<std::size_t>(rung_[here])] = here;
    }
    for (auto lower = static_cast<std::size_t>(proposals_ % 2); lower + 1 < at_rung.size();
         lower += 2) {
      const double E_a = -J_ * static_cast<double>(bonds[at_rung[lower]]),
                   E_b = -J_ * static_cast<double>(bonds[at_rung[lower + 1]]);
      const auto words = random_words(10, seed, Stream::temperature_exchange, lower, proposals_,
                                      static_cast<std::uint64_t>(number), 0);
      const double u = (words[0] + words[1] / 4294967296.0) / 4294967296.0;
      if (u >= std::exp((1 / ladder[lower] - 1 / ladder[lower + 1]) * (E_a - E_b))) continue;
      std::swap(at_rung[lower], at_rung[lower + 1]);
      ++accepted_[static_cast<std::size_t>(number * (layout_.rungs - 1)) + lower];
    }
    for (std::size_t r = 0; r < at_rung.size(); ++r) {
      const std::size_t here = at_rung[r];
      rung_[here] = static_cast<Index>(r);
      const bool is_first = r == 0, is_last = r + 1 == at_rung.size();
      if (is_first && label_[here] == 2)
        ++round_trips_[place(group, sample,
                             static_cast<Index>(here) / samples_of_word % layout_.rungs)];
      if (is_first) label_[here] = 1;
      if (is_last) label_[here] = 2;
      if (label_[here] == 1) ++from_first_[place(group, sample, static_cast<Index>(r))];
      if (label_[here] == 2) ++from_last_[place(group, sample, static_cast<Index>(r))];
    }
  }

  double J_;
  LadderLayout layout_;
  BitSamples samples_;
  std::uint64_t proposals_ = 0;
  UpdateCounter steps_;
  std::vector<Index> rung_;  ///< [word * 64 + sample]
  std::vector<int> label_;
  std::vector<std::int64_t> accepted_, from_first_, from_last_, round_trips_;
};

void compare_with_reference(const SampleGraph& graph, const SampleCouplings& couplings,
                            const LadderLayout& layout, Rule rule, double coldest,
                            Index proposals) {
  SCOPED_TRACE(std::to_string(graph.sites) + " sites, J " + std::to_string(couplings.J) + ", " +
               std::to_string(layout.rungs) + " rungs");
  Reference reference(graph, couplings, layout, rule);
  SampleLadders ladders(graph, couplings, layout, seed, Device::cpu(2), rule);
  ladders.samples().randomise(3);
  UpdateCounter steps;
  const auto run = [&](double first, Index calls, Index every) {
    const std::vector<double> ladder = rising_ladder(layout.rungs, first, 1.25);
    ladders.set_ladder(ladder);
    ladders.run(calls * every, every, steps);
    for (Index n = 0; n < calls; ++n) reference.run(ladder, every);
  };
  run(coldest, proposals, 1);
  // When temperatures change, rungs keep their replicas.
  run(1.3 * coldest, 3, 2);
  const LadderOutcome found = outcome_of(ladders), expected = reference.outcome();
  EXPECT_EQ(found.rungs, expected.rungs);
  EXPECT_EQ(found.words, expected.words);
  EXPECT_EQ(found.labels, expected.labels);
  EXPECT_EQ(found.accepted, expected.accepted);
  EXPECT_EQ(found.from_first, expected.from_first);
  EXPECT_EQ(found.from_last, expected.from_last);
  EXPECT_EQ(found.round_trips, expected.round_trips);
  EXPECT_EQ(found.spins, expected.spins);
  EXPECT_EQ(ladders.counts().proposed[0] + ladders.counts().proposed[1], proposals + 3);
  std::int64_t trips = 0;
  for (const std::int64_t n : found.round_trips) trips += n;
  EXPECT_GT(trips, 0) << "too few proposals to see one";
}

TEST(SampleLadders, ExchangesAreThoseOfOnePairAtATime) {
  compare_with_reference(grid_graph({{4, 4}, {}}), {1, true, 8}, {4, 2, 128}, Rule::metropolis, 0.8,
                         60);
  compare_with_reference(grid_graph({{3, 4, 3}, {}}), {-1.7, true, 8}, {3, 1, 64}, Rule::heat_bath,
                         2.0, 60);
  compare_with_reference(grid_graph({{4, 4, 2}, {true, false, true}}), {0.5}, {5, 3, 64},
                         Rule::glauber, 1.0, 60);
  compare_with_reference(grid_graph({{4, 4, 4}, {}}), {1, true, 8}, {2, 1, 192}, Rule::metropolis,
                         2.0, 20);
}

LadderOutcome outcome(int threads, const ReplicaShare& groups) {
  const SampleGraph graph = grid_graph({{4, 4, 6}, {}});
  const LadderLayout layout{5, 2, 128};
  SampleLadders ladders(graph, {1, true, 9}, layout, groups, seed, Device::cpu(threads));
  ladders.samples().randomise(2);
  ladders.set_ladder(rising_ladder(5, 1.0, 1.2));
  UpdateCounter steps;
  ladders.run(12, 2, steps);
  ladders.run(3, 0, steps);
  ladders.run(5, 1, steps);
  return outcome_of(ladders);
}

TEST(SampleLadders, ThreadsAndInstructionSetsChangeNoBit) {
  const LadderOutcome expected = outcome(1, 4);
  for (const int threads : {2, 3, 4}) EXPECT_EQ(outcome(threads, 4), expected);
  for (const std::string& set : instruction_sets_here()) {
    const InstructionSet chosen(set);
    EXPECT_EQ(outcome(3, 4), expected) << set;
  }
}

TEST(SampleLadders, GroupsAreThoseOfTheStudy) {
  const LadderOutcome all = outcome(1, 4);
  // The copies of a sample stay together.
  for (const Index first : {0, 2}) {
    const LadderOutcome part = outcome(1, {first, 2, 4});
    const auto expect_slice = [&](const auto& of_all, const auto& of_part) {
      const auto begin = of_all.begin() + std::ssize(of_part) * (first / 2);
      EXPECT_TRUE(std::equal(of_part.begin(), of_part.end(), begin)) << "group " << first;
    };
    expect_slice(all.spins, part.spins);
    expect_slice(all.rungs, part.rungs);
    expect_slice(all.labels, part.labels);
    expect_slice(all.accepted, part.accepted);
    expect_slice(all.from_first, part.from_first);
    expect_slice(all.from_last, part.from_last);
    expect_slice(all.round_trips, part.round_trips);
  }
  EXPECT_THROW(outcome(1, {1, 2, 4}), InternalError);
  EXPECT_THROW(outcome(1, {0, 1, 4}), InternalError);
}

TEST(SampleLadders, OverlapsOfCopiesAreCounted) {
  expect_overlaps_of_copies(Device::cpu(2), {4, 6, 3}, {3, 3, 128});
  expect_overlaps_of_copies(Device::cpu(1), {4, 6}, {5, 2, 64});
}

TEST(SampleLadders, ReplicasGetTheSpinsOfTheirRungs) {
  expect_spins_at_their_rungs(Device::cpu(2));
}

TEST(SampleLadders, SignsOfBondsMayBeGiven) {
  const SampleGraph graph = grid_graph({{4, 4}, {}});
  SampleCouplings drawn{1, true, 77}, given{1, true, 0};
  given.signs = [&](std::uint64_t n) { return signs_of_samples(graph, 77, n); };
  const auto spins = [&](const SampleCouplings& couplings) {
    SampleLadders ladders(graph, couplings, {3, 1, 128}, seed, Device::cpu(1));
    ladders.set_ladder(rising_ladder(3, 1.0, 1.3));
    UpdateCounter steps;
    ladders.run(6, 2, steps);
    return ladders.samples().packed();
  };
  EXPECT_EQ(spins(given), spins(drawn));
  EXPECT_NE(spins(given), spins({1, true, 78}));
}

TEST(SampleLadders, AFirstProposalChangesWhatIsDecided) {
  const auto decided = [&](std::uint64_t first) {
    SampleLadders ladders(grid_graph({{4, 4}, {}}), {1, true, 7}, {4, 1, 64}, seed, Device::cpu(1));
    ladders.set_first_proposal(first);
    ladders.set_ladder(rising_ladder(4, 1.0, 1.3));
    UpdateCounter steps;
    ladders.run(3, 1, steps);
    const std::array<Index, 2> proposed = ladders.counts().proposed;
    EXPECT_EQ(proposed[first % 2], 2);
    EXPECT_EQ(proposed[1 - first % 2], 1);
    return ladders.rungs();
  };
  EXPECT_EQ(decided(0), decided(0));
  EXPECT_NE(decided(0), decided(2));
  decided(1);
}

TEST(SampleLadders, GoOnFromASavedState) {
  const SampleGraph graph = grid_graph({{4, 6}, {}});
  const LadderLayout layout{4, 2, 64};
  const auto made = [&] {
    SampleLadders ladders(graph, {1, true, 9}, layout, seed, Device::cpu(1));
    ladders.set_ladder(rising_ladder(4, 0.9, 1.3));
    return ladders;
  };
  SampleLadders one = made(), other = made();
  one.samples().randomise(6);
  UpdateCounter steps, again;
  one.run(7, 1, steps);
  one.reset_counts();
  one.run(4, 1, steps);
  const SampleLadderState state = one.state();
  other.set_state(state);
  again = std::uint64_t{steps};
  EXPECT_EQ(outcome_of(other), outcome_of(one));
  one.run(9, 1, steps);
  other.run(9, 1, again);
  EXPECT_EQ(outcome_of(other), outcome_of(one));
  EXPECT_EQ(other.counts().proposed[0] + other.counts().proposed[1], 13);

  const auto refused = [&](const auto& change) {
    SampleLadderState changed = state;
    change(changed);
    EXPECT_THROW(other.set_state(changed), InputError);
  };
  refused([](SampleLadderState& s) { s.rungs[0] = (s.rungs[0] + 1) % 4; });
  refused([](SampleLadderState& s) { s.rungs[0] = 4; });
  refused([](SampleLadderState& s) { s.rungs[5] = -1; });
  refused([](SampleLadderState& s) { s.rungs.pop_back(); });
  refused([](SampleLadderState& s) { s.labels[9] = 3; });
  refused([](SampleLadderState& s) { s.labels.pop_back(); });
  refused([](SampleLadderState& s) { s.spins.pop_back(); });
  refused([](SampleLadderState& s) { s.accepted.pop_back(); });
  refused([](SampleLadderState& s) { s.round_trips.clear(); });
  EXPECT_EQ(outcome_of(other), outcome_of(one)) << "a state that was refused has left something";
}

TEST(SampleLadders, WhatIsNoLadderIsRefused) {
  const SampleGraph graph = grid_graph({{4, 4}, {}});
  const auto make = [&](const LadderLayout& layout) {
    return SampleLadders(graph, {1, true, 1}, layout, seed, Device::cpu(1));
  };
  EXPECT_THROW(make({1, 1, 64}), InputError);
  EXPECT_THROW(make({0, 1, 64}), InputError);
  EXPECT_THROW(make({4, 0, 64}), InputError);
  EXPECT_THROW(make({4, 1, 0}), InputError);
  EXPECT_THROW(make({4, 1, 100}), InputError);
  SampleLadders ladders = make({3, 1, 64});
  EXPECT_THROW(ladders.set_ladder({1.0, 2.0}), InternalError);
  EXPECT_THROW(ladders.set_ladder({1.0, 0.0, 2.0}), InputError);
  EXPECT_THROW(ladders.set_ladder({1.0, -1.0, 2.0}), InputError);
  EXPECT_THROW(ladders.set_ladder({1.0, std::numeric_limits<double>::quiet_NaN(), 2.0}),
               InputError);
  UpdateCounter steps;
  EXPECT_THROW(ladders.run(3, 2, steps), InternalError);
}

/// The number of states whose sum over bonds of e s s is b - bonds, by a Gray code. Opposite states
/// have equal sums, so the last spin may stay up. [2 bonds + 1]
std::vector<double> states_by_sum(const SampleGraph& graph, const std::vector<std::int8_t>& signs) {
  struct End {
    std::size_t site;
    int sign;
  };
  std::vector<std::vector<End>> ends(static_cast<std::size_t>(graph.sites));
  const auto bonds = static_cast<int>(signs.size());
  int sum = 0;
  for (std::size_t b = 0; b < signs.size(); ++b) {
    const auto i = static_cast<std::size_t>(graph.bonds[b].i),
               j = static_cast<std::size_t>(graph.bonds[b].j);
    ends[i].push_back({j, signs[b]});
    ends[j].push_back({i, signs[b]});
    sum += signs[b];
  }
  std::vector<double> states(2 * signs.size() + 1);
  std::vector<int> s(ends.size(), 1);
  for (std::uint64_t n = 1; n <= std::uint64_t{1} << (graph.sites - 1); ++n) {
    ++states[static_cast<std::size_t>(sum + bonds)];
    const auto i = static_cast<std::size_t>(std::countr_zero(n));
    int h = 0;
    for (const End& end : ends[i]) h += end.sign * s[end.site];
    sum -= 2 * h * s[i];
    s[i] = -s[i];
  }
  return states;
}

struct Exact {
  double energy = 0;       ///< mean
  double level = 0;        ///< about half of the states in the distribution lie up to this energy
  double up_to_level = 0;  ///< probability of these states
};

Exact exact_of(const std::vector<double>& states, double T) {
  const auto bonds = static_cast<double>(states.size() / 2);
  const auto energy = [&](std::size_t n) { return bonds - static_cast<double>(n); };
  Exact exact;
  std::vector<double> weight(states.size());
  double Z = 0;
  for (std::size_t n = 0; n < states.size(); ++n) {
    weight[n] = states[n] * std::exp(-(energy(n) + bonds) / T);
    Z += weight[n];
    exact.energy += weight[n] * energy(n);
  }
  exact.energy /= Z;
  double sum = 0;
  for (std::size_t n = states.size(); n-- > 0;) {
    sum += weight[n] / Z;
    if (states[n] == 0 || std::abs(sum - 0.5) >= std::abs(exact.up_to_level - 0.5)) continue;
    exact.level = energy(n);
    exact.up_to_level = sum;
  }
  return exact;
}

/// The copies of a ladder are independent, so the scatter of their means gives the error of the
/// overall mean.
double pull(const std::vector<double>& means, double exact) {
  const auto count = static_cast<double>(means.size());
  double sum = 0, squared = 0;
  for (const double mean : means) {
    sum += mean - exact;
    squared += (mean - exact) * (mean - exact);
  }
  const double mean = sum / count;
  return mean / std::sqrt((squared / count - mean * mean) / (count - 1));
}

/// @param compared number of the 64 samples to compare
void expect_exact_distributions(const SampleGraph& graph, const std::vector<double>& ladder,
                                int compared) {
  constexpr Index copies = 32, measurements = 500;
  const auto rungs = std::ssize(ladder);
  SampleLadders ladders(graph, {1, true, 77}, {rungs, copies, samples_of_word}, seed,
                        Device::cpu(2));
  ladders.samples().randomise(1);
  ladders.set_ladder(ladder);
  std::vector<std::vector<Exact>> exact;
  for (int sample = 0; sample < compared; ++sample) {
    const std::vector<double> states =
        states_by_sum(graph, ladders.samples().bond_signs(0, sample));
    exact.emplace_back();
    for (const double T : ladder) exact.back().push_back(exact_of(states, T));
  }
  UpdateCounter steps;
  ladders.run(200, 1, steps);
  // The position of (sample, rung, copy).
  const auto at = [&](Index sample, Index rung, Index copy) {
    return static_cast<std::size_t>((sample * rungs + rung) * copies + copy);
  };
  std::vector<double> energy(at(compared, 0, 0)), up_to_level(energy.size());
  for (Index n = 0; n < measurements; ++n) {
    ladders.run(2, 1, steps);
    const std::vector<std::int64_t> bonds = ladders.samples().sums().bonds;
    const std::vector<std::int32_t> words = ladders.words_at_rungs();
    for (Index sample = 0; sample < compared; ++sample)
      for (Index copy = 0; copy < copies; ++copy)
        for (Index rung = 0; rung < rungs; ++rung) {
          const Index ladder_number = copy + copies * sample;
          const Index word = words[static_cast<std::size_t>(ladder_number * rungs + rung)];
          const auto E = -static_cast<double>(
              bonds[static_cast<std::size_t>(word * samples_of_word + sample)]);
          energy[at(sample, rung, copy)] += E / measurements;
          const Exact& known =
              exact[static_cast<std::size_t>(sample)][static_cast<std::size_t>(rung)];
          up_to_level[at(sample, rung, copy)] += E <= known.level ? 1.0 / measurements : 0;
        }
  }
  for (Index rung = 0; rung < rungs; ++rung) {
    SCOPED_TRACE("rung " + std::to_string(rung));
    double chi_square = 0;
    int pulls = 0;
    for (Index sample = 0; sample < compared; ++sample) {
      const Exact& known = exact[static_cast<std::size_t>(sample)][static_cast<std::size_t>(rung)];
      const auto of_copies = [&](const std::vector<double>& means) {
        const auto begin = means.begin() + static_cast<std::ptrdiff_t>(at(sample, rung, 0));
        return std::vector<double>(begin, begin + copies);
      };
      for (const double x : {pull(of_copies(energy), known.energy),
                             pull(of_copies(up_to_level), known.up_to_level)}) {
        EXPECT_LT(std::abs(x), 5) << "sample " << sample;
        chi_square += x * x;
        ++pulls;
      }
    }
    // The two pulls of a sample use one set of states, so they count as one in the spread.
    const double spread = 5 * std::sqrt(2.2 / compared);
    EXPECT_GT(chi_square / pulls, 1 - spread);
    EXPECT_LT(chi_square / pulls, 1.07 + spread);
  }
}

TEST(SampleLadders, EnergiesOfSquaresAreThoseOfAllTheirStatesAtEveryRung) {
  expect_exact_distributions(grid_graph({{4, 4}, {}}), {0.9, 1.1, 1.4, 1.8, 2.4, 3.3}, 64);
}

TEST(SampleLaddersInDepth, EnergiesOfCubesAreThoseOfAllTheirStatesAtEveryRung) {
  expect_exact_distributions(grid_graph({{3, 3, 3}, {}}), {1.0, 1.3, 1.7, 2.2, 3.0}, 4);
}

}  // namespace larmor::sample_ladders_tests
