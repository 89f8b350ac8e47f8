// Samples of Ising spins, one per bit, compared with updates of one site of one sample and with
// exact averages. Every instruction set and any number of threads are tested.
// Rooms: ising

#include "larmor/ising/multispin/samples/bit_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "ising_support.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/ising/multispin/samples/update_kernel.hpp"
#include "larmor/lattice/colouring.hpp"
#include "larmor/lattice/lazy_sweeps.hpp"
#include "tests/named.hpp"

namespace larmor::bit_samples_tests {

using namespace larmor::ising;
using testing_support::InstructionSet;
using testing_support::random_words;

constexpr std::uint64_t seed = 0x5eed0123456789abull;

/// A graph whose sites have from 0 to `most` bonds. Some pairs of sites share several bonds.
SampleGraph irregular_graph(Index sites, int most) {
  SampleGraph graph;
  graph.sites = sites;
  std::vector<int> degree(static_cast<std::size_t>(sites));
  std::uint32_t state = 12345;
  const auto below = [&](Index n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<Index>(state >> 8) % n;
  };
  for (Index n = 0; n < sites * most; ++n) {
    const Index i = 1 + below(sites - 1), j = 1 + below(sites - 1);
    int &a = degree[static_cast<std::size_t>(i)], &b = degree[static_cast<std::size_t>(j)];
    if (i == j || a == most || b == most) continue;
    // Some sites get few bonds.
    if ((i % 5 == 0 && a == 2) || (j % 5 == 0 && b == 2)) continue;
    ++a, ++b;
    graph.bonds.push_back({i, j, below(3) == 0 ? -1 : 1});
  }
  return graph;
}

using Case = testing_support::Named<std::function<SampleGraph()>>;

std::vector<Case> cases() {
  const auto grid = [](std::vector<Index> size, std::vector<bool> periodic = {}) {
    return [=] { return grid_graph({size, periodic}); };
  };
  const auto irregular = [](Index sites, int most) {
    return [=] { return irregular_graph(sites, most); };
  };
  return {{"ring_10", grid({10})},
          {"ring_7", grid({7})},
          {"chain_21", grid({21}, {false})},
          {"square_6_4", grid({6, 4})},
          {"square_2_2", grid({2, 2})},
          {"cube_4", grid({4, 4, 4})},
          {"cube_3", grid({3, 3, 3})},
          {"block_5_3_4", grid({5, 3, 4}, {false, true, false})},
          {"film_4_4_1", grid({4, 4, 1}, {true, true, false})},
          {"four_axes_4_2_3_2", grid({4, 2, 3, 2})},
          {"irregular_4", irregular(40, 4)},
          {"irregular_6", irregular(40, 6)},
          {"irregular_8", irregular(50, 8)},
          {"irregular_11", irregular(60, 11)},
          {"irregular_32", irregular(70, 32)}};
}

/// One sample, updated site by site. Only the definitions and colours are shared with the tested
/// code.
class Reference {
 public:
  Reference(const SampleGraph& graph, const std::vector<std::int8_t>& signs, double J, Rule rule,
            Index word, int sample, double temperature)
      : rule_(rule), word_(word), sample_(sample), temperature_(temperature) {
    bonds_.resize(static_cast<std::size_t>(graph.sites));
    for (std::size_t b = 0; b < graph.bonds.size(); ++b) {
      const auto i = static_cast<std::size_t>(graph.bonds[b].i),
                 j = static_cast<std::size_t>(graph.bonds[b].j);
      bonds_[i].push_back({j, J * signs[b]});
      bonds_[j].push_back({i, J * signs[b]});
    }
    lattice::Graph neighbours{{0}, {}, {}};
    for (const auto& of_site : bonds_) {
      for (const End& end : of_site)
        neighbours.neighbour.push_back(static_cast<std::int32_t>(end.site));
      neighbours.offset.push_back(std::ssize(neighbours.neighbour));
    }
    colouring_ = lattice::greedy_colouring(neighbours);
    is_small_ = some_part_is_small();
  }

  std::vector<std::int8_t> spins;

  void sweep(std::uint64_t step) {
    for (std::int32_t colour = 0; colour < colouring_.colours; ++colour)
      for (std::size_t i = 0; i < bonds_.size(); ++i)
        if (colouring_.colour[i] == colour) update(i, step);
  }

