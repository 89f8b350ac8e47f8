// This file is compiled once per instruction set.

#include "larmor/ising/multispin/samples/sample_kernels.hpp"

#include <cstring>

#include "larmor/ising/multispin/samples/bit_counter.hpp"
#include "larmor/ising/multispin/samples/half_planes.hpp"
#include "larmor/ising/multispin/samples/update_kernel.hpp"

namespace larmor::ising {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

using W = NativeWords;
/// Number of halves from a position to the next.
constexpr Index stride = halves * words_of_cpu_block;
static_assert(stride % words_in<W> == 0);

/// The words of `from` with the given numbers.
LARMOR_INLINE W picked(W from, W number) {
#if defined(__AVX512F__)
  return reinterpret_cast<W>(
      _mm512_permutexvar_epi32(reinterpret_cast<__m512i>(number), reinterpret_cast<__m512i>(from)));
#elif defined(__AVX2__)
  return reinterpret_cast<W>(_mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(from),
                                                         reinterpret_cast<__m256i>(number)));
#else
  W words;
  for (int n = 0; n < words_in<W>; ++n) words[n] = from[number[n] % words_in<W>];
  return words;
#endif
}

LARMOR_INLINE W counted() {
  W words;
  for (int n = 0; n < words_in<W>; ++n) set_word(words, n, static_cast<std::uint32_t>(n));
  return words;
}

/// Fills a vector with copies of 64 bits.
LARMOR_INLINE W spread_pair(const std::uint32_t* pair) {
  std::uint64_t both;
  std::memcpy(&both, pair, sizeof(both));
  return reinterpret_cast<W>(Native<double>::Bits{} + both);
}

/// Digit k of each threshold, repeated in all bits of a word.
LARMOR_INLINE W digit_of(W threshold, int k) {
  typedef std::int32_t Signed __attribute__((vector_size(sizeof(W))));
  return reinterpret_cast<W>(reinterpret_cast<Signed>(threshold << k) >> 31);
}

/// Transposes bits: bit k of word s becomes bit s of word k, both counted from the first digit (H.
/// S. Warren, Hacker's Delight, 7-3).
LARMOR_INLINE void transpose(W (&row)[digits]) {
  std::uint32_t low = 0x0000ffffu;
  for (int step = 16; step > 0; step /= 2, low ^= low << step)
    for (int n = 0; n < digits; n = (n + step + 1) & ~step) {
      const W exchanged = (row[n] ^ (row[n + step] >> step)) & low;
      row[n] ^= exchanged;
      row[n + step] ^= exchanged << step;
    }
}

/// Probabilities of the samples of a vector, for sites with a given number of bonds. Each digit is
/// a plane.
template <int classes>
class VectorDigits {
 public:
  VectorDigits(const SamplesView& view, Index first_half, int degree) {
    for (int c = 0; c < classes; ++c) {
      sure_[c] = drawn_[c] = W{};
      const int q = sum_of_class(view.width, degree, c);
      if (view.words_are_uniform)
        fill_words(view, first_half, c, q);
      else
        fill_samples(view, first_half, c, q);
    }
  }
  LARMOR_INLINE W sure(int c) const { return sure_[c]; }
  LARMOR_INLINE W drawn(int c) const { return drawn_[c]; }
  LARMOR_INLINE W digit(int c, int k) const { return digit_[k][c]; }

 private:
  static Index sample_of(const SamplesView& view, Index half) {
    const Index word = half / halves;
    return word < view.words ? half * 32 : (view.words - 1) * samples_of_word;
  }
  __attribute__((noinline)) void fill_words(const SamplesView& view, Index first_half, int c,
                                            int q) {
    W threshold{};
    for (int n = 0; n < words_in<W>; ++n) {
      const std::uint64_t t = view.threshold(sample_of(view, first_half + n), q);
      const bool is_sure = (t >> digits) != 0;
      set_word(threshold, n, static_cast<std::uint32_t>(t));
      set_word(sure_[c], n, is_sure ? ~0u : 0u);
      set_word(drawn_[c], n, !is_sure && t != 0 ? ~0u : 0u);
    }
    for (int k = 0; k < digits; ++k) digit_[k][c] = digit_of(threshold, k);
  }
  __attribute__((noinline)) void fill_samples(const SamplesView& view, Index first_half, int c,
                                              int q) {
    W row[digits];
    for (int n = 0; n < words_in<W>; ++n) {
      const Index first = sample_of(view, first_half + n);
      std::uint32_t sure = 0, drawn = 0;
      for (int s = 0; s < 32; ++s) {
        const std::uint64_t t = view.threshold(first + s, q);
        const bool is_sure = (t >> digits) != 0;
        set_word(row[31 - s], n, static_cast<std::uint32_t>(t));
        sure |= std::uint32_t{is_sure} << s;
        drawn |= std::uint32_t{!is_sure && t != 0} << s;
      }
      set_word(sure_[c], n, sure);
      set_word(drawn_[c], n, drawn);
    }
    transpose(row);
    for (int k = 0; k < digits; ++k) digit_[k][c] = row[k];
  }

