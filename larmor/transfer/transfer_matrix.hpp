#pragma once
// The transfer matrix of a row, without its elements: products with vectors of 2^L numbers, or of
// 2^(L-1) in a sector.
//
//   T = D'^(1/2) X D^(1/2),   X = product of e^(K'_i s_i s'_i)
//
// D and D' are the weights of a row and of the next one. H. A. Kramers and G. H. Wannier,
// Phys. Rev. 60, 252 (1941).

#include <memory>

#include "larmor/transfer/lanczos.hpp"
#include "larmor/transfer/row_weights.hpp"

namespace larmor::transfer {

class TransferMatrix final : public Operator {
 public:
  /// @param space has the states of `bits`, and outlives this
  /// @param before, after weights of the row and of the next one, in the same bits
  /// @param K_next couplings between both rows [sites]
  TransferMatrix(const VectorSpace& space, const SiteBits& bits,
                 std::shared_ptr<const RowWeights> before, std::shared_ptr<const RowWeights> after,
                 const std::vector<double>& K_next);
  /// T of a strip of equal rows; symmetric.
  static TransferMatrix of_equal_rows(const VectorSpace& space, const RowModel& model,
                                      const SiteBits& bits);

  /// Passes over the vector in a product.
  Index passes() const { return std::ssize(passes_); }
  /// ln of the number by which the products are too small.
  double ln_scale() const { return ln_scale_; }
  /// out = T in, asynchronous on one GPU. @param out another vector
  void multiply(const Vector& in, Vector& out) { multiply(in, 1, out); }
  /// out = factor T in.
  void multiply(const Vector& in, double factor, Vector& out);
  double multiply(const Vector& in, double factor, const Vector* previous, double coefficient,
                  Vector& out) override;

 private:
  /// A matrix of a site whose bit is a bit of the rank.
  struct RankBit {
    int with;  ///< the rank that has the other value
    double a, b;
  };

  /// All passes. @param end the last one's output, without the vector
  void run(const Vector& in, double factor, TileOutput end, Vector& out);
  void run_pass(std::size_t n, const TileInput& in, const TileOutput& out);
  void combine(const RankBit& bit, const TileOutput& out);

  const VectorSpace& space_;
  double ln_scale_;
  std::shared_ptr<const RowWeights> before_, after_;
  std::vector<PassView> passes_;
  PassView all_ranks_{};  ///< the last pass over the states of all ranks
  std::vector<RankBit> rank_bits_;
  bool has_mirror_ = false;
  double a_ = 1, b_ = 0;  ///< matrix of the site without a bit
  Vector received_, sums_;
};

namespace detail {
/// One pass on a GPU.
void pass_on_gpu(const Device& device, const PassView& pass, const TileInput& in,
                 const TileOutput& out);
/// out.v = a out.v + b received on a GPU. @param view see combine_ranks
void combine_on_gpu(const VectorSpace& space, const PassView& view, double a, double b,
                    const Vector& received, const TileOutput& out);
/// The sums of a product by parts, of this rank. @param sums see TileOutput
std::vector<double> sums_on_gpu(const VectorSpace& space, const Vector& sums);
}  // namespace detail

}  // namespace larmor::transfer