 private:
  struct End {
    std::size_t site;
    double J;
  };

  bool some_part_is_small() const {
    std::vector<bool> seen(bonds_.size());
    for (std::size_t first = 0; first < bonds_.size(); ++first) {
      std::vector<std::size_t> part{first};
      if (seen[first]) continue;
      seen[first] = true;
      std::size_t most_bonds = 0;
      for (std::size_t n = 0; n < part.size(); ++n) {
        most_bonds = std::max(most_bonds, bonds_[part[n]].size());
        for (const End& end : bonds_[part[n]])
          if (!seen[end.site]) {
            seen[end.site] = true;
            part.push_back(end.site);
          }
      }
      if (most_bonds <= 2 || part.size() < 10 * most_bonds) return true;
    }
    return false;
  }

  void update(std::size_t i, std::uint64_t step) {
    double field = 0;
    for (const End& end : bonds_[i]) field += end.J * spins[end.site];
    const double x = 2 * field / temperature_;
    double probability = std::min(1.0, std::exp(-x * spins[i]));
    if (rule_ == Rule::metropolis && is_small_ && lattice::is_lazy_sweep(step)) probability /= 2;
    if (rule_ == Rule::glauber) probability = 1 / (1 + std::exp(x * spins[i]));
    if (rule_ == Rule::heat_bath) probability = 1 / (1 + std::exp(x));
    std::uint64_t u = 0;
    for (std::uint32_t block = 0; block < 8; ++block) {
      const auto words = random_words(rounds_of_samples, seed, Stream::sample_update, i, step,
                                      static_cast<std::uint64_t>(2 * word_ + sample_ / 32), block);
      for (const std::uint32_t w : words) u = 2 * u + ((w >> (sample_ % 32)) & 1u);
    }
    const bool below = static_cast<double>(u) < std::round(probability * 4294967296.0);
    if (rule_ == Rule::heat_bath) {
      spins[i] = below ? -1 : 1;
    } else if (below) {
      spins[i] = static_cast<std::int8_t>(-spins[i]);
    }
  }

