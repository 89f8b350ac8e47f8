#include "larmor/trotter/local_kernels.hpp"

#include "larmor/ising/multispin/samples/half_planes.hpp"
#include "larmor/trotter/counted_update.hpp"

namespace larmor::trotter {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

using W = ising::NativeWords;
constexpr int vectors_of_block = lanes_of_cpu / ising::words_in<W>;

LARMOR_INLINE W digit_of(W threshold, int k) {
  typedef std::int32_t Signed __attribute__((vector_size(sizeof(W))));
  return reinterpret_cast<W>(reinterpret_cast<Signed>(threshold << k) >> 31);
}

/// The probabilities of a table, read when needed.
struct TableDigits {
  const std::uint32_t* p;  ///< (class, word of the class, lane)
  LARMOR_INLINE W word(int c, int n) const {
    return ising::loaded<W>(p + Index{words_of_class * c + n} * lanes_of_cpu);
  }
  LARMOR_INLINE W sure(int c) const { return word(c, 1); }
  LARMOR_INLINE W drawn(int c) const { return word(c, 2); }
  LARMOR_INLINE W digit(int c, int k) const { return digit_of(word(c, 0), k); }
};

/// The digits that most decisions need, computed once for a run of sites.
template <int classes>
class HeldDigits {
 public:
  explicit HeldDigits(const TableDigits& table) : table_(table) {
    for (int k = 0; k < ising::planes_for_all; ++k)
      for (int c = 0; c < classes; ++c) digit_[k][c] = table.digit(c, k);
  }
  LARMOR_INLINE W sure(int c) const { return table_.sure(c); }
  LARMOR_INLINE W drawn(int c) const { return table_.drawn(c); }
  LARMOR_INLINE W digit(int c, int k) const {
    return k < ising::planes_for_all ? digit_[k][c] : table_.digit(c, k);
  }

 private:
  TableDigits table_;
  W digit_[ising::planes_for_all][classes];
};

/// Random planes of the halves of a vector, one after the other.
struct AllHalves {
  const ising::HalfPlanes* random;
  LARMOR_INLINE void draw(std::uint32_t site, std::uint32_t block,
                          W (&plane)[ising::planes_of_block]) const {
    W half;
    for (int n = 0; n < ising::words_in<W>; ++n)
      ising::set_word(half, n, static_cast<std::uint32_t>(n));
    random->draw(ising::spread_word<W>(site), half, block, plane);
  }
};

/// The spins and signs of one vector of groups.
struct VectorOfGroups {
  std::uint32_t* spins;
  const std::uint32_t* negative;
};

template <int width, bool few, class Digits>
LARMOR_INLINE void update_run(const UpdateView& view, const VectorOfGroups& at,
                              const ising::HalfPlanes& random, const Digits& table,
                              const SiteRun& run, int parity) {
  std::uint64_t calls = 0;
  for (int n = run.first; n < run.first + run.count; ++n) {
    const Index site = view.order[n];
    for (int w = parity; w < view.time.words; w += 2) {
      ising::Decision<class_count(width, few), W> decision;
      W before;
      const W rest =
          classify<width, few>(view, at.spins, at.negative, site, w, before, decision.member);
      const std::uint32_t key = random_site(view, site, w);
      decision.begin(table, random, key, rest);
      const W more = decision.finish(table, AllHalves{&random}, key, calls);
      ising::store(at.spins + (site * view.time.words + w) * lanes_of_cpu,
                   before ^ decision.accepted ^ more);
    }
  }
}

template <int width, bool few>
void sweep_vector(const LocalUpdate& update, Index sweeps, Index block, int vector) {
  const UpdateView& view = update.view;
  constexpr int classes = class_count(width, few), words = ising::words_in<W>;
  // Runs shorter than this use the table directly.
  constexpr int long_run = 16;
  const VectorOfGroups at{view.spins + block * view.block_words() + vector * words,
                          view.negative == nullptr
                              ? nullptr
                              : view.negative + block * view.bonds * lanes_of_cpu + vector * words};
  const std::uint32_t* const tables =
      view.thresholds[update.lazy ? 1 : 0] +
      block * view.tables * classes * words_of_class * lanes_of_cpu + vector * words;
  RandomKey key = update.key;
  for (Index n = 0; n < sweeps; ++n, ++key.step) {
    const ising::HalfPlanes random(
        key, static_cast<std::uint64_t>(block * lanes_of_cpu + vector * words));
    for (int parity = 0; parity < 2; ++parity)
      for (int r = 0; r < view.run_count; ++r) {
        const SiteRun& run = view.runs[r];
        const TableDigits table{tables +
                                Index{run.table} * classes * words_of_class * lanes_of_cpu};
        if (run.count * view.time.words / 2 < long_run)
          update_run<width, few>(view, at, random, table, run, parity);
        else
          update_run<width, few>(view, at, random, HeldDigits<classes>(table), run, parity);
      }
  }
}

template <int width>
void sweep_blocks(const LocalUpdate& update, Index sweeps, Index first, Index last) {
  for (Index block = first; block < last; ++block)
    for (int vector = 0; vector < vectors_of_block; ++vector) {
      if (update.view.few && !update.lazy)
        sweep_vector<width, true>(update, sweeps, block, vector);
      else
        sweep_vector<width, false>(update, sweeps, block, vector);
    }
}

}  // namespace

const LocalKernels local_kernels_table{
    [](const LocalUpdate& update, Index sweeps, Index first, Index last) {
      switch (update.view.width) {
        case 4:
          return sweep_blocks<4>(update, sweeps, first, last);
        case 6:
          return sweep_blocks<6>(update, sweeps, first, last);
        default:
          return sweep_blocks<12>(update, sweeps, first, last);
      }
    }};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::trotter
