// This file is compiled once per instruction set.

#include "larmor/ising/multispin/grid/kernels.hpp"

#include "larmor/ising/multispin/grid/update_kernel.hpp"

namespace larmor::ising {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

using W = NativeWords;

/// A mask of the low `count` words.
LARMOR_INLINE W first_words(Index count) {
  W words;
  for (int n = 0; n < words_in<W>; ++n) set_word(words, n, n < count ? ~0u : 0u);
  return words;
}

LARMOR_INLINE W numbered_from(Index word) {
  W words;
  for (int n = 0; n < words_in<W>; ++n) set_word(words, n, static_cast<std::uint32_t>(n));
  return words + static_cast<std::uint32_t>(word);
}

/// Words with bits that the first planes have not decided. One word in ten or twenty is such a
/// word. They are collected, and a full vector of them is finished at once.
template <int classes>
class UndecidedWords {
 public:
  LARMOR_INLINE explicit UndecidedWords(std::uint32_t* spins) : spins_(spins) {}

  LARMOR_INLINE void add(const Decision<classes, W>& decision, W words, W open) {
    const unsigned some = words_set(open);
    store_some(word_ + count_, words, some);
    store_some(open_ + count_, open, some);
    for (int c = 0; c < classes; ++c) store_some(member_[c] + count_, decision.member[c], some);
    count_ += __builtin_popcount(some);
  }
  LARMOR_INLINE bool is_full() const { return count_ >= words_in<W>; }
  /// Decides a full vector of words, or all words if there are fewer.
  LARMOR_COLD void finish(StoredDigits<2> table, const BitPlanes& random, std::uint64_t& calls) {
    const int done = count_ < words_in<W> ? count_ : words_in<W>;
    Decision<classes, W> decision;
    for (int c = 0; c < classes; ++c) decision.member[c] = loaded<W>(member_[c]);
    decision.open = loaded<W>(open_) & first_words(done);
    const W flips = decision.finish(table, random, loaded<W>(word_), calls);
    for (int n = 0; n < done; ++n) spins_[word_[n]] ^= flips[n];
    count_ -= done;
    store(word_, loaded<W>(word_ + words_in<W>));
    store(open_, loaded<W>(open_ + words_in<W>));
    for (int c = 0; c < classes; ++c) store(member_[c], loaded<W>(member_[c] + words_in<W>));
  }
  LARMOR_INLINE void finish_all(const StoredDigits<2>& table, const BitPlanes& random,
                                std::uint64_t& calls) {
    while (count_ > 0) finish(table, random, calls);
  }
  LARMOR_INLINE void move_to(std::uint32_t* spins) { spins_ = spins; }