  W sure_[classes], drawn_[classes], digit_[digits][classes];
};

/// Halves of several positions with samples that the first planes have not decided. Such halves are
/// collected, and a full vector of them is finished at once.
template <int classes>
class UndecidedHalves {
 public:
  /// @param spins spins of the vector at position 0
  LARMOR_INLINE explicit UndecidedHalves(std::uint32_t* spins) : spins_(spins) {}

  LARMOR_INLINE void add(const Decision<classes, W>& decision, Index position, std::uint32_t site,
                         W half) {
    const unsigned some = words_set(decision.open);
    store_some(half_ + count_, half, some);
    store_some(open_ + count_, decision.open, some);
    store(site_ + count_, spread_word<W>(site));
    store(position_ + count_, spread_word<W>(static_cast<std::uint32_t>(position)));
    for (int c = 0; c < classes; ++c) store_some(member_[c] + count_, decision.member[c], some);
    count_ += __builtin_popcount(some);
  }
  LARMOR_INLINE bool is_full() const { return count_ >= words_in<W>; }

  /// Decides a full vector of halves, or all halves if there are fewer.
  __attribute__((noinline)) void finish(const VectorDigits<classes>& table,
                                        const HalfPlanes& random, std::uint64_t& calls) {
    const int done = count_ < words_in<W> ? count_ : words_in<W>;
    const W half = loaded<W>(half_);
    Decision<classes, W> decision;
    for (int c = 0; c < classes; ++c) decision.member[c] = loaded<W>(member_[c]);
    for (int n = 0; n < words_in<W>; ++n) set_word(decision.open, n, n < done ? open_[n] : 0u);
    const W flips = decision.finish(PickedDigits{&table, half}, PickedPlanes{&random, half},
                                    loaded<W>(site_), calls);
    for (int n = 0; n < done; ++n)
      spins_[static_cast<Index>(position_[n]) * stride + half_[n]] ^= flips[n];
    count_ -= done;
    for (std::uint32_t* part : {half_, open_, site_, position_})
      store(part, loaded<W>(part + words_in<W>));
    for (int c = 0; c < classes; ++c) store(member_[c], loaded<W>(member_[c] + words_in<W>));
  }

 private:
  struct PickedDigits {
    const VectorDigits<classes>* table;
    W half;
    LARMOR_INLINE W digit(int c, int k) const { return picked(table->digit(c, k), half); }
  };
  struct PickedPlanes {
    const HalfPlanes* random;
    W half;
    LARMOR_INLINE void draw(W site, std::uint32_t block, W (&plane)[planes_of_block]) const {
      random->draw(site, half, block, plane);
    }
  };

  static constexpr int most = 2 * words_in<W>;
  std::uint32_t* spins_;
  int count_ = 0;
  std::uint32_t half_[most] = {}, open_[most] = {}, site_[most] = {}, position_[most] = {},
                member_[classes][most] = {};
};

struct VectorSpins {
  const std::uint32_t* p;
  LARMOR_INLINE W at(Index position) const { return loaded<W>(p + position * stride); }
};

struct NoSigns {
  LARMOR_INLINE W at(const std::int32_t*, Index) const { return W{}; }
};
/// Signs that all words of a block share.
struct SpreadSigns {
  const std::uint32_t* p;
  LARMOR_INLINE W at(const std::int32_t* bond, Index n) const {
    return spread_pair(p + Index{halves} * bond[n]);
  }
};
struct VectorSigns {
  const std::uint32_t* p;
  LARMOR_INLINE W at(const std::int32_t* bond, Index n) const {
    return loaded<W>(p + bond[n] * stride);
  }
};

/// Calls body(signs) with the signs of a vector.
template <class Body>
LARMOR_INLINE void with_signs(const SamplesView& view, Index first_half, const Body& body) {
  if (view.signs == nullptr) return body(NoSigns{});
  const SignTable& table = view.sign_tables[first_half / stride];
  const std::uint32_t* const p = view.signs + table.first;
  if (table.side_by_side) return body(VectorSigns{p + first_half % stride});
  return body(SpreadSigns{p});
}

