// A vector holds a word of several places of one colour. Sums and decisions go bit by bit.

#include "larmor/ising/multispin/grid/random_planes.hpp"
#include "larmor/trotter/local_kernels.hpp"
#include "larmor/trotter/summed_update.hpp"

namespace larmor::trotter {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

using W = ising::NativeWords;
typedef std::int32_t Signed __attribute__((vector_size(sizeof(W))));
using Numbers = PackOf<double>;
constexpr int items = ising::words_in<W>;
/// A pack of numbers may be longer than a vector of words.
constexpr int scales = items < lane_count ? lane_count : items;

/// The words of a site of one group.
struct StoredLine {
  const std::uint32_t* p;
  int lanes;
  std::uint32_t at(int w) const { return p[Index{w} * lanes]; }
};

/// -1 in the items whose bit is set, otherwise 0.
LARMOR_INLINE Signed sign_of(W words, int bit) {
  return reinterpret_cast<Signed>(words << (bits_of_word - 1 - bit)) >> (bits_of_word - 1);
}

/// Words of one group and parity that are updated together.
class WordBatch {
 public:
  WordBatch(const LocalUpdate& update, Index group)
      : update_(update),
        view_(update.view),
        instance_(update.view.instance[group]),
        spins_(update.view.spins + update.view.index_of(group, 0, 0)) {}

  /// @param first, count items of a run; the last ones repeat if the batch is not full
  void choose(const SiteRun& run, int parity, Index first, int count) {
    count_ = count;
    const int half_words = view_.time.words / 2;
    for (int n = 0; n < items; ++n) {
      const Index item = first + (n < count ? n : count - 1);
      site_[n] = view_.order[run.first + item / half_words];
      w_[n] = static_cast<int>(item % half_words) * 2 + parity;
      for (int again = n; again < scales; again += items)
        scale_[again] = view_.scale[instance_ * view_.sites + site_[n]];
    }
  }

  void update(const ising::SamplePlanes& random) {
    add_neighbours();
    draw(random);
    decide();
  }

 private:
  StoredLine line(int n) const {
    return {spins_ + site_[n] * view_.time.words * view_.lanes, view_.lanes};
  }
  void add(W words, Signed twice_K) {
    LARMOR_UNROLL
    for (int b = 0; b < bits_of_word; ++b) {
      const Signed sign = sign_of(words, b);
      cost_[b] += (twice_K ^ sign) - sign;
    }
  }
  void add_neighbours() {
    W before, previous, next;
    Signed field, K_time;
    Index most = 0;
    for (int n = 0; n < items; ++n) {
      const std::int32_t* const of_site =
          view_.fixed_site + 2 * (instance_ * view_.sites + site_[n]);
      before[n] = line(n).at(w_[n]);
      previous[n] = previous_slices<std::uint32_t>(view_.time, line(n), w_[n]);
      next[n] = next_slices<std::uint32_t>(view_.time, line(n), w_[n]);
      field[n] = of_site[0];
      K_time[n] = of_site[1];
      const Index degree = view_.offset[site_[n] + 1] - view_.offset[site_[n]];
      most = degree > most ? degree : most;
    }
    for (Signed& cost : cost_) cost = field;
    add(previous, K_time);
    add(next, K_time);
    for (Index bond = 0; bond < most; ++bond) {
      W words{};
      Signed twice_K{};
      for (int n = 0; n < items; ++n) {
        const Index entry = view_.offset[site_[n]] + bond;
        if (entry >= view_.offset[site_[n] + 1]) continue;
        words[n] = spins_[(view_.neighbour[entry] * Index{view_.time.words} + w_[n]) * view_.lanes];
        twice_K[n] = view_.fixed_bond[instance_ * view_.entries + entry];
      }
      add(words, twice_K);
    }
    before_ = before;
    LARMOR_UNROLL
    for (int b = 0; b < bits_of_word; ++b) {
      const Signed sign = sign_of(before, b);
      cost_[b] = (cost_[b] ^ sign) - sign;
    }
  }
  void draw(const ising::SamplePlanes& random) {
    W key;
    for (int n = 0; n < items; ++n)
      key[n] = static_cast<std::uint32_t>(site_[n] * view_.time.words + w_[n]);
    // BITS: number b % 4 of call b / 4 decides bit b.
    for (int call = 0; call < bits_of_word / ising::planes_of_block; ++call) {
      W drawn[ising::planes_of_block];
      random.draw(key, static_cast<std::uint32_t>(call), drawn);
      for (int n = 0; n < ising::planes_of_block; ++n)
        ising::store(number_ + (call * ising::planes_of_block + n) * items, drawn[n]);
    }
    for (int first = 0; first < bits_of_word * items; first += lane_count) {
      double u[lane_count], allowed[lane_count];
      for (int n = 0; n < lane_count; ++n) u[n] = uniform_number(number_[first + n]);
      (largest_cost(Numbers::load(u), view_.is_metropolis, update_.lazy) *
       Numbers::load(scale_ + first % items))
          .store(allowed);
      for (int n = 0; n < lane_count; ++n)
        allowed_[first + n] = static_cast<std::int32_t>(allowed[n]);
    }
  }
  void decide() {
    W flips{};
    for (int b = 0; b < bits_of_word; ++b) {
      const auto allowed = reinterpret_cast<Signed>(
          ising::loaded<W>(reinterpret_cast<const std::uint32_t*>(allowed_ + b * items)));
      Signed cost = cost_[b];
      // A lazy move without a cost has the probability 1/2.
      if (view_.is_metropolis && update_.lazy) cost &= ~(cost >> (bits_of_word - 1));
      flips |= reinterpret_cast<W>(cost <= allowed) & (1u << b);
    }
    for (int n = 0; n < count_; ++n)
      spins_[(site_[n] * view_.time.words + w_[n]) * view_.lanes] = before_[n] ^ flips[n];
  }

  const LocalUpdate& update_;
  const UpdateView& view_;
  Index instance_;
  std::uint32_t* spins_;
  int count_ = 0;
  Index site_[items];
  int w_[items];
  double scale_[scales];
  W before_;
  Signed cost_[bits_of_word];
  std::uint32_t number_[bits_of_word * items];
  std::int32_t allowed_[bits_of_word * items];
};

}  // namespace

const SummedKernels summed_kernels_table{
    [](const LocalUpdate& update, Index sweeps, Index first, Index last) {
      const UpdateView& view = update.view;
      for (Index group = first; group < last; ++group) {
        WordBatch batch(update, group);
        RandomKey key = update.key;
        for (Index n = 0; n < sweeps; ++n, ++key.step) {
          const ising::SamplePlanes random(key, static_cast<std::uint64_t>(group), 0, 0);
          for (int parity = 0; parity < 2; ++parity)
            for (int r = 0; r < view.run_count; ++r) {
              const Index words = Index{view.runs[r].count} * view.time.words / 2;
              for (Index item = 0; item < words; item += items) {
                batch.choose(view.runs[r], parity, item,
                             static_cast<int>(words - item < items ? words - item : items));
                batch.update(random);
              }
            }
        }
      }
    }};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::trotter
