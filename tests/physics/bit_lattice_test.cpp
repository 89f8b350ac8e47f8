// Bit-sliced Ising spins, compared with updates site by site and with exact averages. Every
// instruction set and any number of threads are tested.
// Rooms: ising

#include "larmor/ising/multispin/grid/bit_lattice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "ising_support.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/statistics/statistics.hpp"
#include "larmor/ising/multispin/grid/update_kernel.hpp"
#include "larmor/ising/torus.hpp"
#include "larmor/lattice/lazy_sweeps.hpp"
#include "tests/named.hpp"

namespace larmor::bit_lattice_tests {

using namespace larmor::ising;
using testing_support::InstructionSet;
using testing_support::random_words;

constexpr std::uint64_t seed = 0x5eed0123456789abull;

/// The Ising model updated site by site, implemented independently of the bit-sliced code.
class Reference {
 public:
  Reference(const GridShape& shape, const Couplings& couplings, Rule rule, Index replica,
            double temperature)
      : shape_(shape),
        couplings_(couplings),
        rule_(rule),
        replica_(replica),
        temperature_(temperature) {}

  std::vector<std::int8_t> spins;

  void sweep(std::uint64_t step) {
    for (int colour = 0; colour < 2; ++colour)
      for (Index i = 0; i < shape_.sites(); ++i)
        if (place(i).colour == colour) update(i, step);
  }
  std::int64_t bond_sum() const {
    std::int64_t sum = 0;
    for (Index i = 0; i < shape_.sites(); ++i)
      for (std::size_t a = 0; a < shape_.size.size(); ++a)
        if (const Index j = neighbour(i, a, 1); j >= 0) sum += sign(i, a) * spin(i) * spin(j);
    return sum;
  }

 private:
  struct Place {
    int colour;
    std::uint64_t word;
    int bit;
  };
  std::vector<Index> position(Index i) const {
    std::vector<Index> x;
    for (const Index n : shape_.size) {
      x.push_back(i % n);
      i /= n;
    }
    return x;
  }
  Place place(Index i) const {
    const std::vector<Index> x = position(i);
    Index parity = 0;
    for (const Index n : x) parity += n;
    const Index row = i / shape_.size[0], k = x[0] / 2;
    return {static_cast<int>(parity % 2),
            static_cast<std::uint64_t>(row * (shape_.size[0] / 64) + k / 32),
            static_cast<int>(k % 32)};
  }
  /// @return the site `step` sites away along an axis; -1 beyond an open end
  Index neighbour(Index i, std::size_t axis, Index step) const {
    std::vector<Index> x = position(i);
    const Index n = shape_.size[axis];
    x[axis] += step;
    if (x[axis] < 0 || x[axis] >= n) {
      if (!shape_.periodic.empty() && !shape_.periodic[axis]) return -1;
      x[axis] = (x[axis] + n) % n;
    }
    Index j = 0;
    for (std::size_t a = shape_.size.size(); a-- > 0;) j = j * shape_.size[a] + x[a];
    return j;
  }
  int sign(Index i, std::size_t axis) const {
    if (!couplings_.random_signs) return 1;
    const Place p = place(i);
    const std::uint64_t sample =
        couplings_.sample.empty() ? 0 : couplings_.sample[static_cast<std::size_t>(replica_)];
    const auto words = random_words(10, couplings_.seed, Stream::bond_sign,
                                    p.word / 4 | static_cast<std::uint64_t>(p.colour) << 39, 0,
                                    sample, static_cast<std::uint32_t>(axis));
    return ((words[p.word % 4] >> p.bit) & 1u) != 0 ? -1 : 1;
  }
  int spin(Index i) const { return spins[static_cast<std::size_t>(i)]; }
  bool is_lazy(std::uint64_t step) const {
    Index most_bonds = 0;
    for (const Index n : shape_.size) most_bonds += n > 1 ? 2 : 0;
    return (most_bonds == 2 || shape_.sites() < 10 * most_bonds) && lattice::is_lazy_sweep(step);
  }
  void update(Index i, std::uint64_t step) {
    int field = 0;  // sum of sign(J_ij) s_j
    for (std::size_t a = 0; a < shape_.size.size(); ++a) {
      if (const Index j = neighbour(i, a, 1); j >= 0) field += sign(i, a) * spin(j);
      if (const Index j = neighbour(i, a, -1); j >= 0) field += sign(j, a) * spin(j);
    }
    const double x = 2 * couplings_.J * field / temperature_;
    double probability = std::min(1.0, std::exp(-x * spin(i)));
    if (rule_ == Rule::metropolis && is_lazy(step)) probability /= 2;
    if (rule_ == Rule::glauber) probability = 1 / (1 + std::exp(x * spin(i)));
    if (rule_ == Rule::heat_bath) probability = 1 / (1 + std::exp(x));
    const Place p = place(i);
    std::uint64_t u = 0;
    for (std::uint32_t block = 0; block < 8; ++block) {
      const auto words = random_words(rounds_of_bits, seed, Stream::ising_update,
                                      p.word | static_cast<std::uint64_t>(p.colour) << 39, step,
                                      static_cast<std::uint64_t>(replica_), block);
      for (const std::uint32_t w : words) u = 2 * u + ((w >> p.bit) & 1u);
    }
    const bool below = static_cast<double>(u) < std::round(probability * 4294967296.0);
    std::int8_t& s = spins[static_cast<std::size_t>(i)];
    if (rule_ == Rule::heat_bath) {
      s = below ? -1 : 1;
    } else if (below) {
      s = static_cast<std::int8_t>(-s);
    }
  }