/// Updates positions [first, last) of a run.
template <int width, bool upper_half, class Signs>
void update_positions(const SampleUpdate& update, const HalfPlanes& random,
                      const VectorDigits<sample_classes<width, upper_half>>& table,
                      Index first_half, const SampleRun& run, Index first, Index last,
                      const Signs& signs) {
  constexpr int classes = sample_classes<width, upper_half>;
  const SamplesView view = update.view;
  std::uint32_t* const spins = view.spins_of(first_half);
  const VectorSpins others{spins};
  const W half = counted(), own = spread_word<W>(view.own_spin),
          coupling = spread_word<W>(view.coupling);
  UndecidedHalves<classes> undecided(spins);
  std::uint64_t calls = static_cast<std::uint64_t>(last - first) * blocks_for_all * words_in<W>;
  for (Index position = first; position < last; ++position) {
    std::uint32_t* const here = spins + position * stride;
    const auto site = static_cast<std::uint32_t>(view.site[position]);
    const W before = loaded<W>(here) & own;
    W plane[width];
    unsatisfied_planes<width>(view, static_cast<std::int32_t>(position), run.degree,
                              before ^ coupling, others, signs, plane);
    Decision<classes, W> decision;
    const W rest = sample_members<width, upper_half>(plane, decision.member);
    decision.begin(table, random, site, rest);
    store(here, before ^ decision.accepted);
    undecided.add(decision, position, site, half);
    if (undecided.is_full()) undecided.finish(table, random, calls);
  }
  undecided.finish(table, random, calls);
  if (update.drawn != nullptr)
    __atomic_fetch_add(update.drawn, calls * planes_of_block, __ATOMIC_RELAXED);
}

template <int width, bool upper_half>
void sweep_vectors(const SampleUpdate& update, Index sweeps, Index first, Index last) {
  using Digits = VectorDigits<sample_classes<width, upper_half>>;
  for (Index vector = first; vector < last; ++vector)
    with_signs(update.view, vector * words_in<W>, [&](const auto& signs) {
      RandomKey key = update.key;
      int degree = update.view.runs[0].degree;
      Digits table(update.view, vector * words_in<W>, degree);
      for (Index n = 0; n < sweeps; ++n, ++key.step) {
        const HalfPlanes random(key, static_cast<std::uint64_t>(vector) * words_in<W>);
        for (int r = 0; r < update.view.run_count; ++r) {
          const SampleRun& run = update.view.runs[r];
          if (run.degree != degree) {
            degree = run.degree;
            table = Digits(update.view, vector * words_in<W>, degree);
          }
          update_positions<width, upper_half>(update, random, table, vector * words_in<W>, run,
                                              run.first, run.first + run.count, signs);
        }
      }
    });
}

template <int width, bool upper_half>
void update_range(const SampleUpdate& update, int first_run, int last_run, Index first,
                  Index last) {
  const SampleRun* const runs = update.view.runs;
  const Index begin = runs[first_run].first,
              of_colour = runs[last_run - 1].first + runs[last_run - 1].count - begin;
  while (first < last) {
    const Index vector = first / of_colour, vector_end = (vector + 1) * of_colour;
    const Index until = last < vector_end ? last : vector_end;
    const Index from_position = begin + first - vector * of_colour,
                to_position = begin + until - vector * of_colour;
    const HalfPlanes random(update.key, static_cast<std::uint64_t>(vector) * words_in<W>);
    with_signs(update.view, vector * words_in<W>, [&](const auto& signs) {
      for (int r = first_run; r < last_run; ++r) {
        const Index run_end = runs[r].first + runs[r].count;
        const Index from = from_position > runs[r].first ? from_position : runs[r].first;
        const Index to = to_position < run_end ? to_position : run_end;
        if (from >= to) continue;
        const VectorDigits<sample_classes<width, upper_half>> table(
            update.view, vector * words_in<W>, runs[r].degree);
        update_positions<width, upper_half>(update, random, table, vector * words_in<W>, runs[r],
                                            from, to, signs);
      }
    });
    first = until;
  }
}

/// Calls body with the constants of an update.
template <class Body>
LARMOR_INLINE void with_rule(const SampleUpdate& update, const Body& body) {
  if (update.upper_half) return body.template operator()<true>();
  return body.template operator()<false>();
}

/// Counters of a pass over all positions.
struct Counts {
  BitCounter unsatisfied, down;

