#pragma once
// The transfer matrix of a row, without its elements: products with vectors of 2^L numbers, or of
// 2^(L-1) in a sector.
//
//   T = D'^(1/2) X D^(1/2),   X = product of e^(K'_i s_i s'_i)
//
// D and D' are the weights of a row and of the next one. H. A. Kramers and G. H. Wannier,
// Phys. Rev. 60, 252 (1941).

#include <memory>

#include "larmor/transfer/row_weights.hpp"

namespace larmor::transfer {

class TransferMatrix {
 public:
  /// @param before, after weights of the row and of the next one, in the same bits
  /// @param K_next couplings between both rows [sites]
  TransferMatrix(const SiteBits& bits, std::shared_ptr<const RowWeights> before,
                 std::shared_ptr<const RowWeights> after, const std::vector<double>& K_next);
  /// T of a strip of equal rows; symmetric.
  static TransferMatrix of_equal_rows(const Device& device, const RowModel& model,
                                      const SiteBits& bits);

  Index states() const { return states_; }
  /// Passes over the vector in a product.
  Index passes() const { return std::ssize(passes_); }
  /// ln of the number by which the products are too small.
  double ln_scale() const { return ln_scale_; }
  /// out = T in, asynchronous on a GPU. @param out another vector
  void multiply(const Array<double>& in, Array<double>& out) const;

 private:
  Index states_;
  double ln_scale_;
  std::shared_ptr<const RowWeights> before_, after_;
  std::vector<PassView> passes_;
  TileInput input_{};
  TileOutput output_{};
};

namespace detail {
/// One pass on a GPU.
void pass_on_gpu(const Device& device, const PassView& pass, const TileInput& in,
                 const TileOutput& out);
}  // namespace detail

}  // namespace larmor::transfer