  GridShape shape_;
  Couplings couplings_;
  Rule rule_;
  Index replica_;
  double temperature_;
};

using Case = testing_support::Named<GridShape>;

std::vector<Case> cases() {
  return {{"ring_64", {{64}, {}}},
          {"ring_1088", {{1088}, {}}},
          {"ring_2048", {{2048}, {}}},
          {"chain_64", {{64}, {false}}},
          {"chain_1024", {{1024}, {false}}},
          {"torus_64_2", {{64, 2}, {}}},
          {"torus_64_64", {{64, 64}, {}}},
          {"torus_192_6", {{192, 6}, {}}},
          {"torus_1024_4", {{1024, 4}, {}}},
          {"torus_2048_2", {{2048, 2}, {}}},
          {"sheet_64_5", {{64, 5}, {false, false}}},
          {"sheet_64_1", {{64, 1}, {false, false}}},
          {"sheet_1024_3", {{1024, 3}, {false, false}}},
          {"tube_128_7", {{128, 7}, {true, false}}},
          {"tube_320_6", {{320, 6}, {false, true}}},
          {"bulk_64_4_6", {{64, 4, 6}, {}}},
          {"bulk_1024_2_2", {{1024, 2, 2}, {}}},
          {"film_128_4_3", {{128, 4, 3}, {true, true, false}}},
          {"block_64_3_5", {{64, 3, 5}, {false, false, false}}},
          {"block_1024_2_3", {{1024, 2, 3}, {false, true, false}}},
          {"four_axes_64_2_4_2", {{64, 2, 4, 2}, {}}},
          {"four_axes_1024_2_2_2", {{1024, 2, 2, 2}, {}}},
          {"four_axes_open", {{64, 3, 1, 2}, {false, false, false, true}}}};
}

class EveryGrid : public testing::TestWithParam<Case> {};

void compare_with_reference(const GridShape& shape, const Couplings& couplings, Rule rule) {
  SCOPED_TRACE("J " + std::to_string(couplings.J) + ", signs " +
               std::to_string(couplings.random_signs) + ", rule " +
               std::to_string(static_cast<int>(rule)));
  const std::vector<double> temperatures{0.6, 2.3, 30.0};
  constexpr Index replicas = 3;
  BitLattice lattice(shape, couplings, replicas, seed, Device::cpu(1), rule);
  lattice.randomise(7);
  lattice.set_temperatures(temperatures);
  std::vector<Reference> references;
  for (Index r = 0; r < replicas; ++r) {
    references.emplace_back(shape, couplings, rule, r, temperatures[static_cast<std::size_t>(r)]);
    references.back().spins = lattice.spins(r);
  }
  UpdateCounter steps;
  // The steps use both halves of the random counter and include a lazy sweep.
  const std::uint64_t first_step = (std::uint64_t{1} << 24) - 1, sweeps = 4;
  steps = first_step;
  lattice.sweep(sweeps, steps);
  EXPECT_EQ(steps, first_step + sweeps);
  const BitLattice::Sums sums = lattice.sums();
  for (std::size_t r = 0; r < references.size(); ++r) {
    Reference& reference = references[r];
    for (std::uint64_t n = 0; n < sweeps; ++n) reference.sweep(first_step + n);
    ASSERT_EQ(lattice.spins(static_cast<Index>(r)), reference.spins) << "replica " << r;
    std::int64_t total = 0;
    for (const std::int8_t s : reference.spins) total += s;
    EXPECT_EQ(sums.spins[r], total);
    EXPECT_EQ(sums.bonds[r], reference.bond_sum());
  }
}

TEST_P(EveryGrid, SpinsAreThoseOfOneSiteAtATime) {
  const GridShape& shape = GetParam().value;
  const Couplings positive{1, false, 0, {}}, negative{-0.7, false, 0, {}},
      glass{1.3, true, 99, {5, 5, 1000003}};
  compare_with_reference(shape, positive, Rule::metropolis);
  compare_with_reference(shape, negative, Rule::metropolis);
  compare_with_reference(shape, glass, Rule::metropolis);
  compare_with_reference(shape, positive, Rule::heat_bath);
  compare_with_reference(shape, negative, Rule::heat_bath);
  compare_with_reference(shape, glass, Rule::heat_bath);
  compare_with_reference(shape, glass, Rule::glauber);
}

struct Outcome {
  std::vector<std::uint64_t> packed;
  std::vector<std::int64_t> bonds, spins;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome(const GridShape& shape, int threads, Rule rule) {
  BitLattice lattice(shape, {1, true, 3, {0, 1, 0, 2}}, 4, seed, Device::cpu(threads), rule);
  lattice.randomise(11);
  lattice.set_temperatures({0.5, 1.5, 2.5, 4.0});
  UpdateCounter steps;
  lattice.sweep(5, steps);
  const BitLattice::Sums sums = lattice.sums();
  return {lattice.packed(), sums.bonds, sums.spins};
}

TEST_P(EveryGrid, ThreadsAndInstructionSetsChangeNoBit) {
  const GridShape& shape = GetParam().value;
  for (const Rule rule : {Rule::metropolis, Rule::glauber}) {
    const Outcome expected = outcome(shape, 1, rule);
    EXPECT_EQ(outcome(shape, 2, rule), expected);
    for (const std::string& set : instruction_sets_here()) {
      const InstructionSet chosen(set);
      EXPECT_EQ(outcome(shape, 2, rule), expected) << set;
    }
  }
}

/// Updates one word by the code that a thread of a CUDA kernel runs.
template <int axes, bool upper_half>
std::uint32_t flips_of_word(const LatticeView& lattice, const RandomKey& key, Index replica,
                            int colour, Index word, std::uint32_t before) {
  constexpr int classes = class_count<axes, upper_half>;
  const RowPlace<std::uint32_t, axes, std::int32_t> place(lattice.grid, nullptr, colour, word);
  const BitPlanes random(key, static_cast<std::uint64_t>(replica), colour, 0);
  const auto low = static_cast<std::uint32_t>(word);
  const StoredWords<std::uint32_t> others{lattice.spins_of(replica, 1 - colour)};
  const auto bonds =
      unsatisfied_bonds<axes>(lattice, replica, colour, others, place, before ^ lattice.coupling);
  std::uint64_t calls = 0;
  if (place.touches_open_boundary()) {
    Decision<4 * axes + 1, std::uint32_t> decision;
    boundary_sums<axes>(place, bonds.negative, decision.member);
    const HeldDigits<4 * axes + 1, 1> digits_of(lattice.acceptance[replica]);
    decision.begin(digits_of, random, low, std::uint32_t{0});
    return decision.accepted | decision.finish(digits_of, random, low, calls);
  }
  Decision<classes, std::uint32_t> decision;
  const std::uint32_t rest = count_classes<axes, upper_half>(bonds.negative, decision.member);
  const HeldDigits<classes, 2> digits_of(lattice.acceptance[replica]);
  decision.begin(digits_of, random, low, rest);
  return decision.accepted | decision.finish(digits_of, random, low, calls);
}

template <int axes>
void update_word_by_word(const LatticeView& lattice, const RandomKey& key, bool upper_half) {
  for (int colour = 0; colour < 2; ++colour)
    for (Index replica = 0; replica < lattice.replicas; ++replica)
      for (Index word = 0; word < lattice.grid.words; ++word) {
        std::uint32_t& spins = lattice.spins_of(replica, colour)[word];
        const std::uint32_t before = spins & lattice.own_spin;
        spins =
            before ^
            (upper_half ? flips_of_word<axes, true>(lattice, key, replica, colour, word, before)
                        : flips_of_word<axes, false>(lattice, key, replica, colour, word, before));
      }
}

TEST_P(EveryGrid, OneWordAtATimeHasTheBitsOfVectors) {
  const GridShape& shape = GetParam().value;
  for (const Rule rule : {Rule::metropolis, Rule::heat_bath}) {
    const auto made = [&] {
      return BitLattice(shape, {-1, true, 6, {3, 4}}, 2, seed, Device::cpu(1), rule);
    };
    BitLattice vectors = made(), words = made();
    UpdateCounter steps;
    for (BitLattice* lattice : {&vectors, &words}) {
      lattice->randomise(21);
      lattice->set_temperatures({1.1, 3.0});
    }
    vectors.sweep(2, steps);
    for (std::uint64_t step = 0; step < 2; ++step) {
      const RandomKey key{seed, step, Stream::ising_update};
      const bool upper_half = rule == Rule::metropolis;
      switch (shape.size.size()) {
        case 1:
          update_word_by_word<1>(words.view(), key, upper_half);
          break;
        case 2:
          update_word_by_word<2>(words.view(), key, upper_half);
          break;
        case 3:
          update_word_by_word<3>(words.view(), key, upper_half);
          break;
        default:
          update_word_by_word<4>(words.view(), key, upper_half);
      }
    }
    EXPECT_EQ(words.packed(), vectors.packed());
  }
}

TEST(BitLattice, SignsDrawnInPlaceAreThoseInMemory) {
  const BitLattice lattice({{320, 6}, {}}, {1, true, 8, {7, 2}}, 2, seed, Device::cpu(1));
  const LatticeView view = lattice.view();
  for (Index replica = 0; replica < 2; ++replica)
    for (int axis = 0; axis < 2; ++axis)
      for (int colour = 0; colour < 2; ++colour) {
        const SignWords<std::uint32_t> signs{view.sign_key, view.sample[replica], colour, axis,
                                             view.grid.words};
        for (Index word = 0; word < view.grid.words; ++word)
          ASSERT_EQ(signs.at(word), view.signs_of(replica, axis, colour)[word]);
        EXPECT_EQ(signs.at(-1), signs.at(view.grid.words - 1));
      }
}

INSTANTIATE_TEST_SUITE_P(BitLattice, EveryGrid, testing::ValuesIn(cases()),
                         testing_support::by_name);

TEST(BitLattice, ReplicasAreThoseOfTheStudy) {
  const GridShape shape{{64, 6}, {}};
  const Couplings couplings{1, true, 4, {0, 0, 1, 2, 3}};
  const auto packed = [&](const ReplicaShare& share) {
    BitLattice lattice(shape, couplings, share, seed, Device::cpu(1));
    lattice.randomise(2);
    lattice.set_temperatures({2.0});
    UpdateCounter steps;
    lattice.sweep(3, steps);
    return lattice.packed();
  };
  const auto all = packed(5), part = packed({2, 2, 5});
  const auto words = static_cast<std::ptrdiff_t>(part.size() / 2);
  EXPECT_EQ(part, std::vector(all.begin() + 2 * words, all.begin() + 4 * words));
}

TEST(BitLattice, GoesOnFromAPackedState) {
  const GridShape shape{{64, 3}, {true, false}};
  BitLattice one(shape, {}, 2, seed, Device::cpu(1)), other(shape, {}, 2, seed, Device::cpu(1));
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
  EXPECT_THROW(other.set_packed(std::vector<std::uint64_t>(5)), InputError);
}

TEST(BitLattice, UniformStatesHaveTheirSums) {
  BitLattice lattice({{128, 5}, {true, false}}, {}, 1, seed, Device::cpu(1));
  EXPECT_EQ(lattice.bonds(), 128 * 5 + 128 * 4);
  EXPECT_EQ(lattice.bond_sums()[0], lattice.bonds());
  EXPECT_EQ(lattice.spin_sums()[0], 640);
  lattice.set_all(false);
  EXPECT_EQ(lattice.bond_sums()[0], lattice.bonds());
  EXPECT_EQ(lattice.spin_sums()[0], -640);
}

TEST(BitLattice, HalfOfTheSignsAreNegative) {
  const BitLattice lattice({{256, 256}, {}}, {1, true, 5, {}}, 1, seed, Device::cpu(1));
  for (int axis = 0; axis < 2; ++axis) {
    std::int64_t sum = 0;
    for (const std::int8_t e : lattice.bond_signs(0, axis)) sum += e;
    EXPECT_LT(std::abs(sum), 4 * 256);
  }
}

TEST(BitLattice, ShapesThatAreNotStoredAsBitsAreRefused) {
  const auto make = [](const GridShape& shape) { BitLattice(shape, {}, 1, seed, Device::cpu(1)); };
  EXPECT_THROW(make({{32, 4}, {}}), InputError);
  EXPECT_THROW(make({{64, 5}, {}}), InputError);
  EXPECT_THROW(make({{64, 5}, {true, true}}), InputError);
  EXPECT_THROW(make({{}, {}}), InputError);
  EXPECT_THROW(make({{64, 2, 2, 2, 2}, {}}), InputError);
  EXPECT_THROW(make({{64, 4}, {true}}), InputError);
  EXPECT_THROW(make({{64, Index{1} << 40}, {}}), InputError);
  BitLattice lattice({{64}, {false}}, {}, 2, seed, Device::cpu(1));
  EXPECT_THROW(lattice.set_temperatures({-1.0}), InputError);
  EXPECT_THROW(lattice.set_temperatures({1, 2, 3}), InputError);
}

TEST(BitLattice, AcceptanceHasTheProbabilitiesTo32Digits) {
  for (const Rule rule : {Rule::metropolis, Rule::heat_bath, Rule::glauber})
    for (int axes = 1; axes <= 4; ++axes)
      for (const double temperature : {0.3, 1.0, 2.2691853142, 4.5, 100.0}) {
        const Acceptance table = acceptance_of(rule, axes, 1 / temperature);
        for (int q = 0; q <= 4 * axes; ++q) {
          const long double x = 2.0L * (2 * axes - q) / temperature;
          const long double exact =
              rule == Rule::metropolis ? std::min(1.0L, std::exp(-x)) : 1 / (1 + std::exp(x));
          long double value = 0;
          for (int k = digits - 1; k >= 0; --k)
            value = (value + (table.digit[q][k] != 0 ? 1 : 0)) / 2;
          if (table.sure[q] != 0) value = 1;
          EXPECT_LE(std::abs(value - exact), std::ldexp(1.0L, -33) * 1.0001L);
          EXPECT_EQ(table.drawn[q] != 0, table.sure[q] == 0 && value != 0);
        }
      }
}

TEST(BitLattice, NothingFlipsAgainstItsBondsAtZeroTemperature) {
  BitLattice lattice({{64, 8}, {}}, {}, 1, seed, Device::cpu(1));
  lattice.set_temperatures({0});
  UpdateCounter steps;
  lattice.sweep(10, steps);
  EXPECT_EQ(lattice.spin_sums()[0], lattice.sites());
}

/// Difference between the measured energy per site and `exact`, in units of the error.
double sigmas_from(double exact, BitLattice& lattice, Index samples, double most_error) {
  constexpr Index every = 5;
  UpdateCounter steps;
  lattice.sweep(samples * every / 5, steps);
  std::vector<double> series;
  for (Index n = 0; n < samples; ++n) {
    lattice.sweep(every, steps);
    for (const std::int64_t sum : lattice.bond_sums())
      series.push_back(-static_cast<double>(sum) / static_cast<double>(lattice.sites()));
  }
  const Estimate energy = estimate_replicas(series, lattice.replicas());
  EXPECT_TRUE(energy.reliable);
  EXPECT_LT(energy.error, most_error);
  return (energy.value - exact) / energy.error;
}

TEST(BitLatticeInDepth, EnergyOfTheTorusIsKaufmans) {
  constexpr int n = 64;
  const double critical = 2 / std::log(1 + std::sqrt(2.0));
  for (const Rule rule : {Rule::metropolis, Rule::heat_bath})
    for (const double temperature : {2.5, critical}) {
      const double exact = ising::torus_energy(n, temperature);
      BitLattice lattice({{n, n}, {}}, {}, 32, seed, Device::cpu(2), rule);
      lattice.set_temperatures({temperature});
      EXPECT_LT(std::abs(sigmas_from(exact, lattice, 4000, 2e-3)), 4)
          << "T = " << temperature << ", rule " << static_cast<int>(rule);
    }
}

TEST(BitLattice, EnergyOfRingsAndChainsIsExact) {
  constexpr Index n = 128;
  const double t = std::tanh(1 / 1.2);
  BitLattice ring({{n}, {}}, {}, 64, seed, Device::cpu(1), Rule::heat_bath);
  ring.set_temperatures({1.2});
  const double of_ring = -(t + std::pow(t, n - 1)) / (1 + std::pow(t, n));
  EXPECT_LT(std::abs(sigmas_from(of_ring, ring, 4000, 1e-3)), 4);
  // A gauge transformation removes the signs of an open chain.
  BitLattice chain({{n}, {false}}, {1, true, 8, {}}, 64, seed, Device::cpu(1), Rule::glauber);
  chain.set_temperatures({1.2});
  EXPECT_LT(std::abs(sigmas_from(-t * (n - 1) / n, chain, 4000, 1e-3)), 4);
}

}  // namespace larmor::bit_lattice_tests