  /// @param first_half number of the vector's first half @param words number of words; words beyond
  /// it are left out
  void add_to(SampleSums* sums, Index first_half, Index words) const {
    for (int b = 0; b < 32; ++b) {
      const W u = unsatisfied.count(b), d = down.count(b);
      for (int n = 0; n < words_in<W>; ++n) {
        const Index half = first_half + n;
        if (half >= words * halves) break;
        SampleSums& s = sums[half * 32 + b];
        s.twice_unsatisfied += u[n];
        s.down += d[n];
      }
    }
  }
};

template <int width, class Spins, class Signs>
void count_positions(const SamplesView& view, const Spins& spins, const Signs& signs,
                     Counts& counts) {
  constexpr int bits = bits_of_count(width);
  for (int r = 0; r < view.run_count; ++r) {
    const SampleRun& run = view.runs[r];
    for (Index position = run.first; position < run.first + run.count; ++position) {
      const W own = spins.at(position);
      W plane[width], sum[bits];
      unsatisfied_planes<width>(view, static_cast<std::int32_t>(position), run.degree, own, spins,
                                signs, plane);
      count_planes<width>(plane, sum);
      for (int n = 0; n < bits; ++n) counts.unsatisfied.add(sum[n], n);
      counts.down.add(own, 0);
    }
  }
}

template <int width>
void sum_vectors(const SamplesView& view, Index first, Index last, SampleSums* sums) {
  for (Index vector = first; vector < last; ++vector) {
    const Index first_half = vector * words_in<W>;
    Counts counts;
    with_signs(view, first_half, [&](const auto& signs) {
      count_positions<width>(view, VectorSpins{view.spins_of(first_half)}, signs, counts);
    });
    counts.add_to(sums, first_half, view.words);
  }
}

/// Are the spins of two words opposite? The comparison is for several adjacent pairs of words at
/// once.
struct ComparedSpins {
  static constexpr int most = words_in<W> / halves;
  const std::uint32_t *one[most], *other[most];
  LARMOR_INLINE W at(Index position) const {
    Native<double>::Bits opposite;
    for (int n = 0; n < most; ++n) {
      std::uint64_t a, b;
      std::memcpy(&a, one[n] + position * stride, sizeof(a));
      std::memcpy(&b, other[n] + position * stride, sizeof(b));
      opposite[n] = a ^ b;
    }
    return reinterpret_cast<W>(opposite);
  }
};

template <int width>
void compare_pairs(const SamplesView& view, const WordPair* pairs, Index count, Index first,
                   Index last, SampleSums* sums) {
  constexpr int of_group = ComparedSpins::most;
  for (Index group = first; group < last; ++group) {
    ComparedSpins spins;
    for (int n = 0; n < of_group; ++n) {
      const Index index = group * of_group + n;
      const WordPair& pair = pairs[index < count ? index : count - 1];
      spins.one[n] = view.spins_of(pair.first * halves);
      spins.other[n] = view.spins_of(pair.second * halves);
    }
    Counts counts;
    count_positions<width>(view, spins, NoSigns{}, counts);
    counts.add_to(sums, group * words_in<W>, count);
  }
}

}  // namespace

const SampleKernels sample_kernels_table = {
    words_in<W>,
    [](const SampleUpdate& update, Index sweeps, Index first, Index last) {
      with_rule(update, [&]<bool upper_half>() {
#define LARMOR_SWEEP(width) sweep_vectors<width, upper_half>(update, sweeps, first, last)
        LARMOR_FOR_WIDTH(update.view.width, LARMOR_SWEEP)
#undef LARMOR_SWEEP
      });
    },
    [](const SampleUpdate& update, int first_run, int last_run, Index first, Index last) {
      with_rule(update, [&]<bool upper_half>() {
#define LARMOR_UPDATE(width) \
  update_range<width, upper_half>(update, first_run, last_run, first, last)
        LARMOR_FOR_WIDTH(update.view.width, LARMOR_UPDATE)
#undef LARMOR_UPDATE
      });
    },
    [](const SamplesView& view, Index first, Index last, SampleSums* sums) {
#define LARMOR_SUM(width) sum_vectors<width>(view, first, last, sums)
      LARMOR_FOR_WIDTH(view.width, LARMOR_SUM)
#undef LARMOR_SUM
    },
    [](const SamplesView& view, const WordPair* pairs, Index count, Index first, Index last,
       SampleSums* sums) {
#define LARMOR_COMPARE(width) compare_pairs<width>(view, pairs, count, first, last, sums)
      LARMOR_FOR_WIDTH(view.width, LARMOR_COMPARE)
#undef LARMOR_COMPARE
    }};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