 private:
  static constexpr int most = 2 * words_in<W>;
  std::uint32_t* spins_;  ///< address of word number 0
  int count_ = 0;
  std::uint32_t word_[most] = {}, open_[most] = {}, member_[classes][most] = {};
};

/// Consecutive groups [first, last) of one replica.
struct GroupBlock {
  Index replica, first, last;
};

/// Decides a group at a boundary. Such groups are few, so this need not be fast.
template <int axes, class Place>
LARMOR_COLD W decide_at_boundary(Place place, Bonds<axes, W> bonds, const Acceptance* table,
                                 BitPlanes random, W words, std::uint64_t* calls) {
  Decision<4 * axes + 1, W> decision;
  boundary_sums<axes>(place, bonds.negative, decision.member);
  const StoredDigits<1> digits_of{table};
  decision.begin(digits_of, random, words, W{});
  return decision.accepted | decision.finish(digits_of, random, words, *calls);
}

template <int axes, bool upper_half, class Place>
void update_group_block(const UpdateRequest& request, const GroupBlock& block) {
  const LatticeView& lattice = request.lattice;
  const WordGrid& grid = lattice.grid;
  std::uint32_t* spins = lattice.spins_of(block.replica, request.colour);
  const StoredWords<W> others{lattice.spins_of(block.replica, 1 - request.colour)};
  const StoredDigits<2> table{lattice.acceptance + block.replica};
  const W own = spread_word<W>(lattice.own_spin), coupling = spread_word<W>(lattice.coupling);
  std::uint64_t calls = 0;
  Place place(grid, lattice.flags, request.colour, grid.first + block.first * words_in<W>);
  // Random numbers treat the low 32 bits of a word's number separately.
  std::uint64_t high = static_cast<std::uint64_t>(place.word) >> 32;
  const auto random_of = [&] {
    return BitPlanes(request.key, static_cast<std::uint64_t>(block.replica), request.colour, high);
  };
  BitPlanes random = random_of();
  UndecidedWords<class_count<axes, upper_half>> undecided(spins + (high << 32));
  for (Index group = block.first; group < block.last; ++group) {
    if (static_cast<std::uint64_t>(place.word) >> 32 != high) {
      undecided.finish_all(table, random, calls);
      high = static_cast<std::uint64_t>(place.word) >> 32;
      random = random_of();
      undecided.move_to(spins + (high << 32));
    }
    const W words = numbered_from(place.word);
    const W before = loaded<W>(spins + place.word) & own;
    const auto bonds = unsatisfied_bonds<axes>(lattice, block.replica, request.colour, others,
                                               place, before ^ coupling);
    const Index left = grid.last - place.word;
    const auto store_spins = [&](W after) {
      if (left >= words_in<W>) {
        store(spins + place.word, after);
      } else {
        for (int n = 0; n < left; ++n) spins[place.word + n] = after[n];
      }
    };
    calls += blocks_for_all * words_in<W>;
    if (grid.any_open && place.touches_open_boundary()) {
      std::uint64_t calls_here = 0;
      store_spins(before ^
                  decide_at_boundary<axes>(place, bonds, table.table, random, words, &calls_here));
      calls += calls_here;
    } else {
      Decision<class_count<axes, upper_half>, W> decision;
      const W rest = count_classes<axes, upper_half>(bonds.negative, decision.member);
      decision.begin(table, random, words, rest);
      store_spins(before ^ decision.accepted);
      undecided.add(decision, words,
                    left >= words_in<W> ? decision.open : decision.open & first_words(left));
      if (undecided.is_full()) undecided.finish(table, random, calls);
    }
    if (group + 1 < block.last) place.advance();
  }
  undecided.finish_all(table, random, calls);
  if (request.drawn != nullptr)
    __atomic_fetch_add(request.drawn, calls * planes_of_block, __ATOMIC_RELAXED);
}

template <int axes, class Place>
void sum_group_block(const LatticeView& lattice, const GroupBlock& block, SpinSums& sums) {
  // Every bond has exactly one end of colour 0, so these ends count each bond once.
  Place place(lattice.grid, lattice.flags, 0, lattice.grid.first + block.first * words_in<W>);
  std::int64_t unsatisfied = 0, down = 0;
  for (Index group = block.first; group < block.last; ++group) {
    const Index left = lattice.grid.last - place.word;
    const W valid = left >= words_in<W> ? ~W{} : first_words(left);
    const W spins = loaded<W>(lattice.spins_of(block.replica, 0) + place.word);
    down += count_ones(spins & valid) +
            count_ones(loaded<W>(lattice.spins_of(block.replica, 1) + place.word) & valid);
    unsatisfied += count_unsatisfied<axes>(lattice, block.replica, 0, place, spins, valid);
    if (group + 1 < block.last) place.advance();
  }
  __atomic_fetch_add(&sums.unsatisfied, unsatisfied, __ATOMIC_RELAXED);
  __atomic_fetch_add(&sums.down, down, __ATOMIC_RELAXED);
}

/// Calls body(block) for the groups [first, last) of all replicas, one block for each replica.
template <class Body>
LARMOR_INLINE void for_each_group_block(const LatticeView& lattice, Index first, Index last,
                                        const Body& body) {
  const Index words = lattice.grid.last - lattice.grid.first;
  const Index groups = (words + words_in<W> - 1) / words_in<W>;
  while (first < last) {
    const Index replica = first / groups, end = (replica + 1) * groups;
    const Index until = last < end ? last : end;
    body(GroupBlock{replica, first - replica * groups, until - replica * groups});
    first = until;
  }
}

LARMOR_INLINE bool in_rows(const WordGrid& grid) { return grid.row_words % words_in<W> == 0; }

template <int axes, bool upper_half>
void update_groups(const UpdateRequest& request, Index first, Index last) {
  const bool rows = in_rows(request.lattice.grid);
  for_each_group_block(request.lattice, first, last, [&](const GroupBlock& block) {
    if (rows) {
      update_group_block<axes, upper_half, RowPlace<W, axes>>(request, block);
    } else {
      update_group_block<axes, upper_half, MixedPlace<W, axes>>(request, block);
    }
  });
}

template <int axes>
void update_by_axes(const UpdateRequest& request, Index first, Index last) {
  return request.upper_half ? update_groups<axes, true>(request, first, last)
                            : update_groups<axes, false>(request, first, last);
}

template <int axes>
void sum_by_axes(const LatticeView& lattice, Index first, Index last, SpinSums* sums) {
  const bool rows = in_rows(lattice.grid);
  for_each_group_block(lattice, first, last, [&](const GroupBlock& block) {
    if (rows) {
      sum_group_block<axes, RowPlace<W, axes>>(lattice, block, sums[block.replica]);
    } else {
      sum_group_block<axes, MixedPlace<W, axes>>(lattice, block, sums[block.replica]);
    }
  });
}

}  // namespace

const CpuKernels cpu_kernels_table = {
    words_in<W>,
    [](const UpdateRequest& request, Index first, Index last) {
      switch (request.lattice.grid.axes) {
        case 1:
          return update_by_axes<1>(request, first, last);
        case 2:
          return update_by_axes<2>(request, first, last);
        case 3:
          return update_by_axes<3>(request, first, last);
        default:
          return update_by_axes<4>(request, first, last);
      }
    },
    [](const LatticeView& lattice, Index first, Index last, SpinSums* sums) {
      switch (lattice.grid.axes) {
        case 1:
          return sum_by_axes<1>(lattice, first, last, sums);
        case 2:
          return sum_by_axes<2>(lattice, first, last, sums);
        case 3:
          return sum_by_axes<3>(lattice, first, last, sums);
        default:
          return sum_by_axes<4>(lattice, first, last, sums);
      }
    }};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