  std::vector<std::vector<End>> bonds_;
  lattice::Colouring colouring_;
  bool is_small_ = false;
  Rule rule_;
  Index word_;
  int sample_;
  double temperature_;
};

class EverySampleGraph : public testing::TestWithParam<Case> {};

void compare_with_reference(const SampleGraph& graph, const SampleCouplings& couplings, Rule rule) {
  SCOPED_TRACE("J " + std::to_string(couplings.J) + ", signs " +
               std::to_string(couplings.random_signs) + ", rule " +
               std::to_string(static_cast<int>(rule)));
  const std::vector<double> temperatures{0.6, 2.3, 30.0};
  // The halves of a vector have numbers on both sides of 2^16.
  constexpr Index first_word = (1 << 15) - 1;
  SampleCouplings of_study = couplings;
  if (!couplings.first_sample.empty()) of_study.first_sample.resize(first_word + 3);
  std::copy(couplings.first_sample.begin(), couplings.first_sample.end(),
            of_study.first_sample.end() - std::ssize(couplings.first_sample));
  BitSamples samples(graph, of_study, {first_word, 3, first_word + 3}, seed, Device::cpu(1), rule);
  samples.randomise(7);
  samples.set_temperatures(temperatures);
  constexpr int compared[] = {0, 13, 31, 32, 63};
  std::vector<std::vector<std::int8_t>> start;
  for (Index word = 0; word < 3; ++word)
    for (const int sample : compared) start.push_back(samples.spins(word, sample));
  UpdateCounter steps;
  // The steps use both halves of the random counter and include a lazy sweep.
  const std::uint64_t first_step = (std::uint64_t{1} << 24) - 1, sweeps = 4;
  steps = first_step;
  samples.sweep(sweeps, steps);
  EXPECT_EQ(steps, first_step + sweeps);
  const BitSamples::Sums sums = samples.sums();
  auto before = start.begin();
  for (Index word = 0; word < 3; ++word)
    for (const int sample : compared) {
      const std::vector<std::int8_t> signs = samples.bond_signs(word, sample);
      Reference reference(graph, signs, couplings.J, rule, first_word + word, sample,
                          temperatures[static_cast<std::size_t>(word)]);
      reference.spins = *before++;
      for (std::uint64_t n = 0; n < sweeps; ++n) reference.sweep(first_step + n);
      ASSERT_EQ(samples.spins(word, sample), reference.spins)
          << "word " << word << ", sample " << sample;
      std::int64_t total = 0, bonds = 0;
      for (const std::int8_t s : reference.spins) total += s;
      for (std::size_t b = 0; b < signs.size(); ++b)
        bonds += signs[b] * reference.spins[static_cast<std::size_t>(graph.bonds[b].i)] *
                 reference.spins[static_cast<std::size_t>(graph.bonds[b].j)];
      const auto at = static_cast<std::size_t>(word * samples_of_word + sample);
      EXPECT_EQ(sums.spins[at], total);
      EXPECT_EQ(sums.bonds[at], bonds);
    }
}

TEST_P(EverySampleGraph, SpinsAreThoseOfOneSiteAtATime) {
  const SampleGraph graph = GetParam().value();
  const SampleCouplings positive{1}, negative{-0.7}, glass{1.3, true, 99},
      replicas{1, true, 9, {128, 128, 128}}, mixed{1, true, 9, {5, 1000003, 5}};
  compare_with_reference(graph, positive, Rule::metropolis);
  compare_with_reference(graph, negative, Rule::metropolis);
  compare_with_reference(graph, glass, Rule::metropolis);
  compare_with_reference(graph, replicas, Rule::metropolis);
  compare_with_reference(graph, negative, Rule::heat_bath);
  compare_with_reference(graph, mixed, Rule::heat_bath);
  compare_with_reference(graph, glass, Rule::glauber);
}

struct Outcome {
  std::vector<std::uint64_t> packed;
  std::vector<std::int64_t> bonds, spins, overlaps, bond_overlaps;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

constexpr Index words_of_outcome = 11;

Outcome outcome(const SampleGraph& graph, int threads, Rule rule) {
  SampleCouplings couplings{1, true, 3};
  std::vector<double> temperatures;
  for (Index word = 0; word < words_of_outcome; ++word) {
    couplings.first_sample.push_back(static_cast<std::uint64_t>(word / 3 * 64));
    temperatures.push_back(0.5 + 0.4 * static_cast<double>(word % 5));
  }
  BitSamples samples(graph, couplings, words_of_outcome, seed, Device::cpu(threads), rule);
  samples.randomise(11);
  samples.set_temperatures(temperatures);
  UpdateCounter steps;
  samples.sweep(3, steps);
  samples.sweep(1, steps);
  const BitSamples::Sums sums = samples.sums(),
                         overlaps = samples.overlaps({{0, 1}, {1, 9}, {10, 2}, {4, 4}, {3, 5}});
  return {samples.packed(), sums.bonds, sums.spins, overlaps.spins, overlaps.bonds};
}

TEST_P(EverySampleGraph, ThreadsAndInstructionSetsChangeNoBit) {
  const SampleGraph graph = GetParam().value();
  for (const Rule rule : {Rule::metropolis, Rule::glauber}) {
    const Outcome expected = outcome(graph, 1, rule);
    for (const int threads : {2, 3, 4}) EXPECT_EQ(outcome(graph, threads, rule), expected);
    for (const std::string& set : instruction_sets_here()) {
      const InstructionSet chosen(set);
      for (const int threads : {1, 4}) EXPECT_EQ(outcome(graph, threads, rule), expected) << set;
    }
  }
}

/// Updates half a word at one position by the code that a thread of a CUDA kernel runs.
template <int width, bool upper_half>
void update_half(const SamplesView& view, const RandomKey& key, const SampleRun& run,
                 std::int32_t position, Index half) {
  struct Spins {
    const SamplesView* view;
    Index half;
    std::uint32_t at(Index p) const { return view->spins_of(half)[p * view->stride()]; }
  };
  struct Signs {
    const SamplesView* view;
    Index half;
    std::uint32_t at(const std::int32_t* bond, Index n) const {
      const SignTable& table = view->sign_tables[half / view->stride()];
      const Index b = table.side_by_side ? bond[n] * view->stride() + half % view->stride()
                                         : bond[n] * Index{halves} + half % halves;
      return view->signs[table.first + b];
    }
  };
  constexpr int classes = sample_classes<width, upper_half>;
  struct Digits {
    std::uint64_t threshold[classes];
    std::uint32_t sure(int c) const { return (threshold[c] >> digits) != 0 ? ~0u : 0u; }
    std::uint32_t drawn(int c) const { return sure(c) == 0 && threshold[c] != 0 ? ~0u : 0u; }
    std::uint32_t digit(int c, int k) const {
      return ((threshold[c] >> (digits - 1 - k)) & 1u) != 0 ? ~0u : 0u;
    }
  } table;
  for (int c = 0; c < classes; ++c)
    table.threshold[c] =
        view.threshold(half / halves * samples_of_word, sum_of_class(view.width, run.degree, c));
  std::uint32_t& spins = view.spins_of(half)[position * view.stride()];
  const std::uint32_t before = spins & view.own_spin;
  std::uint32_t plane[width];
  unsatisfied_planes<width>(view, position, run.degree, before ^ view.coupling, Spins{&view, half},
                            Signs{&view, half}, plane);
  Decision<classes, std::uint32_t> decision;
  const std::uint32_t rest = sample_members<width, upper_half>(plane, decision.member);
  const SamplePlanes random(key, static_cast<std::uint64_t>(half), 0, 0);
  const auto site = static_cast<std::uint32_t>(view.site[position]);
  decision.begin(table, random, site, rest);
  std::uint64_t calls = 0;
  const std::uint32_t flips = decision.accepted;
  spins = before ^ flips ^ decision.finish(table, random, site, calls);
}

TEST(BitSamples, OneHalfAtATimeHasTheBitsOfVectors) {
  for (const Rule rule : {Rule::metropolis, Rule::heat_bath}) {
    const auto made = [&] {
      return BitSamples(grid_graph({{3, 4, 5}, {true, false, true}}), {-1, true, 6, {0, 64, 0, 64}},
                        4, seed, Device::cpu(1), rule);
    };
    BitSamples vectors = made(), one = made();
    UpdateCounter steps;
    for (BitSamples* samples : {&vectors, &one}) {
      samples->randomise(21);
      samples->set_temperatures({1.1, 3.0, 0.7, 2});
    }
    vectors.sweep(2, steps);
    const SamplesView view = one.view();
    ASSERT_EQ(view.width, 6);
    for (std::uint64_t step = 0; step < 2; ++step)
      for (int r = 0; r < view.run_count; ++r)
        for (Index half = 0; half < 4 * halves; ++half)
          for (std::int32_t n = 0; n < view.runs[r].count; ++n) {
            const RandomKey key{seed, step, Stream::sample_update};
            if (rule == Rule::metropolis) {
              update_half<6, true>(view, key, view.runs[r], view.runs[r].first + n, half);
            } else {
              update_half<6, false>(view, key, view.runs[r], view.runs[r].first + n, half);
            }
          }
    EXPECT_EQ(one.packed(), vectors.packed());
  }
}

INSTANTIATE_TEST_SUITE_P(BitSamples, EverySampleGraph, testing::ValuesIn(cases()),
                         testing_support::by_name);

TEST(BitSamples, WordsAreThoseOfTheStudy) {
  const SampleGraph graph = grid_graph({{4, 4, 2}, {}});
  const auto packed = [&](const ReplicaShare& share) {
    BitSamples samples(graph, {1, true, 4}, share, seed, Device::cpu(1));
    samples.randomise(2);
    samples.set_temperatures({2.0});
    UpdateCounter steps;
    samples.sweep(3, steps);
    return samples.packed();
  };
  const auto all = packed(5), part = packed({2, 2, 5});
  EXPECT_EQ(part, std::vector(all.begin() + 2 * 32, all.begin() + 4 * 32));
}

TEST(BitSamples, GoesOnFromAPackedState) {
  const SampleGraph graph = grid_graph({{5, 3}, {}});
  BitSamples one(graph, {}, 3, seed, Device::cpu(1)), other(graph, {}, 3, seed, Device::cpu(1));
  one.set_temperatures({2.0});
  other.set_temperatures({2.0});
  UpdateCounter steps, again;
  one.randomise(1);
  one.sweep(3, steps);
  again = std::uint64_t{steps};
  other.set_packed(one.packed());
  one.sweep(2, steps);
  other.sweep(2, again);
  EXPECT_EQ(one.packed(), other.packed());
  EXPECT_THROW(other.set_packed(std::vector<std::uint64_t>(44)), InputError);
}

TEST(BitSamples, UniformStatesHaveTheirSums) {
  const SampleGraph graph = grid_graph({{5, 4}, {true, false}});
  BitSamples samples(graph, {}, 2, seed, Device::cpu(1));
  EXPECT_EQ(samples.bonds(), 5 * 4 + 5 * 3);
  for (const bool up : {true, false}) {
    samples.set_all(up);
    const BitSamples::Sums sums = samples.sums();
    EXPECT_EQ(sums.bonds, std::vector<std::int64_t>(128, 35));
    EXPECT_EQ(sums.spins, std::vector<std::int64_t>(128, up ? 20 : -20));
  }
}

TEST(BitSamples, OverlapsAreThoseOfTheSpins) {
  const SampleGraph graph = grid_graph({{3, 5, 2}, {}});
  constexpr Index words = 12;
  BitSamples samples(graph, {1, true, 8}, words, seed, Device::cpu(2));
  samples.randomise(3);
  const std::vector<WordPair> pairs{{0, 1}, {11, 2}, {5, 5}, {3, 7}, {8, 10}, {10, 8}};
  const BitSamples::Sums found = samples.overlaps(pairs);
  ASSERT_EQ(found.spins.size(), pairs.size() * 64);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    for (const int sample : {0, 17, 31, 32, 63}) {
      const std::vector<std::int8_t> s = samples.spins(pairs[p].first, sample),
                                     t = samples.spins(pairs[p].second, sample);
      std::int64_t q = 0, bonds = 0;
      for (std::size_t i = 0; i < s.size(); ++i) q += s[i] * t[i];
      for (const SignedBond& bond : graph.bonds) {
        const auto i = static_cast<std::size_t>(bond.i), j = static_cast<std::size_t>(bond.j);
        bonds += s[i] * t[i] * s[j] * t[j];
      }
      const std::size_t at = p * 64 + static_cast<std::size_t>(sample);
      EXPECT_EQ(found.spins[at], q);
      EXPECT_EQ(found.bonds[at], bonds);
    }
  EXPECT_EQ(samples.overlaps({}).spins.size(), 0U);
  EXPECT_THROW(samples.overlaps({{0, 12}}), InternalError);
}

TEST(BitSamples, SignsAreThoseOfABitLattice) {
  for (const GridShape& shape :
       {GridShape{{64, 4, 6}, {}}, GridShape{{128, 3}, {true, false}}, GridShape{{320, 2}, {}}}) {
    const std::vector<std::uint64_t> first{0, 1000};
    const BitSamples samples(grid_graph(shape), {1, true, 77, first}, 2, seed, Device::cpu(1));
    for (Index word = 0; word < 2; ++word)
      for (const int sample : {0, 31, 40, 63}) {
        const std::uint64_t number =
            first[static_cast<std::size_t>(word)] + static_cast<std::uint64_t>(sample);
        const BitLattice lattice(shape, {1, true, 77, {number}}, 1, seed, Device::cpu(1));
        std::vector<std::vector<std::int8_t>> of_axis;
        for (int axis = 0; axis < static_cast<int>(shape.size.size()); ++axis)
          of_axis.push_back(lattice.bond_signs(0, axis));
        std::vector<std::int8_t> expected;
        for (Index site = 0; site < shape.sites(); ++site) {
          Index rest = site;
          for (std::size_t a = 0; a < shape.size.size(); rest /= shape.size[a++])
            if (shape.periodic.empty() || shape.periodic[a] ||
                rest % shape.size[a] < shape.size[a] - 1)
              expected.push_back(of_axis[a][static_cast<std::size_t>(site)]);
        }
        EXPECT_EQ(samples.bond_signs(word, sample), expected);
      }
  }
}

TEST(BitSamples, EverySampleHasSignsOfItsOwn) {
  for (const SampleGraph& graph :
       {grid_graph({{16, 16}, {}}), grid_graph({{17, 16}, {}}), irregular_graph(200, 6)}) {
    const std::vector<std::uint64_t> words = signs_of_samples(graph, 5, 64);
    ASSERT_EQ(words.size(), graph.bonds.size());
    const auto bonds = static_cast<double>(words.size());
    // The samples of a bond are independent, and so are the bonds of a sample. In half of the pairs
    // of samples, the signs are equal. In half of the pairs of consecutive bonds, the signs are
    // also equal.
    for (int a = 0; a < 64; ++a) {
      const auto sign = [&](std::size_t b, int k) { return static_cast<int>(words[b] >> k & 1u); };
      int negative = 0, equal = 0, next_equal = 0;
      for (std::size_t b = 0; b < words.size(); ++b) {
        negative += sign(b, a);
        equal += sign(b, a) == sign(b, (a + 1) % 64) ? 1 : 0;
        next_equal += sign(b, a) == sign((b + 1) % words.size(), a) ? 1 : 0;
      }
      for (const int count : {negative, equal, next_equal})
        EXPECT_LT(std::abs(count - bonds / 2), 4.5 * std::sqrt(bonds) / 2);
    }
  }
}

TEST(BitSamples, ThresholdsAreTheProbabilitiesTo32Digits) {
  const std::vector<double> temperatures{0.3, 1.0, 2.2691853142, 4.5, 100.0};
  for (const Rule rule : {Rule::metropolis, Rule::heat_bath, Rule::glauber})
    for (const int most : {4, 6, 8, 12, 32}) {
      BitSamples samples(irregular_graph(100, most), {0.7}, std::ssize(temperatures), seed,
                         Device::cpu(1), rule);
      samples.set_temperatures(temperatures);
      const SamplesView view = samples.view();
      ASSERT_EQ(view.width, most);
      for (Index word = 0; word < view.words; ++word)
        for (int degree = 0; degree <= most; ++degree)
          for (int unsatisfied = 0; unsatisfied <= degree; ++unsatisfied) {
            const long double x = 2 * 0.7L * (degree - 2 * unsatisfied) /
                                  temperatures[static_cast<std::size_t>(word)];
            const long double exact =
                rule == Rule::metropolis ? std::min(1.0L, std::exp(-x)) : 1 / (1 + std::exp(x));
            const auto threshold = static_cast<long double>(view.threshold(
                word * samples_of_word, sum_of_class(view.width, degree, unsatisfied)));
            EXPECT_LE(std::abs(threshold - std::ldexp(exact, digits)), 0.5001L);
          }
    }
}

TEST(BitSamples, NothingFlipsAgainstItsBondsAtZeroTemperature) {
  BitSamples samples(grid_graph({{4, 4, 4}, {}}), {}, 1, seed, Device::cpu(1));
  samples.set_temperatures({0});
  UpdateCounter steps;
  samples.sweep(10, steps);
  EXPECT_EQ(samples.sums().spins, std::vector<std::int64_t>(64, 64));
}

TEST(BitSamples, WhatIsNotStoredSoIsRefused) {
  const auto make = [](const SampleGraph& graph, const SampleCouplings& couplings = {},
                       Rule rule = Rule::glauber, const ReplicaShare& words = 1) {
    BitSamples(graph, couplings, words, seed, Device::cpu(1), rule);
  };
  EXPECT_THROW(make({}), InputError);
  EXPECT_THROW(make({(1 << 24) + 1}), InputError);
  EXPECT_THROW(make({2, {{0, 0}}}), InputError);
  EXPECT_THROW(make({2, {{0, 2}}}), InputError);
  EXPECT_THROW(make({2, {{-1, 0}}}), InputError);
  EXPECT_THROW(make({2, {{0, 1, 2}}}), InputError);
  EXPECT_THROW(make({2, {{0, 1}}, {{0}, {1}}}), InputError);
  EXPECT_THROW(make({2, std::vector<SignedBond>(33, {0, 1})}), InputError);
  EXPECT_NO_THROW(make({2, std::vector<SignedBond>(32, {0, 1})}));
  const SampleGraph square = grid_graph({{4, 4}, {}});
  EXPECT_THROW(make(square, {std::numeric_limits<double>::infinity()}), InputError);
  EXPECT_THROW(make(square, {1, true, 0, {0, 1}}), InputError);
  EXPECT_THROW(make(square, {1, true, 0, {(1 << 24) - 63}}), InputError);
  EXPECT_NO_THROW(make(square, {1, true, 0, {(1 << 24) - 64}}));
  EXPECT_THROW(make(square, {}, Rule::metropolis, {0, 1, (1 << 23) + 1}), InputError);
  EXPECT_THROW(grid_graph({{}, {}}), InputError);
  EXPECT_THROW(grid_graph({{4, 0}, {}}), InputError);
  EXPECT_THROW(grid_graph({{4, 1}, {}}), InputError);
  EXPECT_THROW(grid_graph({{4, 4}, {true}}), InputError);
  EXPECT_THROW(grid_graph({{2, 2, 2, 2, 2}, {}}), InputError);
  BitSamples samples(square, {}, 2, seed, Device::cpu(1));
  EXPECT_THROW(samples.set_temperatures({-1.0}), InputError);
  EXPECT_THROW(samples.set_temperatures({1, 2, 3}), InputError);
  EXPECT_THROW(samples.spins(2, 0), InternalError);
}

/// Tests that deviations match the errors: they are neither larger nor smaller.
void expect_chi_square(const std::vector<double>& pulls) {
  ASSERT_GE(pulls.size(), 40U);
  double sum = 0;
  for (const double pull : pulls) {
    EXPECT_LT(std::abs(pull), 5);
    sum += pull * pull;
  }
  const auto count = static_cast<double>(pulls.size());
  EXPECT_GT(sum / count, 0.5) << "errors are too large";
  EXPECT_LT(sum / count, 1.7) << "errors are too small";
}

struct Exact {
  double bonds = 0, spins_squared = 0;
};

/// Averages over all states. A Gray code visits the states by single flips. If there is no field,
/// the last spin stays up.
Exact enumerated(const SampleGraph& graph, const std::vector<std::int8_t>& signs, double beta) {
  struct End {
    std::size_t site;
    int sign;
  };
  std::vector<std::vector<End>> ends(static_cast<std::size_t>(graph.sites));
  int bonds = 0, total = static_cast<int>(graph.sites);
  for (std::size_t b = 0; b < signs.size(); ++b) {
    const auto i = static_cast<std::size_t>(graph.bonds[b].i),
               j = static_cast<std::size_t>(graph.bonds[b].j);
    ends[i].push_back({j, signs[b]});
    ends[j].push_back({i, signs[b]});
    bonds += signs[b];
  }
  std::vector<double> weight;
  const int most = static_cast<int>(signs.size());
  for (int sum = -most; sum <= most; ++sum) weight.push_back(std::exp(beta * sum));
  std::vector<int> s(ends.size(), 1);
  double Z = 0;
  Exact exact;
  const std::uint64_t states = std::uint64_t{1} << (graph.sites - 1);
  for (std::uint64_t n = 1; n <= states; ++n) {
    const double w = weight[static_cast<std::size_t>(bonds + most)];
    Z += w;
    exact.bonds += w * bonds;
    exact.spins_squared += w * total * total;
    const auto i = static_cast<std::size_t>(std::countr_zero(n));
    int h = 0;
    for (const End& end : ends[i]) h += end.sign * s[end.site];
    bonds -= 2 * h * s[i];
    total -= 2 * s[i];
    s[i] = -s[i];
  }
  exact.bonds /= Z;
  exact.spins_squared /= Z;
  return exact;
}

/// Deviations from exact means, in units of their errors. Each of the 64 samples of a word gives
/// the sum over bonds and the squared magnetisation.
std::vector<double> pulls(BitSamples& samples, const std::vector<Exact>& exact) {
  constexpr Index measurements = 600, every = 3;
  UpdateCounter steps;
  samples.randomise(5);
  samples.sweep(200, steps);
  const auto all = static_cast<std::size_t>(samples.samples());
  std::vector<double> bonds(all), squares(all);
  for (Index n = 0; n < measurements; ++n) {
    samples.sweep(every, steps);
    const BitSamples::Sums sums = samples.sums();
    for (std::size_t k = 0; k < all; ++k) {
      bonds[k] += static_cast<double>(sums.bonds[k]) / measurements;
      squares[k] += static_cast<double>(sums.spins[k] * sums.spins[k]) / measurements;
    }
  }
  const auto words = static_cast<double>(samples.words());
  std::vector<double> pulls;
  for (std::size_t k = 0; k < 64; ++k) {
    const auto pull = [&](const std::vector<double>& means, double value) {
      double sum = 0, squared = 0;
      for (std::size_t n = k; n < all; n += 64) {
        sum += means[n] - value;
        squared += (means[n] - value) * (means[n] - value);
      }
      const double mean = sum / words;
      return mean / std::sqrt((squared / words - mean * mean) / (words - 1));
    };
    pulls.push_back(pull(bonds, exact[k].bonds));
    pulls.push_back(pull(squares, exact[k].spins_squared));
  }
  return pulls;
}

constexpr Index words_of_average = 32;

TEST(BitSamples, AveragesOfEverySampleOfARandomGraphAreTheEnumerated) {
  const SampleGraph graph = irregular_graph(14, 6);
  SampleCouplings couplings{1, true, 31};
  couplings.first_sample.assign(static_cast<std::size_t>(words_of_average), 640);
  for (const auto& [rule, temperature] :
       {std::pair(Rule::metropolis, 2.0), {Rule::heat_bath, 1.5}, {Rule::glauber, 2.5}}) {
    BitSamples samples(graph, couplings, words_of_average, seed, Device::cpu(1), rule);
    samples.set_temperatures({temperature});
    std::vector<Exact> exact;
    for (int k = 0; k < 64; ++k)
      exact.push_back(enumerated(graph, samples.bond_signs(0, k), 1 / temperature));
    SCOPED_TRACE("rule " + std::to_string(static_cast<int>(rule)));
    expect_chi_square(pulls(samples, exact));
  }
}

TEST(BitSamples, AveragesOfAnOddPeriodicCubeAreTheEnumerated) {
  const SampleGraph graph = grid_graph({{3, 3, 3}, {}});
  const std::vector<std::int8_t> positive(graph.bonds.size(), 1);
  for (const double J : {1.0, -1.3}) {
    const Exact exact = enumerated(graph, positive, J / 4.5);
    for (const Rule rule : {Rule::metropolis, Rule::heat_bath, Rule::glauber}) {
      BitSamples samples(graph, {J}, words_of_average, seed, Device::cpu(1), rule);
      samples.set_temperatures({4.5});
      SCOPED_TRACE("J " + std::to_string(J) + ", rule " + std::to_string(static_cast<int>(rule)));
      expect_chi_square(pulls(samples, std::vector<Exact>(64, exact)));
    }
  }
}

/// Samples at one temperature with equal signs. Bits, words and ranks use different random numbers,
/// so that magnetisations and energies are independent.
TEST(BitSamples, SamplesAreIndependent) {
  constexpr Index words = 3, measurements = 600;
  SampleCouplings couplings{1, true, 2};
  couplings.first_sample.assign(words, 7);
  for (const Rule rule : {Rule::metropolis, Rule::heat_bath}) {
    BitSamples samples(grid_graph({{4, 4, 4}, {}}), couplings, words, seed, Device::cpu(1), rule);
    samples.set_temperatures({6.0});
    samples.randomise(8);
    UpdateCounter steps;
    samples.sweep(50, steps);
    const auto all = static_cast<std::size_t>(samples.samples());
    std::vector<std::vector<double>> series[2];
    for (auto& quantity : series) quantity.resize(all);
    for (Index n = 0; n < measurements; ++n) {
      samples.sweep(12, steps);
      const BitSamples::Sums sums = samples.sums();
      for (std::size_t k = 0; k < all; ++k) {
        series[0][k].push_back(static_cast<double>(sums.spins[k]));
        series[1][k].push_back(static_cast<double>(sums.bonds[k]));
      }
    }
    for (auto& quantity : series) {
      for (std::vector<double>& of_sample : quantity) {
        double mean = 0, squared = 0;
        for (const double x : of_sample) mean += x / measurements;
        for (double& x : of_sample) squared += (x - mean) * (x - mean);
        for (double& x : of_sample) x = (x - mean) / std::sqrt(squared);
      }
      // For each pair, measurements * r^2 has a chi-square distribution with one degree of freedom.
      double sum = 0, most = 0;
      int pairs = 0;
      for (std::size_t a = 0; a < all; ++a)
        for (std::size_t b = 0; b < a; ++b, ++pairs) {
          double r = 0;
          for (std::size_t n = 0; n < quantity[a].size(); ++n) r += quantity[a][n] * quantity[b][n];
          sum += measurements * r * r;
          most = std::max(most, std::abs(r) * std::sqrt(double{measurements}));
        }
      EXPECT_NEAR(sum / pairs, 1, 6 * std::sqrt(2.0 / pairs));
      EXPECT_LT(most, 5.5);
    }
  }
}

}  // namespace larmor::bit_samples_tests
