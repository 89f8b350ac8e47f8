#pragma once
// Tables of the square roots of the Boltzmann weights of a row. See tile_pass.hpp.

#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/transfer/row_model.hpp"
#include "larmor/transfer/tile_pass.hpp"

namespace larmor::transfer {

/// The bits of the sites. In a sector the last site has none and is -1.
class SiteBits {
 public:
  /// @param model the bonds of all rows together @throws InputError for a row without sites, or a
  /// sector of a row with fields
  SiteBits(const RowModel& model, Sector sector);

  int bits() const { return bits_; }
  int sites() const { return static_cast<int>(bit_of_.size()); }
  int low_bits() const { return low_bits_; }
  int plain_bits() const { return plain_bits_; }
  /// -1: the site has no bit.
  int bit_of(int site) const { return bit_of_[static_cast<std::size_t>(site)]; }
  Index states() const { return Index{1} << bits_; }
  Sector sector() const { return sector_; }

 private:
  Sector sector_;
  int bits_, low_bits_ = 0, plain_bits_ = 0;
  std::vector<int> bit_of_;
};

class RowWeights {
 public:
  /// @param model its bonds join sites that bonds of the model of `bits` join
  RowWeights(const Device& device, const RowModel& model, const SiteBits& bits);

  /// @param first index of the first state of the view: 0, or a multiple of 2^low_bits
  WeightView view(Index first = 0) const {
    return {low_bits_, plain_bits_, low_.data(), rest_.data() + (first >> plain_bits_)};
  }
  /// ln of the number by which all weights were divided: an upper bound of them.
  double ln_bound() const { return ln_bound_; }
  static double bytes(const SiteBits& bits);

 private:
  int low_bits_, plain_bits_;
  double ln_bound_ = 0;
  Array<double> low_, rest_;
};

/// v(x) = D(x)^(1/2) over its bound.
void fill_weights(Array<double>& v, const WeightView& weights);

namespace detail {
void fill_weights_on_gpu(Array<double>& v, const WeightView& weights);
}  // namespace detail

}  // namespace larmor::transfer
