#pragma once
// One update of the world line of a site, in pieces. A piece has the field
//
//   F = sum over its slices k of ( sum_b dtau J_b s_jk + dtau h ),
//
// and the direction s with probability e^(s F) / (e^F + e^-F).
//
// Candidates for cuts have the probability q = e^(-2 K_i) = tanh(dtau Gamma_i). So the number of
// bonds before the next candidate is drawn at once: it is the whole part of ln u / ln(1 - q).

#include <vector>

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/trotter/update_view.hpp"

namespace larmor::trotter {

struct LineView {
  UpdateView base;
  Index replicas, copies, groups_of_instance;
  const double* K;          ///< dtau J (instance, bond)
  const double* field;      ///< dtau h (instance, site)
  const double* gap_scale;  ///< 1 / ln(1 - q), -inf for q = 0 (instance, site)
};

struct LineKernels {
  /// Updates the lines of a group, at places [first, last) of the order of sites.
  void (*sweep)(const LineView& view, const RandomKey& key, Index group, Index first, Index last);
};
LARMOR_CPU_KERNELS(LineKernels, line_kernels)

inline namespace LARMOR_ISA_NAMESPACE {

/// Random numbers in (0, 1), one after the other. BITS: the four numbers of one block, then those
/// of the next.
class NumberSequence {
 public:
  LARMOR_INLINE NumberSequence(const RandomKey& key, Index site, Index replica)
      : key_(key),
        site_(static_cast<std::uint64_t>(site)),
        replica_(static_cast<std::uint64_t>(replica)) {}
  LARMOR_INLINE double next() {
    if (used_ == 4) {
      // The block has 16 bits; further calls count in the bits above the site.
      words_ = philox<std::uint64_t>(key_, site_ | (std::uint64_t{call_ >> 16} << 32), replica_,
                                     call_ & 0xffffu);
      ++call_;
      used_ = 0;
    }
    return uniform_32<double>(words_.w[used_++]);
  }

 private:
  RandomKey key_;
  std::uint64_t site_, replica_;
  std::uint32_t call_ = 0;
  int used_ = 4;
  RandomWords<std::uint64_t> words_{};
};

/// Calls for the numbers of a line. Its gaps and its directions have separate sequences. BITS: call
/// n has the site bits 32 to 39 from the low bits of n, and the block from its high bits.
struct LineCalls {
  RandomKey key;
  std::uint64_t site, replica;
  std::uint32_t first_block;  ///< 0, or `block_of_directions`

  static constexpr std::uint32_t block_of_directions = 1u << 15;

  /// @param call its low 8 bits may differ from lane to lane
  template <class Bits>
  LARMOR_INLINE RandomWords<Bits> draw(const Bits& low_of_call, std::uint32_t high_of_call) const {
    return philox<Bits>(key, Bits(site) + (low_of_call << 32), Bits(replica),
                        first_block + high_of_call);
  }
};

/// The logarithm of a gap's number, or the logit ln(1 / u - 1) of a direction's.
template <class Real>
LARMOR_INLINE Real line_number(const Real& u, bool is_direction) {
  const Real ln_u = logarithm(u);
  return is_direction ? logarithm(Real(1.0) - u) - ln_u : ln_u;
}

/// The numbers of a line, one after the other.
class PlainLineNumbers {
 public:
  LARMOR_INLINE PlainLineNumbers(const LineCalls& calls) : calls_(calls) {}
  LARMOR_INLINE double next() {
    if (used_ == 4) {
      words_ = calls_.draw<std::uint64_t>(call_ & 0xffu, call_ >> 8);
      ++call_;
      used_ = 0;
    }
    return line_number(uniform_32<double>(words_.w[used_++]), calls_.first_block != 0);
  }

 private:
  LineCalls calls_;
  std::uint32_t call_ = 0;
  int used_ = 4;
  RandomWords<std::uint64_t> words_{};
};

/// The number of trials before the next success. @param scale 1 / ln(1 - probability)
/// @param ln_u logarithm of a number in (0, 1) @return at most `most`
LARMOR_INLINE std::int32_t drawn_gap(double ln_u, double scale, std::int32_t most) {
  const double gap = ln_u * scale;
  return gap < most ? static_cast<std::int32_t>(gap) : most;
}

/// A slice of a line, as its word and its bit in the field.
struct SlicePlace {
  int word, bit;
};

/// Consecutive slices of a line: from `begin` to before `end`.
struct SliceRange {
  SlicePlace begin, end;

  /// The bits of a word in the range, of the first field.
  LARMOR_INLINE std::uint32_t mask(int word) const {
    const int first = begin.bit + (word < begin.word ? 1 : 0);
    const int last = end.bit + (word < end.word ? 1 : 0);
    return low_bits(last) & ~low_bits(first);
  }
};

/// A piece between two cuts; the last one continues around slice 0.
struct LinePiece {
  SliceRange range, around;
  std::int32_t slices;
  bool is_down;

  LARMOR_INLINE std::uint32_t mask(int word) const { return range.mask(word) | around.mask(word); }
};

/// One replica of a site.
struct Line {
  std::uint32_t* p;
  int lanes, words, first_bit;

  LARMOR_INLINE std::uint32_t* word(int w) const { return p + Index{w} * lanes; }
  LARMOR_INLINE bool is_down(const SlicePlace& at) const {
    return ((*word(at.word) >> (first_bit + at.bit)) & 1u) != 0;
  }
  /// The sum of the spins of a piece.
  LARMOR_INLINE std::int32_t sum(const LinePiece& piece) const {
    std::int32_t down = 0;
    for (int w = 0; w < words; ++w)
      down += ising::count_ones(*word(w) & (piece.mask(w) << first_bit));
    return piece.slices - 2 * down;
  }
  LARMOR_INLINE void flip(const LinePiece& piece) const {
    for (int w = 0; w < words; ++w) *word(w) ^= piece.mask(w) << first_bit;
  }
};

/// Updates the line of a site. Lines of other sites of its colour may be updated at the same time.
/// @tparam Numbers draws numbers as PlainLineNumbers does
template <class Numbers>
class LineUpdate {
 public:
  LARMOR_INLINE LineUpdate(const LineView& view, Index replica)
      : view_(view), instance_(replica / view.copies), replica_(replica) {
    const Index copy = replica % view.copies;
    group_ = instance_ * view.groups_of_instance + copy / view.base.time.fields();
    first_bit_ = static_cast<int>(copy % view.base.time.fields()) * view.base.time.bits;
  }

  LARMOR_INLINE void operator()(const RandomKey& key, Index site) const {
    const std::int32_t slices = view_.base.time.slices();
    const Line line = line_of(site);
    LineCalls calls{key, static_cast<std::uint64_t>(site), static_cast<std::uint64_t>(replica_), 0};
    Numbers gaps(calls);
    calls.first_block = LineCalls::block_of_directions;
    Numbers directions(calls);
    const double scale = view_.gap_scale[instance_ * view_.base.sites + site];
    std::int32_t candidate = drawn_gap(gaps.next(), scale, slices);
    const bool first_is_down = line.is_down({0, 0});
    bool is_down = first_is_down, has_cut = false;
    // The piece around slice 0 waits for the last cut.
    SliceRange first{{0, 0}, {0, 0}};
    SlicePlace begin{0, 0}, next{0, 0};
    std::int32_t begin_slice = 0, first_slices = 0;
    for (std::int32_t k = 0; k < slices; ++k) {
      next = after(next);
      const bool next_is_down = k + 1 < slices ? line.is_down(next) : first_is_down;
      bool is_cut = is_down != next_is_down;
      if (k == candidate) {
        is_cut = true;
        candidate += 1 + drawn_gap(gaps.next(), scale, slices);
      }
      if (is_cut) {
        if (!has_cut) {
          first.end = next;
          first_slices = k + 1;
        } else {
          draw(line, site, directions.next(),
               {{begin, next}, {{0, 0}, {0, 0}}, k + 1 - begin_slice, is_down});
        }
        has_cut = true;
        begin = next;
        begin_slice = k + 1;
      }
      is_down = next_is_down;
    }
    // Without a cut the whole line is one piece.
    draw(line, site, directions.next(),
         {{begin, next}, first, slices - begin_slice + first_slices, first_is_down});
  }

 private:
  LARMOR_INLINE SlicePlace after(const SlicePlace& at) const {
    return at.word + 1 < view_.base.time.words ? SlicePlace{at.word + 1, at.bit}
                                               : SlicePlace{0, at.bit + 1};
  }
  LARMOR_INLINE Line line_of(Index site) const {
    return {view_.base.spins + view_.base.index_of(group_, site, 0), view_.base.lanes,
            view_.base.time.words, first_bit_};
  }
  /// Draws the direction of a piece.
  /// @param logit ln(1 / u - 1)
  LARMOR_INLINE void draw(const Line& line, Index site, double logit,
                          const LinePiece& piece) const {
    const UpdateView& base = view_.base;
    double field = view_.field[instance_ * base.sites + site] * static_cast<double>(piece.slices);
    for (Index n = base.offset[site]; n < base.offset[site + 1]; ++n)
      field += view_.K[instance_ * base.bonds + base.bond[n]] *
               static_cast<double>(line_of(base.neighbour[n]).sum(piece));
    // The spin is down if u (1 + e^(2 F)) < 1.
    const bool becomes_down = 2 * field < logit;
    if (piece.is_down != becomes_down) line.flip(piece);
  }

  const LineView& view_;
  Index instance_, replica_, group_;
  int first_bit_;
};

}  // namespace LARMOR_ISA_NAMESPACE

namespace detail {
/// One sweep over all lines.
void sweep_lines_on_gpu(const Device& device, const LineView& view, const RandomKey& key,
                        const std::vector<SiteRun>& runs);
}  // namespace detail

}  // namespace larmor::trotter
