#pragma once
// Signs of bonds of a grid, +1 or -1 with equal probability. A sign is a function of a seed, a
// sample and the place of the bond.

#include <vector>

#include "larmor/core/maths/philox.hpp"
#include "larmor/ising/multispin/grid/lattice_view.hpp"

namespace larmor::ising {

/// Signs of the bonds of four words, one bit per bond.
inline RandomWords<std::uint64_t> sign_words(const RandomKey& key, std::uint64_t sample, Index call,
                                             int colour, int axis) {
  return philox<std::uint64_t>(key,
                               static_cast<std::uint64_t>(call) | static_cast<std::uint64_t>(colour)
                                                                      << colour_bit_of_words,
                               sample, static_cast<std::uint32_t>(axis));
}

class BondSigns {
 public:
  /// @param size sites along each axis, for a grid that is stored as bits
  BondSigns(std::vector<Index> size, std::uint64_t seed)
      : size_(std::move(size)), key_{seed, 0, Stream::bond_sign} {}

  /// Sign of the bond from a site to the next one along an axis.
  double operator()(Index site, int axis, std::uint64_t sample) const {
    const Index row = site / size_[0], x = site % size_[0], row_words = size_[0] / 64;
    Index rest = row, parity = x;
    for (std::size_t a = 1; a < size_.size(); ++a) {
      parity += rest % size_[a];
      rest /= size_[a];
    }
    const Index word = row * row_words + x / 2 / 32;
    const auto random =
        sign_words(key_, sample, word / words_of_sign_call, static_cast<int>(parity % 2), axis);
    return ((random.w[word % words_of_sign_call] >> (x / 2 % 32)) & 1u) != 0 ? -1 : 1;
  }

 private:
  std::vector<Index> size_;
  RandomKey key_;
};

}  // namespace larmor::ising
