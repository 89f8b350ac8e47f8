#pragma once
// Locations of neighbours. For adjacent words, these classes find the words that hold the
// neighbours of their sites, in either direction along an axis. A `Source` gives words of the other
// colour by their number.

#include "larmor/ising/multispin/grid/word_grid.hpp"
#include "larmor/ising/multispin/grid/words.hpp"

namespace larmor::ising {
inline namespace LARMOR_ISA_NAMESPACE {

/// Words in memory.
template <class W>
struct StoredWords {
  const std::uint32_t* p;
  template <class Number>
  LARMOR_INLINE W at(Number word) const {
    return loaded<W>(p + word);
  }
  template <class Number>
  LARMOR_INLINE std::uint32_t one_at(Number word) const {
    return p[word];
  }
};

/// Words that all lie in one row.
/// @tparam Number type of word numbers, std::int32_t if all numbers fit
template <class W, int axes, class Number = Index>
class RowPlace {
 public:
  using Words = W;
  Number word;

  LARMOR_INLINE RowPlace(const WordGrid& grid, const std::uint32_t*, int colour, Index first_word)
      : word(static_cast<Number>(first_word)), grid_(&grid), colour_(colour) {
    enter_row();
  }
  /// Goes to the next words.
  LARMOR_INLINE void advance() {
    word += words_in<W>;
    in_row_ += words_in<W>;
    if (in_row_ == row_words()) enter_row();
  }
  /// Goes to the words of the other colour that have equal numbers.
  LARMOR_INLINE void change_colour() {
    colour_ = 1 - colour_;
    odd_ = !odd_;
  }
  LARMOR_INLINE bool touches_open_boundary() const { return in_open_row_ || at_open_end(); }

  template <class Source>
  LARMOR_INLINE W next(const Source& source, int axis) const {
    if (axis > 0) return source.at(word + up_[axis - 1]);
    const W here = source.at(word);
    if (!odd_) return here;
    return (here >> 1) | (following(source, here) << 31);
  }
  template <class Source>
  LARMOR_INLINE W previous(const Source& source, int axis) const {
    if (axis > 0) return source.at(word - down_[axis - 1]);
    const W here = source.at(word);
    if (odd_) return here;
    return (here << 1) | (preceding(source, here) >> 31);
  }
  /// Mask of the sites without a next neighbour.
  LARMOR_INLINE W lacks_next(int axis) const {
    W lacking = spread_word<W>(0);
    if (!grid_->open[axis]) return lacking;
    if (axis > 0) {
      if (is_last(axis)) lacking = ~lacking;
    } else if (odd_ && in_row_ + words_in<W> == row_words()) {
      set_word(lacking, words_in<W> - 1, 1u << 31);
    }
    return lacking;
  }
  LARMOR_INLINE W lacks_previous(int axis) const {
    W lacking = spread_word<W>(0);
    if (!grid_->open[axis]) return lacking;
    if (axis > 0) {
      if (is_first(axis)) lacking = ~lacking;
    } else if (!odd_ && in_row_ == 0) {
      set_word(lacking, 0, 1u);
    }
    return lacking;
  }

 private:
  // Along the last axis, numbers of words are compared, since the plane after the last one may be
  // stored next to it.
  LARMOR_INLINE bool is_last(int axis) const {
    return axis + 1 < axes ? up_[axis - 1] <= 0 : word >= grid_->words - grid_->stride[axis];
  }
  LARMOR_INLINE bool is_first(int axis) const {
    return axis + 1 < axes ? down_[axis - 1] <= 0 : word < grid_->stride[axis];
  }
  LARMOR_INLINE Number row_words() const { return static_cast<Number>(grid_->row_words); }
  LARMOR_INLINE void enter_row() {
    Number row = grid_->row_divisor.quotient(word);
    in_row_ = word - row * row_words();
    Number parity = static_cast<Number>(colour_);
    in_open_row_ = false;
    LARMOR_UNROLL
    for (int a = 1; a < axes; ++a) {
      Number x = row;
      const auto size = static_cast<Number>(grid_->size[a]);
      const auto step = static_cast<Number>(grid_->stride[a]);
      if (a + 1 < axes) {
        row = grid_->size_divisor[a].quotient(row);
        x -= row * size;
      }
      parity += x;
      const auto around = static_cast<Number>(grid_->around[a]);
      const bool at_first = x == 0, at_last = x == size - 1;
      up_[a - 1] = at_last ? -around : step;
      down_[a - 1] = at_first ? -around : step;
      in_open_row_ = in_open_row_ || (grid_->open[a] && (at_first || at_last));
    }
    odd_ = (parity & 1) != 0;
  }
  LARMOR_INLINE bool at_open_end() const {
    return grid_->open[0] && (odd_ ? in_row_ + words_in<W> == row_words() : in_row_ == 0);
  }
  /// The words of one place further along the row. @param here the words at this place
  template <class Source>
  LARMOR_INLINE W following(const Source& source, [[maybe_unused]] W here) const {
    const bool at_end = in_row_ + words_in<W> == row_words();
    const Number behind = at_end ? word - in_row_ : word + words_in<W>;
#if defined(__CUDACC__)
    if constexpr (words_in<W> == 1) {
      return source.one_at(behind);
    } else {
      LARMOR_UNROLL
      for (int n = 0; n + 1 < words_in<W>; ++n) here.w[n] = here.w[n + 1];
      here.w[words_in<W> - 1] = source.one_at(behind);
      return here;
    }
#else
    W words = source.at(word + 1);
    if (at_end) set_word(words, words_in<W> - 1, source.one_at(behind));
    return words;
#endif
  }
  /// The words of one place before along the row. @param here the words at this place
  template <class Source>
  LARMOR_INLINE W preceding(const Source& source, [[maybe_unused]] W here) const {
    const Number before = in_row_ == 0 ? word + row_words() - 1 : word - 1;
#if defined(__CUDACC__)
    if constexpr (words_in<W> == 1) {
      return source.one_at(before);
    } else {
      LARMOR_UNROLL
      for (int n = words_in<W> - 1; n > 0; --n) here.w[n] = here.w[n - 1];
      here.w[0] = source.one_at(before);
      return here;
    }
#else
    W words = source.at(word - 1);
    if (in_row_ == 0) set_word(words, 0, source.one_at(before));
    return words;
#endif
  }

  const WordGrid* grid_;
  int colour_;
  Number in_row_;
  Number up_[axes], down_[axes];  ///< words to the neighbour in + and in - direction; 0 or less:
                                  ///< around the grid, if this rank has the whole grid
  bool odd_;                      ///< o of word_grid.hpp
  bool in_open_row_;
};

/// Words of several rows, with their places from a table of PlaceFlags.
template <class W, int axes>
class MixedPlace {
 public:
  using Words = W;
  Index word;

  /// @param flags flags of each word of a colour. The flags of the last word are repeated to fill
  /// the last W
  LARMOR_INLINE MixedPlace(const WordGrid& grid, const std::uint32_t* flags, int colour,
                           Index first_word)
      : word(first_word),
        grid_(&grid),
        table_(flags),
        colour_(spread_word<W>(colour != 0 ? ~0u : 0u)) {
    read_flags();
  }
  LARMOR_INLINE void advance() {
    word += words_in<W>;
    read_flags();
  }
  LARMOR_INLINE bool touches_open_boundary() const {
    std::uint32_t boundary = 0;
    for (int a = 0; a < axes; ++a)
      if (grid_->open[a]) boundary |= PlaceFlags::first(a) | PlaceFlags::last(a);
    return any(flags_ & boundary);
  }

  template <class Source>
  LARMOR_INLINE W next(const Source& source, int axis) const {
    const W at_end = is_set(flags_ & PlaceFlags::last(axis));
    if (axis > 0)
      return either(source, at_end, word - grid_->around[axis], word + grid_->stride[axis]);
    const W here = source.at(word);
    const W following = either(source, at_end, word + 1 - grid_->row_words, word + 1);
    return choose(odd_, (here >> 1) | (following << 31), here);
  }
  template <class Source>
  LARMOR_INLINE W previous(const Source& source, int axis) const {
    const W at_start = is_set(flags_ & PlaceFlags::first(axis));
    if (axis > 0)
      return either(source, at_start, word + grid_->around[axis], word - grid_->stride[axis]);
    const W here = source.at(word);
    const W preceding = either(source, at_start, word - 1 + grid_->row_words, word - 1);
    return choose(odd_, here, (here << 1) | (preceding >> 31));
  }
  LARMOR_INLINE W lacks_next(int axis) const {
    if (!grid_->open[axis]) return spread_word<W>(0);
    const W at_end = is_set(flags_ & PlaceFlags::last(axis));
    return axis > 0 ? at_end : at_end & odd_ & (1u << 31);
  }
  LARMOR_INLINE W lacks_previous(int axis) const {
    if (!grid_->open[axis]) return spread_word<W>(0);
    const W at_start = is_set(flags_ & PlaceFlags::first(axis));
    return axis > 0 ? at_start : at_start & ~odd_ & 1u;
  }

 private:
  LARMOR_INLINE void read_flags() {
    flags_ = loaded<W>(table_ + word);
    odd_ = is_set(flags_ & PlaceFlags::odd_row) ^ colour_;
  }
  /// Reads at most one W from each of the two words.
  template <class Source>
  LARMOR_INLINE static W either(const Source& source, W mask, Index yes, Index no) {
    if (!any(mask)) return source.at(no);
    if (!any(~mask)) return source.at(yes);
    return choose(mask, source.at(yes), source.at(no));
  }

  const WordGrid* grid_;
  const std::uint32_t* table_;
  W colour_, flags_, odd_;
};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::ising
