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

#include "larmor/core/device/device.hpp"
#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/trotter/update_view.hpp"

namespace larmor::trotter {

struct LineView {
  UpdateView base;
  Index replicas, copies, groups_of_point;
  const double* K;          ///< dtau J (point, bond)
  const double* field;      ///< dtau h (point, site)
  const double* gap_scale;  ///< 1 / ln(1 - q), -inf for q = 0 (point, site)
};

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

/// The number of trials before the next success. @param scale 1 / ln(1 - probability)
/// @return at most `most`
LARMOR_INLINE std::int32_t drawn_gap(double u, double scale, std::int32_t most) {
  const double gap = logarithm(u) * scale;
  return gap < most ? static_cast<std::int32_t>(gap) : most;
}

/// One replica of a site, slice by slice.
struct Line {
  std::uint32_t* p;
  int lanes, words, bits, first_bit;

  LARMOR_INLINE std::uint32_t* word(std::int32_t slice) const {
    return p + Index{slice % words} * lanes;
  }
  LARMOR_INLINE int bit(std::int32_t slice) const { return first_bit + slice / words; }
  LARMOR_INLINE bool is_down(std::int32_t slice) const {
    return ((*word(slice) >> bit(slice)) & 1u) != 0;
  }
  LARMOR_INLINE void flip(std::int32_t slice) const { *word(slice) ^= 1u << bit(slice); }
  /// The sum of the spins of slices [first, last).
  LARMOR_INLINE std::int32_t sum(std::int32_t first, std::int32_t last) const {
    std::int32_t down = 0;
    for (std::int32_t k = first; k < last; ++k) down += is_down(k) ? 1 : 0;
    return last - first - 2 * down;
  }
};

/// Updates the line of a site. Lines of other sites of its colour may be updated at the same time.
class LineUpdate {
 public:
  LARMOR_INLINE LineUpdate(const LineView& view, Index replica)
      : view_(view), point_(replica / view.copies), replica_(replica) {
    const Index copy = replica % view.copies;
    group_ = point_ * view.groups_of_point + copy / view.base.time.fields();
    first_bit_ = static_cast<int>(copy % view.base.time.fields()) * view.base.time.bits;
  }

  LARMOR_INLINE void operator()(const RandomKey& key, Index site) const {
    const std::int32_t slices = view_.base.time.slices();
    const Line line = line_of(site);
    NumberSequence numbers(key, site, replica_);
    const double scale = view_.gap_scale[point_ * view_.base.sites + site];
    std::int32_t candidate = drawn_gap(numbers.next(), scale, slices);
    std::int32_t first_end = 0, begin = 0;  // the piece around slice 0 waits for the last cut
    const bool first_is_down = line.is_down(0);
    bool is_down = first_is_down;
    for (std::int32_t k = 0; k < slices; ++k) {
      const bool next_is_down = k + 1 < slices ? line.is_down(k + 1) : first_is_down;
      bool is_cut = is_down != next_is_down;
      if (k == candidate) {
        is_cut = true;
        candidate += 1 + drawn_gap(numbers.next(), scale, slices);
      }
      if (is_cut) {
        if (first_end == 0)
          first_end = k + 1;
        else
          draw_piece(line, site, numbers.next(), begin, k + 1, 0);
        begin = k + 1;
      }
      is_down = next_is_down;
    }
    // Without a cut the whole line is one piece.
    if (first_end == 0) first_end = slices, begin = slices;
    draw_piece(line, site, numbers.next(), begin, slices, first_end);
  }

 private:
  LARMOR_INLINE Line line_of(Index site) const {
    return {view_.base.spins + view_.base.index_of(group_, site, 0), view_.base.lanes,
            view_.base.time.words, view_.base.time.bits, first_bit_};
  }
  /// Draws the direction of slices [begin, end) and [0, around).
  LARMOR_INLINE void draw_piece(const Line& line, Index site, double u, std::int32_t begin,
                                std::int32_t end, std::int32_t around) const {
    const UpdateView& base = view_.base;
    double field =
        view_.field[point_ * base.sites + site] * static_cast<double>(end - begin + around);
    for (Index n = base.offset[site]; n < base.offset[site + 1]; ++n) {
      const Line other = line_of(base.neighbour[n]);
      const std::int32_t sum = other.sum(begin, end) + other.sum(0, around);
      field += view_.K[point_ * base.bonds + base.bond[n]] * static_cast<double>(sum);
    }
    const bool is_down = line.is_down(around > 0 ? 0 : begin);
    // u decides between down and up, so that copies with common numbers approach each other.
    const bool becomes_down = u * (1 + exponential(2 * field)) < 1;
    if (is_down == becomes_down) return;
    for (std::int32_t k = begin; k < end; ++k) line.flip(k);
    for (std::int32_t k = 0; k < around; ++k) line.flip(k);
  }

  const LineView& view_;
  Index point_, replica_, group_;
  int first_bit_;
};

}  // namespace LARMOR_ISA_NAMESPACE

namespace detail {
/// One sweep over all lines.
void sweep_lines_on_gpu(const Device& device, const LineView& view, const RandomKey& key,
                        const std::vector<SiteRun>& runs);
}  // namespace detail

}  // namespace larmor::trotter
